// @ts-check
// One game on one page: puts store, line, map, question and panels together.
import { counterSvg } from '../board/api.js'
import { GameApi, Refusal, Unreachable } from './api.js'
import { Clauses } from './clause.js'
import { Decision } from './decision.js'
import { makeChat, makeLog, makeTabs, menuItems } from './desk.js'
import { payDice } from './dice.js'
import { button, byId, fill, h } from './dom.js'
import { Header } from './header.js'
import { listenKeys } from './keys.js'
import { menu, showKeys, themeButton, toast } from './menu.js'
import { oddsPanel } from './odds.js'
import { drawAbout, drawForces, drawTables } from './panels.js'
import { Plan, hang, narrow } from './plan.js'
import { Recap } from './recap.js'
import { Player } from './replay.js'
import { Stage } from './stage.js'
import { Store } from './store.js'
import { Sync } from './sync.js'
import { drawTextView } from './textview.js'
import { offers, undoButton } from './undo.js'
import { curtain, openHands } from './visit.js'

/** @typedef {{game: string, seat: string | null, seats: string[], title: any, card: any, view: any, units: Record<string, any>, board: import('./decision.js').Board, places: import('../board/api.js').Places, texts: import('./texts.js').Texts, mode: string}} Parts */

export class Game {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts
    this.texts = parts.texts
    this.board = parts.board
    this.seat = parts.seat
    this.store = new Store()
    this.api = new GameApi(parts.game, parts.seat)
    this.stage = new Stage(parts.board)
    this.clauses = new Clauses(parts.texts)
    this.asked = { reach: 0, preview: 0 }
    /** @type {{text: string, seq: number, key: string} | null} an answer that may not have arrived */
    this.unsent = null
    this.plan = new Plan(this.store, parts.board)
    this.reading = false
    this.looked = false
    this.sealing = false
    this.ctx = this.makeCtx()
    this.decision = new Decision(this.ctx, {
      bar: byId('prompt'),
      tray: byId('tray'),
      hang: (tray, at) => hang(this.board, tray, this.clear(), at),
      takeBack: () => undoButton(this.ctx, (to) => this.takeBack(to)),
      withdraw: () => this.withdrawButton(),
    })
    this.header = new Header(this.ctx, { game: byId('game'), track: byId('track'), players: byId('players') }, parts.seats)
    this.player = new Player(this.ctx, byId('player'), { stage: this.stage, onend: () => this.recap.end() })
    this.recap = new Recap(this.ctx, this.player, byId('since'), {
      game: parts.game,
      seat: () => this.seat,
      onfilm: (running) => this.onFilm(running),
    })
    this.log = makeLog(this)
    this.chat = makeChat(this)
    this.tabs = makeTabs(this)
    this.tabs.open('log')
    themeButton(byId('theme'), parts.texts)
    menu(this.ctx, byId('menu'), { items: () => menuItems(this) })
    this.sync = this.makeSync()
    this.wire()
  }

  /** @returns {import('./decision.js').Ctx} */
  makeCtx() {
    const { texts, units, board, places } = this.parts
    return {
      texts,
      units,
      board,
      store: this.store,
      around: (loc) => places.around(loc),
      mini: counterSvg,
      clause: (id) => this.clauses.link(id),
      reach: (question) => this.latest('reach', () => this.sync.ask('reach', question)),
      preview: (answer) => this.latest('preview', () => this.sync.ask('preview', answer)),
      keep: (answer) => {
        if (answer === null) this.api.post('/draft', undefined, 'DELETE').catch(() => undefined)
      },
      submit: (answer) => this.submit(answer),
      confirm: (label, clause, answer) => this.decision.confirm(label, clause, answer),
      redraw: () => this.redraw(),
      closeTool: () => this.decision.close(),
      focus: (loc) => board.focus(loc),
      showDraft: (planned) => this.plan.show(planned),
      showOdds: (odds) => this.showOdds(odds, true),
      say: (message) => toast(texts.say(message), this.clauses.link(message.clause)),
      toast: (text) => toast(text),
    }
  }

  makeSync() {
    return new Sync(this.store, this.api, {
      onview: () => this.onView(),
      ontold: (steps) => this.onTold(steps),
      onlog: () => {
        this.log.draw()
        this.decision.drawBar()
      },
      oncard: () => this.onCard(),
      onchat: (line) => this.chat.hear(line),
      onrefused: (error) => this.refused(error),
      online: (on) => this.onOnline(on),
    })
  }

  wire() {
    const { board } = this
    board.on('tap', ({ loc }) => {
      if (!this.player.active) this.decision.tap(loc)
    })
    board.on('longpress', ({ loc }) => {
      if (loc && !this.player.active) this.decision.look(loc)
    })
    board.on('drop', ({ from, loc }) => {
      if (from && loc && !this.player.active) this.decision.drop(from, loc)
    })
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.recap.offer()
    })
    board.on('view', () => hang(board, byId('tray'), this.clear()))
    listenKeys({
      escape: () => {
        if (!this.decision.back()) this.showOdds(null, false)
      },
      go: () => this.decision.go(),
      undo: () => {
        const free = this.store.takeBack?.free
        if (free !== null && free !== undefined) this.takeBack(free)
      },
      text: () => this.toggleText(),
      help: () => showKeys(this.ctx),
    })
  }

  async start() {
    const [chat] = await Promise.all([this.plays ? this.api.get('/chat') : { lines: [] }, this.sync.start(this.parts.view)])
    this.chat.set(chat.lines)
    this.recap.offer()
  }

  /** @param {'reach' | 'preview'} what @param {() => Promise<any>} run null when a later one was asked meanwhile */
  async latest(what, run) {
    const n = ++this.asked[what]
    try {
      const said = await run()
      return n === this.asked[what] ? said : null
    } catch (error) {
      if (n === this.asked[what]) this.refused(error)
      return null
    }
  }

  async onView() {
    const { store } = this
    if (!this.stage.held) this.stage.show(store.fragments)
    this.plan.forget()
    if (this.mustHandOver()) return
    const kept = store.request?.mine ? await this.api.get('/draft').catch(() => null) : null
    this.decision.set(store.request, kept?.draft)
    this.lookFirst()
    if (store.fragments.battle) this.showOdds(store.fragments.battle, false)
    this.drawAll()
  }

  /** Spaces the player may want to tap next, and the goal already chosen. */
  clear() {
    const { marks } = this.decision
    return marks.path.length ? marks.path.map((s) => s.at) : marks.open()
  }

  /** At first the map shows where something is to be done, near enough to read. */
  lookFirst() {
    if (this.looked) return
    const at = this.decision.places()[0] ?? this.store.kind('space').find(([, s]) => s.units && s.count)?.[0]
    this.looked = Boolean(at)
    if (at) this.board.focus(at, { zoom: narrow() ? 0.92 : 1.2, slowly: false })
  }

  /** @param {any[]} steps */
  onTold(steps) {
    const { store } = this
    this.stage.play(steps)
    const theirs = steps.filter((s) => s.data?.path && s.side !== this.seat)
    if (theirs.length) this.board.setLastMoves(theirs.map((s) => ({ path: s.data.path })))
    const fought = steps.findLast((s) => s.data?.odds)
    if (this.mustHandOver()) return
    if (!this.decision.keep(store.request)) {
      this.decision.set(store.request)
      this.lookFirst()
      if (!fought) this.showOdds(store.fragments.battle ?? null, false)
    }
    if (fought) this.showOdds({ rolled: fought.data.roll, ...fought.data.odds }, false)
    this.log.draw()
    this.recap.onTold()
    this.drawAll()
  }

  onCard() {
    const { store } = this
    this.sealDice()
    this.drawAll()
  }

  /** This reader's part in the dice, done without asking. */
  async sealDice() {
    const { card } = this.store
    if (this.sealing || !card || card.dice.complete) return
    this.sealing = true
    await payDice(this.parts.game, card.your_seats, card.dice).catch(() => undefined)
    this.sealing = false
  }

  /** While the other still thinks about the same question, an answer may be taken out again. */
  withdrawButton() {
    const { request, card } = this.store
    const mine = (card?.your_seats ?? []).some((/** @type {string} */ s) => request?.has_answered?.includes(s))
    return request?.together && !request.mine && mine
      ? button(this.texts.t('game.withdraw'), () => this.act('/withdraw'), { class: 'quiet', key: 'withdraw' })
      : null
  }

  drawAll() {
    this.header.draw()
    drawForces(this.ctx, byId('pane-forces'))
    drawTables(this.ctx, byId('pane-tables'))
    drawAbout(this.ctx, byId('pane-about'), this.parts.title)
    fill(
      byId('offers'),
      offers(this.ctx, { reply: (yes) => this.act('/take-back/reply', { yes }), draw: (what) => this.act('/draw', { [what]: true }) }),
    )
    this.redraw()
  }

  redraw() {
    this.decision.redraw()
    if (this.reading)
      drawTextView(this.ctx, byId('textview'), this.decision.marks, {
        tap: (loc) => this.decision.tap(loc),
        seats: this.parts.seats,
        mine: this.mine,
      })
  }

  /** @param {any} answer */
  async submit(answer) {
    const seq = this.store.request.seq,
      text = JSON.stringify(answer)
    const same = this.unsent?.text === text && this.unsent.seq === seq
    const key = same ? /** @type {any} */ (this.unsent).key : newKey()
    this.unsent = { text, seq, key }
    this.decision.busy = true
    this.redraw()
    try {
      await this.sync.answer(seq, key, answer)
      this.unsent = null
      this.recap.seenAll()
    } catch (error) {
      this.decision.busy = false
      this.refused(error)
      this.redraw()
    }
  }

  /** @param {any} error */
  refused(error) {
    const t = this.texts
    if (error instanceof Unreachable) return toast(t.t('game.error.unreachable'))
    if (error instanceof Refusal && error.status === 409) {
      this.unsent = null
      if (error.body?.view) this.sync.takeView(error.body)
      else this.sync.catchUp()
      return toast(t.t('game.error.stale'))
    }
    if (!error?.key) return toast(t.t('game.error.unknown'))
    const words = t.has(error.key) ? t.t(error.key, error.args) : (error.message ?? error.key)
    toast(words, this.clauses.link(error.clause))
  }

  /** Something that isn't an answer. @param {string} path @param {any} [body] */
  async act(path, body) {
    try {
      await this.api.post(path, body)
    } catch (error) {
      this.refused(error)
    }
    if (!this.sync.socket?.open) await this.sync.catchUp()
  }

  /** @param {number} to */
  takeBack(to) {
    return this.act('/take-back', { to })
  }

  /** @param {boolean} on */
  onOnline(on) {
    const bar = byId('offline')
    bar.hidden = on
    bar.textContent = on ? '' : this.texts.t('game.offline_banner')
  }

  /** @param {any} odds @param {boolean} whatIf */
  showOdds(odds, whatIf) {
    const pane = byId('pane-odds')
    fill(pane, odds ? oddsPanel(this.ctx, odds, { whatIf, onclose: whatIf ? undefined : () => this.showOdds(null, false) }) : null)
    if (odds) delete pane.dataset.off
    else pane.dataset.off = 'off'
    if (odds && narrow()) this.tabs.open('odds')
    else this.tabs.draw()
  }

  toggleText() {
    this.reading = !this.reading
    byId('textview').hidden = !this.reading
    byId('board').classList.toggle('covered', this.reading)
    this.redraw()
  }

  /** The seats this page plays now. @returns {string[]} */
  get mine() {
    return this.seat ? [this.seat] : (this.store.card ?? this.parts.card).your_seats
  }

  get plays() {
    return this.parts.card.your_seats.length > 0
  }

  /** @param {boolean} running another film than the live game */
  onFilm(running) {
    this.stage.held = running
    byId('prompt').hidden = running
    if (running) byId('tray').hidden = true
    else {
      this.stage.show(this.store.fragments)
      this.plan.forget()
      this.redraw()
    }
  }

  /** Both seats at one screen: whoever is asked gets the page, behind a curtain. @returns {boolean} whether the page is being handed over */
  mustHandOver() {
    const { request, card } = this.store
    const mine = card?.your_seats ?? []
    if (!this.seat || mine.length < 2 || !request || request.mine) return false
    const next = request.together ? mine.find((/** @type {string} */ s) => !(request.has_answered ?? []).includes(s)) : request.seat
    if (!next || next === this.seat || !mine.includes(next)) return false
    this.stage.held = true
    curtain(this.ctx, next, { go: () => this.changeSeat(next), open: () => this.changeSeat(null) })
    return true
  }

  /** @param {string | null} seat null = both, with open hands */
  async changeSeat(seat) {
    openHands(this.parts.game, seat === null)
    this.sync.stop()
    this.seat = seat
    this.api.seat = seat
    this.recap.reset()
    this.stage.held = false
    this.store.entries.clear()
    this.showOdds(null, false)
    this.sync = this.makeSync()
    await this.sync.start()
    this.recap.offer()
  }
}

/** A key no other click has. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')
}
