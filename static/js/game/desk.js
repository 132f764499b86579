// @ts-check
// The panels beside the map and the menu, wired to one game.
import { Chat, openNotes } from './chat.js'
import { byId } from './dom.js'
import { Log } from './log.js'
import { Tabs, ask, showKeys } from './menu.js'
import { undoTo } from './undo.js'

/** @typedef {import('./ctrl.js').Game} Game */

/** What happened, newest first. @param {Game} game */
export function makeLog(game) {
  const { ctx } = game
  return new Log(ctx, byId('pane-log'), {
    mySeats: () => game.mine,
    onodds: (odds) => game.showOdds(odds, false),
    onentry: (_entry, step) => {
      if (step.data?.path) game.board.setLastMoves([{ path: step.data.path }])
    },
    takeBack: (entry) => undoTo(ctx, entry, (to) => game.takeBack(to)),
    linkTo: (seq) => `/games/${game.parts.game}/replay#seq=${seq}`,
  })
}

/** Talk between the players. @param {Game} game */
export function makeChat(game) {
  return new Chat(game.ctx, byId('pane-chat'), {
    send: (text) => game.api.post('/chat', { text }),
    mayWrite: game.plays,
    onunread: (n) => {
      game.tabs.marks.chat = n
      game.tabs.draw()
    },
  })
}

/** All panels; those not for this reader are off. @param {Game} game */
export function makeTabs(game) {
  const panes = Object.fromEntries(['odds', 'log', 'chat', 'forces', 'tables', 'notes', 'about'].map((n) => [n, byId(`pane-${n}`)]))
  panes.odds.dataset.off = 'off'
  if (!game.plays) panes.notes.dataset.off = panes.chat.dataset.off = 'off'
  return new Tabs(
    byId('tabs'),
    panes,
    (name) => game.texts.t(`game.tab.${name}`),
    (name) => {
      game.chat.show(name === 'chat')
      if (name === 'notes' && !panes.notes.firstChild) openNotes(game.ctx, panes.notes, game.api).catch(() => undefined)
    },
  )
}

/** What the menu offers now. @param {Game} game */
export function menuItems(game) {
  const { card } = game.store,
    live = Boolean(game.store.request) && game.plays
  const base = `/games/${game.parts.game}`
  return [
    { key: 'text', act: () => game.toggleText() },
    { key: 'keys', act: () => showKeys(game.ctx) },
    { key: 'replay', href: `${base}/replay` },
    { key: 'export', href: game.api.url('/export') },
    ...(live && !card?.draw ? [{ key: 'draw', act: () => ask(game.ctx, 'draw', () => game.act('/draw', { offer: true })) }] : []),
    ...(live ? [{ key: 'resign', danger: true, act: () => ask(game.ctx, 'resign', () => game.act('/resign', {})) }] : []),
    { key: 'settings', href: '/account' },
    { key: 'lobby', href: '/' },
  ]
}
