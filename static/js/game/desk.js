// @ts-check
// The panels beside the map and the menu, wired to one game.
import { GameApi } from './api.js'
import { byId } from './dom.js'
import { Log } from './log.js'
import { Tabs, ask, nextTheme, showKeys } from './menu.js'
import { undoTo } from './undo.js'
import { hasPartner } from './sides.js'
import { byItself } from './visit.js'

/** @typedef {import('./ctrl.js').Game} Game */

/** What happened, newest first. @param {Game} game */
export function makeLog(game) {
  const { ctx } = game
  return new Log(ctx, byId('pane-log'), {
    mySides: () => game.sides,
    onodds: (odds) => game.showOdds(odds, false),
    onentry: (_entry, step) => {
      if (step.data?.path) game.board.setLastMoves([{ path: step.data.path }])
    },
    takeBack: (entry) => undoTo(ctx, entry, (to) => game.takeBack(to)),
    linkTo: (seq) => `/games/${game.parts.game}/replay#seq=${seq}`,
  })
}

/** Talk between the players. @param {Game} game */
export async function makeChat(game) {
  const { Chat } = await import('./chat.js')
  const chat = new Chat(game.ctx, byId('pane-chat'), {
    send: (text, to) => game.api.post('/chat', { text, to }),
    side: hasPartner(game.parts.first.card) ? game.sides[0] : null,
    mayWrite: game.plays,
    page: `/games/${game.parts.game}/chat`,
    onunread: (n) => {
      game.tabs.marks.chat = n
      game.tabs.draw()
    },
    onread: () => void (game.plays && game.api.post('/chat/read', {}, 'PUT').catch(() => undefined)),
  })
  if (game.tabs.now === 'chat') chat.show(true)
  return chat
}

/** Who plays here and has an account. @param {Game} game */
const known = (game) => game.plays && !byId('main').dataset.guest

/** All panels; those not for this reader are off. @param {Game} game */
export function makeTabs(game) {
  const names = ['odds', 'board', 'log', 'chat', 'cards', 'forces', 'tables', 'charts', 'notes', 'about']
  const there = names.filter((n) => document.getElementById(`pane-${n}`))
  const panes = Object.fromEntries(there.map((n) => [n, byId(`pane-${n}`)]))
  panes.odds.dataset.off = panes.cards.dataset.off = 'off'
  if (!game.plays) panes.notes.dataset.off = 'off'
  if (!known(game)) panes.chat.dataset.off = 'off'
  return new Tabs(
    byId('tabs'),
    panes,
    (name) => game.texts.t(`game.tab.${name}`),
    (name) => {
      game.chat?.then((chat) => chat.show(name === 'chat'))
      if (game.tabs) game.drawPanes()
      if (name === 'notes' && !panes.notes.firstChild) openNotes(game, panes.notes).catch(() => undefined)
    },
  )
}

/** @param {Game} game @param {HTMLElement} pane */
async function openNotes(game, pane) {
  const { openNotes } = await import('./chat.js')
  if (!pane.firstChild) await openNotes(game.ctx, pane, game.api)
}

/** What the menu offers now. @param {Game} game */
export function menuItems(game) {
  const { card } = game.store,
    live = Boolean(game.store.request) && game.plays,
    own = known(game)
  const base = `/games/${game.parts.game}`
  return [
    { key: 'of_map', items: [
      { key: 'find', act: () => game.aids.openFind() },
      { key: 'fight', act: () => game.aids.lastFight() },
      ...(game.plays ? [{ key: 'sketch', act: () => game.aids.openSketch() }] : []),
      { key: 'text', act: () => game.toggleText() },
      { key: 'picture', act: () => picture(game) },
      { key: 'print', act: () => print() },
      { key: 'counters', href: `/titles/${byId('main').dataset.title}/counters` },
    ] },
    { key: 'of_game', items: [
      { key: 'rules', href: `/titles/${byId('main').dataset.title}/rules` },
      ...(live && game.store.request?.mine && againstBots(card) ? [{ key: 'hint', act: () => hint(game) }] : []),
      ...(live && own ? [{ key: 'orders', href: `${base}/orders` }] : []),
      ...(card?.pace || own ? [{ key: 'clocks', href: `${base}/clock` }] : []),
      ...(live && own && card?.state === 'active' && card.what_if ? [{ key: 'what_if', act: () => tryIt(game) }] : []),
      ...(card?.state === 'finished' ? [{ key: 'try_here', act: () => tryIt(game) }] : []),
      { key: 'replay', href: `${base}/replay` },
      ...(own ? [{ key: 'audit', href: `${base}/audit` }] : []),
      { key: 'export', href: game.api.url('/export') },
    ] },
    { key: 'of_page', items: [
      { key: 'theme', act: () => nextTheme() },
      ...(game.sound ? [{ key: game.sound.on ? 'sound_off' : 'sound_on', act: () => game.sound?.turn() }] : []),
      { key: byItself() ? 'wait_on' : 'wait_off', act: () => byItself(!byItself()) },
      { key: 'keys', act: () => showKeys(game.ctx) },
      { key: 'settings', href: '/account' },
      { key: 'lobby', href: '/' },
    ] },
    { key: 'of_end', items: [
      ...(live && own && !card?.draw ? [{ key: 'draw', act: () => ask(game.ctx, 'draw', () => game.act('/draw', { offer: true })) }] : []),
      ...(live ? [{ key: 'resign', danger: true, act: () => ask(game.ctx, 'resign', () => game.act('/resign', {})) }] : []),
    ] },
  ]
}

/** Whether nobody but the computer plays against this reader. @param {any} card */
const againstBots = (card) => Object.keys(card?.seats ?? {}).every((seat) => card.seats[seat].bot || card.your_seats.includes(seat)) && Object.values(card?.seats ?? {}).some((who) => who.bot)

/** What the computer would do here. @param {Game} game */
async function hint(game) {
  const { showHints } = await import('./hints.js')
  await showHints(game)
}

/** A board of the game as it stands. @param {Game} game */
async function tryIt(game) {
  const { whatIf } = await import('./what_if.js')
  await whatIf(game.parts.game, game.seat).catch((error) => game.refused(error))
}

/** @param {Game} game */
async function picture(game) {
  const { offerPicture } = await import('./picture.js')
  const { game: id, texts } = game.parts
  const theme = document.documentElement.dataset.theme ?? 'light'
  const url = new GameApi(id, game.seat).at(`/games/${id}/still.svg`, { theme })
  offerPicture(game.ctx, { url, name: texts.t('game.picture.name', { game: id, seq: String(game.store.seq) }) })
}
