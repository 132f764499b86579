// @ts-check
// One game on one page: what is done when something is told, tapped or pressed. What hears what is in wiring.js.
import { Aids } from './aids.js'
import { GameApi, Unreachable } from './api.js'
import { Clauses } from './clause.js'
import { Decision } from './decision.js'
import { makeChat, makeLog, makeTabs, menuItems } from './desk.js'
import { button, byId, fill } from './dom.js'
import { opening } from './entry.js'
import { Header } from './header.js'
import { menu, themeButton, toast } from './menu.js'
import { Plan, narrow } from './plan.js'
import { Recap } from './recap.js'
import { Redo } from './redo.js'
import { Stage } from './stage.js'
import { Store } from './store.js'
import { sidesOf } from './sides.js'
import { drawTable } from './table.js'
import { loadTools } from './tools.js'
import { nobodyToAsk, undoButton } from './undo.js'
import { byItself } from './visit.js'
import { ctxOf, syncOf, wire } from './wiring.js'

const AFAR = 0.25 // zoom: farther off places to choose from are not shown together

/** @typedef {{game: string, seat: string | null, seats: string[], sides: string[], title: any, card: any, first: any, units: Record<string, any>, board: import('./decision.js').Board, places: import('../board/api.js').Places, texts: import('./texts.js').Texts, mode: string}} Parts */

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
    this.clauses = new Clauses(parts.texts, parts.title.id)
    this.asked = { reach: 0, preview: 0, odds: 0 }
    this.rolled = false
    /** @type {any} what the odds panel shows */
    this.odds = null
    /** @type {{text: string, seq: number, key: string} | null} an answer that may not have arrived */
    this.unsent = null
    this.plan = new Plan(this.store, parts.board)
    this.reading = false
    this.looked = false
    this.sealing = false
    /** @type {string | null} the hash of the dice's seed that this browser saw, when the server shows another */
    this.exchanged = null
    this.ctx = ctxOf(this)
    this.decision = new Decision(this.ctx, {
      bar: byId('prompt'),
      tray: byId('tray'),
      takeBack: () => [undoButton(this.ctx, (to) => this.takeBack(to)), this.redoButton()],
      withdraw: () => this.withdrawButton(),
    })
    this.header = new Header(this.ctx, { game: byId('game'), track: byId('track'), players: byId('players') }, parts.seats)
    this.recap = new Recap(this.ctx, byId('player'), byId('since'), {
      game: parts.game,
      seat: () => this.seat,
      sides: () => this.sides,
      stage: this.stage,
      onfilm: (running) => this.onFilm(running),
      ontable: (past) => drawTable(past, this.sides, this.tabs),
    })
    this.log = makeLog(this)
    /** @type {Promise<import('./chat.js').Chat> | null} once the first view is there */
    this.chat = null
    addEventListener('shown', () => (this.chat = makeChat(this)), { once: true })
    this.tabs = makeTabs(this)
    this.tabs.open('log')
    themeButton(byId('theme'), parts.texts)
    menu(this.ctx, byId('menu'), { items: () => menuItems(this) })
    this.sync = syncOf(this)
    this.aids = new Aids(this)
    this.redo = new Redo()
    /** @type {import('./seats.js').Seats | null} where two play at one screen */
    this.seats = null
    /** @type {import('./sound.js').Sound | null} */
    this.sound = null
    /** @type {import('./turn.js').Turn | null} */
    this.turn = null
    wire(this)
  }

  /** The first view is drawn when this is done; what was before comes after it. */
  async start() {
    if (sidesOf(this.parts.first.card, this.parts.first.card.your_seats).length > 1) this.seats = new (await import('./seats.js')).Seats(this)
    if (this.seats?.otherSits()) return
    await loadTools(this.parts.first.request)
    this.sync.start(this.parts.first)
    setTimeout(() => this.past().catch((error) => this.refused(error)))
  }

  async past() {
    if (this.plays) this.turn = new (await import('./turn.js')).Turn(this)
    this.sealDice()
    this.sound = new (await import('./sound.js')).Sound(this.store, this.parts.title.lost)
    const chat = await this.chat
    const [said] = await Promise.all([this.plays ? this.api.get('/chat') : { messages: [] }, this.sync.past()])
    chat?.set(said.messages)
    this.drawOffers()
    this.drawPanes() // the dice of a battle are in the record
    this.recap.offer()
    ;(await import('./fights.js')).lookAtFight(this)
    await this.aids.load()
  }

  redoButton() {
    const t = this.texts
    return this.redo.next && this.store.request?.mine
      ? button(t.t('game.redo'), () => this.again(), { class: 'quiet', key: 'redo', title: t.t('game.redo.what') })
      : null
  }

  /** Give once more what was taken back. */
  again() {
    const answer = this.redo.next
    if (!answer) return toast(this.texts.t('game.redo.none'))
    if (this.store.request?.mine && !this.decision.busy) this.submit(answer, true)
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

  /** The tools of the question; another one may be asked while they come. */
  async loadTools() {
    const { request } = this.store
    await loadTools(request)
    if (request !== this.store.request) await this.loadTools()
  }

  /** @param {any} [kept] an unfinished answer, if it came with the view */
  async onView(kept) {
    const { store } = this
    if (!this.stage.held) this.stage.show(store.fragments)
    this.plan.forget()
    this.sound?.tell(store.request)
    if (this.seats?.mustHandOver()) return
    if (!this.decision.keep(store.request)) {
      this.decision.busy = true
      if (kept === undefined && store.request?.mine) kept = (await this.api.get('/draft').catch(() => null))?.draft
      await this.loadTools()
      if (!this.decision.keep(store.request)) this.decision.set(store.request, kept) // it may have gone back to what it was
    }
    this.lookFirst()
    if (store.fragments.battle) this.showOdds(store.fragments.battle, false)
    this.drawAll()
  }

  /** At first the map shows where something is to be done, near enough to read. */
  lookFirst() {
    if (this.looked) return
    const at = this.begins()
    this.looked = Boolean(at)
    if (at) this.board.focus(at, { zoom: narrow() ? 0.92 : 1.2, slowly: false })
    if (at && !this.decision.mapTools.length) this.lookThere()
  }

  /** Whether a battle on a board is over, which its players are to see. @param {any[]} steps */
  endsBattle(steps) {
    const board = !byId('battle').hidden || steps.some((s) => s.fragments?.battle?.board)
    return board && steps.some((s) => s.fragments?.battle === null) && !document.hidden && !this.reading && !this.recap.film && !byItself()
  }

  /** A question begins where it can be answered: with nothing of it in sight the map goes there. */
  lookThere() {
    const { board, decision, store } = this
    if (store.request?.mine) decision.lookAbout()
    const open = decision.tools.filter((tool) => tool === decision.active || tool.choice).flatMap((tool) => tool.places())
    if (!store.request?.mine || !open.length || open.some((loc) => board.seen(loc))) return
    const at = decision.mapTools.length || store.fragments.battle?.board ? this.begins() : null
    if (at) board.focus(at, { zoom: board.zoom })
    else if (!board.frame(open, AFAR)) board.show(open[0]) // only places to choose from
  }

  /** Where the question begins. */
  begins() {
    return opening(this.ctx, this.decision.tools)
  }

  /** @param {any[]} steps */
  async onTold(steps) {
    const { store } = this
    const watch = this.endsBattle(steps) ? import('./watch.js') : null
    if (watch) this.decision.held = { title: this.texts.t('game.watch.fight'), acts: [], go: () => undefined }
    this.stage.play(steps, watch ? async (step) => (await watch).before(step) : undefined)
    watch?.then(({ begin }) => begin(this, steps))
    this.sound?.tell(store.request, steps)
    const theirs = steps.filter((s) => s.data?.path && !this.sides.includes(s.side))
    if (theirs.length && !this.recap.film) this.board.setLastMoves(theirs.map((s) => ({ path: s.data.path })))
    const fought = steps.findLast((s) => s.data?.odds)
    const drawn = steps.filter((s) => s.event === 'card_drawn' && s.data.card)
    if (drawn.length) toast(this.texts.t('game.cards.drawn', { cards: drawn.map((s) => s.data.title) }), button(this.texts.t('game.cards.show'), () => this.tabs.open('cards'), { class: 'small' }))
    if (this.seats?.mustHandOver()) return
    await this.loadTools()
    if (!this.decision.keep(store.request)) {
      this.decision.set(store.request)
      this.lookFirst()
      this.stage.tail.then(() => this.lookThere())
      if (!fought && this.rolled && steps.some((s) => s.fragments?.turn)) this.rolled = false // of a phase that is over
      if (!fought && (store.fragments.battle || !this.rolled)) this.showOdds(store.fragments.battle ?? null, false)
    }
    if (fought) this.showOdds({ rolled: fought.data.roll, ...fought.data.odds }, false)
    this.log.draw()
    this.recap.onTold()
    this.drawAll()
  }

  onCard() {
    const { store } = this
    if (this.turn || !store.card?.dice.complete) this.sealDice()
    this.drawAll()
  }

  /** This reader's part in the dice, done without asking; and whether the seed is still the one that was seen. */
  async sealDice() {
    const { card } = this.store
    if (this.sealing || !card || !this.plays) return
    this.sealing = true
    const { exchanged, payDice } = await import('./dice.js')
    await payDice(this.parts.game, card.your_seats, card.dice).catch(() => undefined)
    this.exchanged = exchanged(this.parts.game, card.your_seats, card.dice)
    this.sealing = false
    if (this.exchanged) this.drawOffers()
    else if (this.store.card !== card) this.sealDice() // another came meanwhile
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
    this.drawPanes()
    this.drawClocks()
    this.drawOffers()
    this.turn?.draw()
    this.redraw()
  }

  /** What one player asks of the other beside the game. */
  async drawOffers() {
    const waits = () => this.store.card?.take_back || this.store.card?.draw || this.exchanged
    const { offers, seedNotice } = waits() ? await import('./offers.js') : { offers: () => null, seedNotice: () => null },
      chat = waits() ? await this.chat : null
    const act = {
      reply: (/** @type {boolean} */ yes) => this.act('/take-back/reply', { yes }),
      draw: (/** @type {string} */ what) => this.act('/draw', { [what]: true }),
      said: (/** @type {number | undefined} */ id) => chat?.messages.find((one) => one.id === id)?.text,
    }
    const notice = this.exchanged ? seedNotice(this.ctx, this.exchanged, () => this.tabs.open('about')) : null
    byId('offers').dataset.question = JSON.stringify([this.store.card?.take_back, this.store.card?.draw])
    fill(byId('offers'), notice, waits() ? offers(this.ctx, act) : null)
  }

  /** Of a game that has them: in the head, with what is to be decided about them. */
  async drawClocks() {
    const { card } = this.store
    if (card?.state !== 'finished' && (card?.clock || card?.clock_offer)) (await import('./clock.js')).drawClocks(this)
  }

  /** The panel that is open, of those that are not seen at first. */
  async drawPanes() {
    if (['forces', 'tables', 'about'].includes(this.tabs.now)) {
      const { drawAbout, drawForces, drawTables } = await import('./panels.js')
      drawForces(this.ctx, byId('pane-forces'))
      drawTables(this.ctx, byId('pane-tables'), this).catch(() => null)
      drawAbout(this.ctx, byId('pane-about'), this.parts.title)
    }
    if (this.tabs.now === 'charts') {
      const { drawCharts } = await import('./charts.js')
      drawCharts(this.ctx, byId('pane-charts'), this.store.log(), this.parts.sides)
    }
    if (!this.recap.film && !this.decision.held) await drawTable(this.ctx, this.sides, this.tabs)
  }

  /** @param {string | null} loc */
  tap(loc) {
    if (this.recap.film) this.recap.film.look(loc)
    else this.decision.tap(loc)
  }

  redraw() {
    if (!this.recap.film) this.decision.redraw()
    if (this.reading) this.drawText()
    if (this.tabs.now === 'tables') this.drawPanes()
  }

  async drawText() {
    const { drawTextView } = await import('./textview.js')
    drawTextView(this.ctx, byId('textview'), this.decision.marks, {
        tap: (loc) => this.tap(loc),
        seats: this.parts.sides,
        mine: this.sides,
      })
  }

  /** @param {any} answer @param {boolean} [again] after it was taken back */
  async submit(answer, again = false) {
    const { request } = this.store
    if (!request) return
    const { seq } = request,
      text = JSON.stringify(answer)
    const same = this.unsent?.text === text && this.unsent.seq === seq
    const key = same ? /** @type {any} */ (this.unsent).key : newKey()
    this.unsent = { text, seq, key }
    this.decision.busy = true
    this.recap.gives()
    if (this.rolled && !this.decision.tools.some((tool) => tool.fights)) this.showOdds(null, false)
    this.redraw()
    try {
      const entry = await this.sync.answer(seq, key, answer)
      this.unsent = null
      if (again) this.redo.undone.pop()
      this.redo.gave(entry, answer, again, !!this.store.entries.get(entry)?.retracted)
      this.redraw()
    } catch (error) {
      this.decision.busy = false
      if (again) this.redo.clear()
      this.refused(error)
      this.redraw()
    }
  }

  /** @param {any} error */
  refused(error) {
    const t = this.texts
    if (error instanceof Unreachable) return toast(t.t('game.error.unreachable'))
    if (error?.status === 409) {
      this.unsent = null
      if (error.body?.view) this.sync.takeView(error.body)
      else if (error.key !== 'games.stale') this.sync.catchUp() // over the live connection the view follows by itself
      return toast(t.t('game.error.stale'))
    }
    if (!error?.key) return toast(t.t('game.error.unknown'))
    toast(this.inWords(error), this.clauses.link(error.clause))
  }

  /** @param {any} error */
  inWords({ key, args, message }) {
    return this.texts.has(key) ? this.texts.t(key, args) : (message ?? key)
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

  /** Back to an entry; where others have to agree they are asked, with a word to go with it. @param {number} to */
  async takeBack(to) {
    const { takeBack: offer, card } = this.store
    if (offer?.consent.includes(to) && !nobodyToAsk(card)) return (await import('./offers.js')).askBack(this.ctx, to, (word) => this.askBack(to, word))
    return this.act('/take-back', { to })
  }

  /** The word that goes with it is a message of the chat. @param {number} to @param {string} word */
  async askBack(to, word) {
    const message = word ? (await this.api.post('/chat', { text: word, to: 'all' }).catch((error) => this.refused(error)))?.id : undefined
    return this.act('/take-back', { to, message })
  }

  /** @param {boolean} on */
  onOnline(on) {
    const bar = byId('offline')
    bar.hidden = on
    bar.textContent = on ? '' : this.texts.t('game.offline_banner')
  }

  /** @param {any} odds @param {boolean} whatIf @param {{head?: any, foot?: any}} [more] of a panel */
  async showOdds(odds, whatIf, more) {
    const pane = byId('pane-odds'),
      turn = ++this.asked.odds
    if (odds?.board) odds = null
    this.odds = odds
    this.rolled = odds?.rolled !== undefined // to be read until it is put away
    const none = { oddsPanel: () => null } // also when the line is lost before the panel's code is here
    const { oddsPanel } = odds ? await import('./odds.js').catch(() => none) : none
    if (turn !== this.asked.odds) return
    fill(pane, odds ? oddsPanel(this.ctx, odds, { whatIf, onclose: whatIf ? undefined : () => this.showOdds(null, false), ...more }) : null)
    if (odds) delete pane.dataset.off
    else pane.dataset.off = 'off'
    if (odds && narrow()) this.tabs.open('odds')
    else this.tabs.draw()
    if (this.tabs.now === 'tables') this.drawPanes()
  }

  toggleText() {
    this.reading = !this.reading
    byId('textview').hidden = !this.reading
    byId('board').classList.toggle('covered', this.reading)
    this.redraw()
    if (this.reading) return byId('textview').focus()
    const { at } = byId('tray').dataset
    if (at && !byId('tray').hidden) {
      this.board.focus(at, { slowly: false })
      this.decision.active?.lookAround(at)
    }
    this.board.enter()
  }

  /** What the map shows: the game as it is, or as the film has it. */
  get shown() {
    return this.recap.film?.moment ?? this.ctx
  }

  /** The seats this page plays now. @returns {string[]} */
  get mine() {
    return this.seat ? [this.seat] : (this.store.card ?? this.parts.card).your_seats
  }

  /** The sides of these seats. @returns {string[]} */
  get sides() {
    return sidesOf(this.store.card ?? this.parts.card, this.mine)
  }

  /** Whether this reader acts here: an admin who looks on as a player does not. */
  get plays() {
    return !byId('main').dataset.support && this.parts.card.your_seats.length > 0
  }

  /** @param {boolean} running another film than the live game */
  onFilm(running) {
    this.stage.held = running
    this.decision.held?.go()
    byId('prompt').hidden = running
    if (running) this.decision.veil()
    else {
      this.stage.show(this.store.fragments)
      this.plan.forget()
      this.drawPanes()
      this.redraw()
      byId('prompt').focus()
    }
  }
}

/** A key no other click has. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')
}
