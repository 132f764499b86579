// @ts-check
// The clocks of a game: in its head, ticking between two cards, and what its players may decide about them.
import { span } from '../site/left.js'
import { moment } from '../site/moment.js'
import { button, byId, h, styled } from './dom.js'
import { sideOf, sidesOf } from './sides.js'

/** @typedef {import('./ctrl.js').Game} Game */
/** @typedef {{turn: number, bank: number, since: string | null, reserve_from: string | null, deadline: string | null}} Hand */

const EVERY = 1000 // ms
const LOW = { live: 60_000, days: 6 * 3_600_000 } // ms that are few: a minute of a live game, the last reminder's hours
let skew = 0 // between the server's clock and this one's, ms
let timer = 0
/** @type {any} the card the skew was taken from */
let seen = null
const late = new Set() // sides known to be late
const warned = new Set() // deadlines of which this player was warned

/** @param {string} at */
const leftUntil = (at) => Date.parse(at) - (Date.now() + skew)

/** @param {Game} game */
export function drawClocks(game) {
  const { card } = game.store
  styled('clocks')
  if (card.clock && card !== seen) skew = Date.parse(card.clock.now) - Date.now()
  seen = card
  for (const [seat, hand] of Object.entries(card.clock?.seats ?? {})) hang(game, seat, /** @type {Hand} */ (hand))
  for (const old of byId('offers').querySelectorAll('.of-clocks')) old.remove() // draws may have met while this module came
  byId('offers').append(...decisions(game))
  clearInterval(timer)
  timer = setInterval(() => tick(game), EVERY)
}

/** @param {Game} game @param {string} seat @param {Hand} hand */
function hang(game, seat, hand) {
  const { texts: t } = game
  const player = byId('players').querySelector(`.player.seat-${seat}`)
  player?.querySelector('.clock')?.remove()
  const el = h(
    'a.clock',
    { href: `/games/${game.parts.game}/clock`, title: title(t, seat, hand), data: { key: `clock-${seat}` } },
    h('b', {}),
    h('span', {}),
  )
  write(game, el, hand)
  player?.querySelector('.name')?.after(el)
}

/** @param {import('./texts.js').Texts} t @param {string} seat @param {Hand} hand */
function title(t, seat, hand) {
  const until = hand.deadline ? [t.t('clocks.until', { at: moment(hand.deadline, t.lang, true) })] : []
  const [turn, bank] = parts(hand)
  const both = turn > 0 && bank > 0 ? [t.t('clocks.turn_and_bank', { turn: span(turn, t.lang), bank: span(bank, t.lang) })] : []
  return [t.t('clocks.open', { seat }), ...both, ...until].join(' · ')
}

/** @param {Game} game @param {HTMLElement} el @param {Hand} hand */
function write(game, el, hand) {
  const { texts: t, store } = game
  const [time, note] = /** @type {[HTMLElement, HTMLElement]} */ ([...el.children])
  const paused = store.card.clock.paused
  const left = hand.deadline ? leftUntil(hand.deadline) : (hand.bank + hand.turn) / 1000
  el.classList.toggle('runs', Boolean(hand.deadline))
  el.classList.toggle('up', Boolean(hand.deadline) && left <= 0)
  el.classList.toggle('low', isLow(game, hand))
  put(time, hand.deadline && left <= 0 ? t.t('clocks.up') : said(hand, t.lang))
  put(note, hand.deadline ? moment(hand.deadline, t.lang) : paused ? t.t('clocks.paused_short') : '')
}

/** What is left of the turn, and of the bank that follows it, ms. @param {Hand} hand @returns {[number, number]} */
function parts(hand) {
  if (!hand.deadline) return [hand.turn / 1000, hand.bank / 1000]
  const turn = hand.reserve_from ? leftUntil(hand.reserve_from) : 0
  return turn > 0 ? [turn, hand.bank / 1000] : [0, leftUntil(hand.deadline)]
}

/** "2 d 23 h + 7 d": a turn's own time and the bank are two things. @param {Hand} hand @param {string} lang */
function said(hand, lang) {
  const [turn, bank] = parts(hand)
  return turn > 0 && bank > 0 ? `${span(turn, lang, true)} + ${span(bank, lang, true)}` : span(turn + bank, lang, true)
}

/** Whether time runs and little is left of it. @param {Game} game @param {Hand} hand */
function isLow(game, hand) {
  const left = hand.deadline ? leftUntil(hand.deadline) : Infinity
  return left > 0 && left <= LOW[/** @type {'live' | 'days'} */ (game.store.card.pace?.kind ?? 'days')]
}

/** Said once of each deadline, to the one whose time it is. @param {Game} game @param {string} seat @param {Hand} hand */
function warn(game, seat, hand) {
  if (!hand.deadline || warned.has(hand.deadline) || !game.store.card.your_seats.includes(seat) || !isLow(game, hand)) return
  warned.add(hand.deadline)
  game.ctx.toast(game.texts.t('clocks.low', { left: span(leftUntil(hand.deadline), game.texts.lang, true) }))
}

/** Only what has changed, so that nothing is read out every second. @param {HTMLElement} el @param {string} text */
function put(el, text) {
  if (el.textContent !== text) el.textContent = text
}

/** @param {Game} game */
function tick(game) {
  const { clock } = game.store.card ?? {}
  if (!clock || game.store.card.state === 'finished') return
  for (const [seat, hand] of Object.entries(clock.seats)) {
    const el = /** @type {HTMLElement | null} */ (byId('players').querySelector(`.player.seat-${seat} .clock`))
    if (el) write(game, el, hand)
    warn(game, seat, hand)
    if (hand.deadline && leftUntil(hand.deadline) <= 0 && !late.has(seat)) {
      late.add(seat)
      game.drawAll()
    }
  }
}

/** What is proposed, and what may be done when time is up. @param {Game} game @returns {HTMLElement[]} */
function decisions(game) {
  const { texts: t, store } = game
  const { clock, clock_offer: offer, your_seats: mine, pace } = store.card
  if (!mine.length || store.card.state !== 'active') return []
  const out = []
  if (offer) {
    const ours = mine.includes(offer.seat)
    const toMe = mine.some((/** @type {string} */ seat) => offer.asks.includes(seat))
    out.push(
      notice(
        t.t(`clocks.offered_${offer.what}`, { seat: offer.seat, pace: offer.words }),
        !toMe ? null : button(t.t('clocks.agree'), () => game.act('/clock/reply', { yes: true }), { class: 'go', key: 'clock-yes' }),
        !ours && !toMe ? null : button(t.t(toMe ? 'clocks.decline' : 'clocks.unoffer'), () => game.act('/clock/reply', { yes: false }), { key: 'clock-no' }),
      ),
    )
  }
  if (clock?.paused)
    out.push(notice(t.t('clocks.paused'), button(t.t('clocks.resume'), () => game.act('/clock/resume'), { key: 'clock-resume' })))
  for (const [seat, hand] of Object.entries(clock?.seats ?? {})) {
    if (!hand.deadline || leftUntil(hand.deadline) > 0) late.delete(seat)
    else if (!sidesOf(store.card, mine).includes(sideOf(store.card, seat)))
      out.push(
        notice(
          t.t('clocks.late_title', { seat }),
          h('small', {}, t.t(pace.policy === 'director' ? 'clocks.late_director' : 'clocks.late_what')),
          h('a.button.go', { href: `/games/${game.parts.game}/clock` }, t.t('clocks.title')),
        ),
      )
  }
  return out
}

/** @param {string} text @param {...(Node | null)} acts */
function notice(text, ...acts) {
  return h('section.offer.of-clocks', { role: 'status' }, h('p', {}, h('b', {}, text)), h('div.acts', {}, acts))
}
