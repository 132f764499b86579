// @ts-check
// Starts the page: reads what the template says, fetches what the game needs, hands over to the controller.
import { createBoard, hexPlaces } from '../board/api.js'
import { GameApi, request } from './api.js'
import { byId } from './dom.js'
import { Names, Texts } from './texts.js'
import { openHands } from './visit.js'

/** @param {string} url */
async function text(url) {
  const response = await fetch(url, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

/** What the server put into the page: the card, and at the table the view of the reader's seat. */
const inPage = () => JSON.parse(byId('first').textContent ?? '')

/** @param {string} mode @returns {Promise<new (parts: import('./ctrl.js').Parts) => {start: () => Promise<void>}>} */
const pageOf = async (mode) =>
  mode === 'replay' ? (await import('./replay_page.js')).ReplayPage : (await import('./ctrl.js')).Game

/** @param {any} map @returns {Promise<import('../board/api.js').Places>} */
const placesOf = async (map) =>
  map.kind === 'points' ? (await import('../board/points.js')).pointPlaces(map)
  : map.kind === 'areas' ? (await import('../board/areas.js')).areaPlaces(map)
  : hexPlaces(map)

async function boot() {
  const { game = '', lang = 'en', mode = 'play', kit: kitUrl = '', map = '' } = byId('main').dataset
  const told = inPage(),
    { card } = told
  const open = mode === 'play' && card.your_seats.length > 1 && openHands(game)
  const [Page, first, { title, texts: catalogue, ...data }, mapSvgText] = await Promise.all([
    pageOf(mode),
    open ? new GameApi(game, null).get('/view') : told,
    request(kitUrl),
    text(map),
  ])
  const seat = open ? null : (told.seat ?? card.your_seats[0] ?? null)
  const texts = new Texts(lang, catalogue, new Names(data.units, data.map, title.seats))
  const places = await placesOf(data.map)
  const board = createBoard(byId('map'), {
    mapSvgText,
    symbolsSvgText: data.symbols,
    units: data.units,
    places,
    label: texts.t('game.map'),
    help: texts.t('game.map_help'),
    describe: (loc) => texts.place(loc),
  })
  board.minimap(byId('minimap'))
  for (const [id, act] of Object.entries({
    'zoom-in': () => board.zoomBy(1.25),
    'zoom-out': () => board.zoomBy(0.8),
    'zoom-fit': () => board.fit(),
  }))
    byId(id).addEventListener('click', act)
  for (const name of ['pointerdown', 'pointerup', 'pointerleave', 'pointercancel'])
    byId('bare').addEventListener(name, () => board.setBare(name === 'pointerdown'))
  const page = new Page({ game, seat, seats: title.seats, title, card, first, units: data.units, board, places, texts, mode })
  await page.start()
  byId('main').dataset.ready = 'yes'
}

boot().catch((error) => {
  byId('failed').hidden = false
  throw error
})
