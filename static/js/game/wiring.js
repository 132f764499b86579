// @ts-check
// The wiring of the page of a game: what hears what. What is done then is in ctrl.js.
import { counterSvg } from '../board/api.js'
import { byId } from './dom.js'
import { listenKeys } from './keys.js'
import { showKeys, toast } from './menu.js'
import { Sync } from './sync.js'

/** @typedef {import('./ctrl.js').Game} Game */

/** What tools and panels may use of the page. @param {Game} game @returns {import('./decision.js').Ctx} */
export function ctxOf(game) {
  const { texts, units, board, places, title } = game.parts
  return {
    texts,
    units,
    lost: title.lost,
    board,
    store: game.store,
    around: (loc) => places.around(loc),
    mini: (step, opts = {}) => {
      const [unit, further] = step.split('/')
      const badges = opts.badges ?? (further ? ['reduced'] : game.store.badges(unit).filter((b) => b === 'reduced'))
      return counterSvg(unit, { ...opts, badges })
    },
    clause: (id) => game.clauses.link(id),
    reach: (question) => game.latest('reach', () => game.sync.ask('reach', question)),
    survey: (question) => game.sync.ask('reach', question),
    preview: (answer) => game.latest('preview', () => game.sync.ask('preview', { answer })),
    keep: (answer) => {
      if (answer === null) game.api.post('/draft', undefined, 'DELETE').catch(() => undefined)
    },
    submit: (answer) => game.submit(answer),
    confirm: (option, answer) => game.decision.confirm(option, answer),
    redraw: () => game.redraw(),
    closeTool: () => game.decision.close(),
    focus: (loc) => board.focus(loc),
    look: (loc) => game.decision.look(loc),
    showDraft: (planned) => game.plan.show(planned),
    showOdds: (odds) => game.showOdds(odds, true),
    say: (message) => toast(texts.say(message), game.clauses.link(message.clause)),
    toast: (text) => toast(text),
    get turn() {
      return game.turn
    },
  }
}

/** What the server tells, and who hears it. @param {Game} game */
export function syncOf(game) {
  return new Sync(game.store, game.api, {
    onview: (kept) => game.onView(kept),
    ontold: (steps) => game.onTold(steps),
    ontakenback: (to) => game.redo.tookBack(to),
    onlog: () => {
      game.log.draw()
      game.decision.drawBar()
    },
    oncard: () => game.onCard(),
    onchat: (message) => game.chat?.then((chat) => chat.hear(message)),
    onrefused: (error) => game.refused(error),
    online: (on) => game.onOnline(on),
  })
}

/** Map, keys and page: what is done with them. @param {Game} game */
export function wire(game) {
  const { board } = game
  board.on('tap', ({ loc }) => {
    if (game.aids.drawing) game.aids.sketch?.tap(loc)
    else game.tap(loc)
  })
  board.on('longpress', ({ loc }) => {
    if (game.recap.film) game.recap.film.look(loc)
    else if (loc) game.decision.look(loc)
  })
  board.on('drop', ({ from, loc }) => {
    if (from && loc && !game.recap.film) game.decision.drop(from, loc)
  })
  board.on('key', ({ key, event }) => {
    if (key === 'Tab' && !game.recap.film && game.aids.nextStack(event?.shiftKey ? -1 : 1)) event?.preventDefault()
  })
  byId('find').addEventListener('click', () => game.aids.openFind())
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) game.recap.offer()
  })
  listenKeys(board, {
    escape: () => {
      if (game.aids.drawing) game.aids.sketch?.back()
      else if (game.recap.film) game.recap.film.glance.open(null)
      else if (!game.decision.back()) game.showOdds(null, false)
    },
    go: () => (game.recap.film ? game.recap.film.toggle() : game.decision.go()),
    undo: () => {
      const free = game.recap.film ? null : game.store.takeBack?.free
      if (free !== null && free !== undefined) game.takeBack(free)
    },
    redo: () => {
      if (!game.recap.film) game.again()
    },
    letters: {
      t: () => game.toggleText(),
      f: () => game.aids.openFind(),
      l: () => game.aids.lastFight(),
      n: () => game.turn?.walk(1),
      d: () => game.aids.openSketch(),
      b: () => /** @type {HTMLElement | null} */ (byId('prompt').querySelector('.bend'))?.click(),
      ',': () => game.recap.film?.step(-1),
      '.': () => game.recap.film?.step(),
      '?': () => showKeys(game.ctx, game.recap.film?.keys),
    },
  })
}
