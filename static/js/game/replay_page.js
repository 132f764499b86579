// @ts-check
// A whole game, step by step, from its record: any moment has its own address (`#seq=N`).
import { counterSvg } from '../board/api.js'
import { GameApi } from './api.js'
import { Clauses } from './clause.js'
import { button, byId, fill } from './dom.js'
import { Film, framesOf } from './film.js'
import { Header } from './header.js'
import { listenKeys } from './keys.js'
import { Log, placeOf } from './log.js'
import { Tabs, menu, nextTheme, showKeys, themeButton, toast } from './menu.js'
import { oddsPanel } from './odds.js'
import { drawAbout, drawForces, drawTables } from './panels.js'
import { Peek } from './peek.js'
import { Player } from './replay.js'
import { Stage } from './stage.js'
import { Store } from './store.js'
import { sidesOf } from './sides.js'
import { drawTable } from './table.js'

/** @param {string} hash */
const seqOf = (hash) => {
  const found = /(?:^#|&)seq=(\d+)/.exec(hash)
  return found ? Number(found[1]) : null
}

export class ReplayPage {
  /** @param {import('./ctrl.js').Parts} parts */
  constructor(parts) {
    const { texts, units, board, places } = parts
    this.parts = parts
    this.store = new Store()
    this.api = new GameApi(parts.game, parts.card.your_seats.length > 1 ? null : parts.seat)
    const clauses = new Clauses(texts, parts.title.id)
    const nothing = () => undefined
    /** @type {import('./decision.js').Ctx} */
    this.ctx = {
      texts,
      units,
      lost: parts.title.lost,
      board,
      store: this.store,
      around: (loc) => places.around(loc),
      mini: counterSvg,
      clause: (id) => clauses.link(id),
      reach: async () => null,
      survey: async () => null,
      preview: async () => null,
      keep: nothing,
      submit: nothing,
      confirm: nothing,
      redraw: nothing,
      look: nothing,
      closeTool: nothing,
      showDraft: nothing,
      focus: (loc) => board.focus(loc),
      showOdds: (odds) => this.showOdds(odds),
      say: (message) => toast(texts.say(message)),
      toast: (text) => toast(text),
    }
    this.header = new Header(this.ctx, { game: byId('game'), track: byId('track'), players: byId('players') }, parts.seats)
    const stage = new Stage(board)
    this.player = new Player(this.ctx, byId('player'), {
      stage: {
        show: (f) => {
          this.store.fragments = f
          stage.show(f)
        },
        act: (step) => stage.act(step),
      },
      onend: nothing,
      onmove: (seq) => this.arrived(seq),
      ontable: (past) => drawTable(past, sidesOf(parts.card, parts.card.your_seats), this.tabs),
      closable: false,
      extra: () => [
        button(texts.t('game.replay.link'), () => this.copyLink(), { key: 'link', class: 'quiet' }),
        button(texts.t('game.replay.picture'), () => this.picture(), { key: 'picture', class: 'quiet' }),
      ],
    })
    this.log = new Log(this.ctx, byId('pane-log'), {
      mySides: () => sidesOf(parts.card, parts.card.your_seats),
      onodds: (odds) => this.showOdds(odds),
      onentry: (entry) => this.goTo(entry.seq),
      takeBack: () => null,
      linkTo: (seq) => `#seq=${seq}`,
    })
    const panes = Object.fromEntries(['odds', 'log', 'cards', 'forces', 'tables', 'charts', 'about'].map((n) => [n, byId(`pane-${n}`)]))
    panes.odds.dataset.off = panes.cards.dataset.off = 'off'
    this.tabs = new Tabs(
      byId('tabs'),
      panes,
      (name) => texts.t(`game.tab.${name}`),
      (name) => name === 'charts' && this.drawCharts(),
    )
    this.tabs.open('log')
    themeButton(byId('theme'), texts)
    menu(this.ctx, byId('menu'), {
      items: () => [
        { key: 'of_game', items: [
          { key: 'game', href: `/games/${parts.game}` },
          ...(parts.card.state === 'finished' ? [{ key: 'try_here', act: () => this.tryHere() }] : []),
          { key: 'picture', act: () => this.picture() },
          { key: 'print', act: () => print() },
          { key: 'export', href: this.api.url('/export') },
        ] },
        { key: 'of_page', items: [
          { key: 'theme', act: () => nextTheme() },
          { key: 'keys', act: () => showKeys(this.ctx, this.player.keys) },
          { key: 'lobby', href: '/' },
        ] },
      ],
    })
  }

  async start() {
    this.store.card = this.parts.card
    await this.api.record(0, (entries) => {
      this.store.addEntries(entries)
    })
    this.film = new Film(framesOf(this.store.log()))
    this.log.draw()
    const seq = seqOf(location.hash)
    this.player.open(this.film, seq === null ? 0 : this.film.upTo(seq))
    this.look()
    addEventListener('hashchange', () => {
      const to = seqOf(location.hash)
      if (to !== null && to !== this.player.frame()?.entry.seq) this.goTo(to)
    })
    const { player } = this,
      idle = () => undefined
    const { board } = this.parts
    for (const name of ['tap', 'longpress']) board.on(name, ({ loc }) => player.look(loc))
    new Peek(() => this.ctx, byId('map'), () => player.glance.at !== null)
    listenKeys(board, {
      escape: () => (player.glance.at ? player.glance.open(null) : this.showOdds(null)),
      go: () => player.toggle(),
      undo: idle,
      redo: idle,
      letters: {
        '.': () => player.step(),
        ',': () => player.step(-1),
        '?': () => showKeys(this.ctx, player.keys),
      },
    })
  }

  async drawCharts() {
    const { drawCharts } = await import('./charts.js')
    drawCharts(this.ctx, byId('pane-charts'), this.store.log(), this.parts.sides)
  }

  /** The moment as a still picture. */
  /** A board of this moment. */
  async tryHere() {
    const { whatIf } = await import('./what_if.js')
    await whatIf(this.parts.game, null, this.player.frame()?.entry.seq ?? 1).catch((error) => toast(error.message))
  }

  async picture() {
    const { offerPicture } = await import('./picture.js')
    const seq = this.player.frame()?.entry.seq ?? 1,
      { game, texts } = this.parts
    const url = this.api.at(`/games/${game}/still.svg`, { seq, theme: document.documentElement.dataset.theme ?? 'light' })
    offerPicture(this.ctx, { url, name: texts.t('game.picture.name', { game, seq: String(seq) }) })
  }

  /** The address of the moment, to be sent to somebody. */
  async copyLink() {
    const t = this.parts.texts
    try {
      await navigator.clipboard.writeText(location.href)
      toast(t.t('game.replay.copied'))
    } catch {
      toast(location.href)
    }
  }

  /** @param {number} seq */
  goTo(seq) {
    if (!this.film) return
    this.player.pause()
    this.player.goTo(this.film.upTo(seq))
    this.look()
  }

  /** Bring the place of the moment into the middle. */
  look() {
    const frame = this.player.frame(),
      at = frame && placeOf(frame.step)
    if (at) this.ctx.focus(at)
  }

  /** @param {number} seq */
  arrived(seq) {
    this.store.fragments = this.film?.at(this.player.n) ?? {}
    history.replaceState(null, '', `#seq=${seq}`)
    const step = this.player.frame()?.step
    this.showOdds(step?.data?.odds ? { rolled: step.data.roll, ...step.data.odds } : null)
    this.header.draw()
    drawForces(this.ctx, byId('pane-forces'))
    this.drawTables()
    drawAbout(this.ctx, byId('pane-about'), this.parts.title)
    for (const line of document.querySelectorAll('#pane-log .entry'))
      line.classList.toggle('at', /** @type {HTMLElement} */ (line).dataset.seq === String(seq))
  }

  drawTables() {
    drawTables(this.ctx, byId('pane-tables'), this).catch(() => null)
  }

  /** @param {any} odds */
  showOdds(odds) {
    this.odds = odds
    const pane = byId('pane-odds')
    fill(pane, odds ? oddsPanel(this.ctx, odds, { whatIf: false }) : null)
    if (odds) delete pane.dataset.off
    else pane.dataset.off = 'off'
    this.tabs.draw()
  }
}
