// @ts-check
// Starts the page: reads what the template says, fetches what the game needs, hands over to the controller.
import { createBoard, hexPlaces } from '../board/api.js'
import { GameApi, request } from './api.js'
import { Game } from './ctrl.js'
import { byId } from './dom.js'
import { ReplayPage } from './replay_page.js'
import { Names, Texts } from './texts.js'
import { openHands } from './visit.js'

/** @param {string} url */
async function text(url) {
  const response = await fetch(url, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

/** Whose eyes look at first: of two seats at one screen the one that is asked. @param {any} card */
function firstSeat(card) {
  const mine = card.your_seats
  if (mine.length > 1) return openHands(card.id) ? null : (mine.find((/** @type {string} */ s) => card.waiting_for.includes(s)) ?? mine[0])
  return mine[0] ?? null
}

async function boot() {
  const { game = '', title: titleId = '', digest = '', lang = 'en', mode = 'play', map = '', symbols = '' } = byId('main').dataset
  const at = `/api/titles/${titleId}`
  const card = await new GameApi(game, null).get(''),
    seat = firstSeat(card)
  const [view, siteTexts, titleTexts, title, data, mapSvgText, symbolsSvgText] = await Promise.all([
    mode === 'replay' ? null : new GameApi(game, seat).get('/view'),
    request(`/texts/${lang}.json`),
    request(`${at}/texts/${lang}`),
    request(at),
    request(`${at}/data?digest=${digest}`),
    text(map),
    text(symbols),
  ])
  const texts = new Texts(lang, { ...siteTexts, ...titleTexts }, new Names(data.units, data.map, title.seats))
  const places = hexPlaces(data.map)
  const board = createBoard(byId('map'), {
    mapSvgText,
    symbolsSvgText,
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
  const parts = { game, seat, seats: title.seats, title, card, view, units: data.units, board, places, texts, mode }
  const page = mode === 'replay' ? new ReplayPage(parts) : new Game(parts)
  await page.start()
  byId('main').dataset.ready = 'yes'
}

boot().catch((error) => {
  byId('failed').hidden = false
  throw error
})
