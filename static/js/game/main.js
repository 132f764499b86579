// @ts-check
// Starts the page: reads what the template says, fetches what the game needs, hands over to the controller.
import { createBoard } from '../board/api.js'
import { placesOf } from '../board/places.js'
import { GameApi, request } from './api.js'
import { byId, styled } from './dom.js'
import { narrow } from './plan.js'
import { Names, Texts } from './texts.js'
import { openHands } from './visit.js'
import { sidesOf } from './sides.js'

/** @param {string} url */
async function text(url) {
  const response = await fetch(url, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

/** What the server put into the page: the card, and at the table the view of the reader's seat. */
const inPage = () => JSON.parse(byId('first').textContent ?? '')

/** @typedef {{start: () => Promise<void>, aids?: {tell: (loc: string) => string}}} Page */

/** @param {string} mode @returns {Promise<new (parts: import('./ctrl.js').Parts) => Page>} */
const pageOf = async (mode) =>
  mode === 'replay'
    ? (await import('./replay_page.js')).ReplayPage
    : mode === 'try'
      ? (await import('./try_page.js')).TryPage
      : mode === 'lesson'
        ? (await import('./lesson_page.js')).LessonPage
        : (await import('./ctrl.js')).Game

/** How far the row of the question stands over the map's foot, for what lies there. @param {HTMLElement} main */
function stayClear(main) {
  const foot = /** @type {HTMLElement} */ (main.querySelector('.foot')),
    table = /** @type {HTMLElement} */ (main.querySelector('.table'))
  const over = () => Math.max(0, table.getBoundingClientRect().bottom - foot.getBoundingClientRect().top)
  new ResizeObserver(() => main.style.setProperty('--over', `${over()}px`)).observe(foot)
}

async function boot() {
  const { game = '', lang = 'en', mode = 'play', kit: kitUrl = '', map = '' } = byId('main').dataset
  const told = inPage(),
    { card } = told
  const alone = card.your_seats.length > 1 && sidesOf(card, card.your_seats).length === 1 // all seats of one side
  const open = mode === 'play' && !alone && card.your_seats.length > 1 && openHands(game)
  const [PageOfMode, first, { title, texts: catalogue, ...data }, mapSvgText] = await Promise.all([
    pageOf(mode),
    open ? new GameApi(game, null).get('/view') : told,
    request(kitUrl),
    text(map),
  ])
  const seat = open || alone || mode === 'try' || mode === 'lesson' ? null : (told.seat ?? card.your_seats[0] ?? null)
  const seats = Object.keys(card.seats)
  const sides = sidesOf(card, seats)
  const texts = new Texts(lang, catalogue, new Names(data.units, data.map, [...seats, ...sides]))
  const places = await placesOf(data.map, data.units)
  /** @type {Page | null} */
  let page = null
  const board = createBoard(byId('map'), {
    mapSvgText,
    symbolsSvgText: data.symbols,
    units: data.units,
    places,
    label: texts.t('game.map'),
    help: texts.t('game.map_help'),
    say: ({ key, args }) => texts.t(key, args),
    describe: (loc) => page?.aids?.tell(loc) ?? texts.place(loc),
    later: true,
    covers: () => ({
      fixed: document.querySelectorAll('.zoom, .minimap, .prompt, .player-bar'),
      passing: document.querySelectorAll('.battle-place'),
    }),
  })
  board.minimap(byId('minimap'))
  stayClear(byId('main'))
  const laid = board.on('layers', async () => {
    laid()
    const { layersMenu } = (await import('./layers.js').catch(() => null)) ?? {} // without a line there is no menu
    layersMenu?.(board, /** @type {HTMLElement} */ (byId('zoom-in').parentElement), texts)
  })
  for (const [id, act] of Object.entries({
    'zoom-in': () => board.zoomBy(1.25),
    'zoom-out': () => board.zoomBy(0.8),
    'zoom-fit': () => {
      if (narrow()) byId('main').dataset.sheet = 'low' // the whole sheet wants the room
      board.fit()
    },
  }))
    byId(id).addEventListener('click', act)
  for (const name of ['pointerdown', 'pointerup', 'pointerleave', 'pointercancel'])
    byId('bare').addEventListener(name, () => board.setBare(name === 'pointerdown'))
  page = new PageOfMode({ game, seat, seats, sides, title, card, first, units: data.units, board, places, texts, mode })
  await page.start()
  board.refit()
  byId('main').dataset.ready = 'yes'
  await null // who watches for that hears of it before anything more is fetched
  dispatchEvent(new Event('shown'))
  setTimeout(() => styled('later'))
  import('./press.js').then(({ keepPresses }) => keepPresses()).catch(() => null) // without a line a press may be lost
  if (narrow()) (await import('./sheet.js')).slideSheet()
}

boot().catch((error) => {
  byId('failed').hidden = false
  throw error
})
