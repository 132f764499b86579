// @ts-check
// Cards: the hand, what shows in use, decks and discards; each with its picture, points, effect and history.
import { fill, h, s, styled } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {{id: string, vp?: number, spaces?: string[]}} Card */

styled('cards')

/** The picture of a card from the symbol sheet. @param {string} id */
export const plate = (id) =>
  s('svg', { class: 'plate', viewBox: '0 0 120 66', 'aria-hidden': 'true' }, s('use', { href: `#card-${id}` }))

/**
 * One card. `act` makes it a choice.
 * @param {Ctx} ctx @param {Card} card
 * @param {{late?: boolean, act?: {label: string, key: string, run: () => void}, small?: boolean, side?: string}} [how]
 */
export function cardView(ctx, card, { late = false, act, small = false, side } = {}) {
  const t = ctx.texts
  const title = t.t(`card.${card.id}.title`)
  const text = `card.${card.id}.text`,
    history = `card.${card.id}.history`
  const node = h(
    'article.event-card',
    { class: `${small ? 'small' : ''} ${late ? 'late' : ''} ${side ? `side-${side}` : ''}`, 'aria-label': title },
    plate(card.id),
    card.vp ? h('span.vp', { title: t.t('game.cards.vp', { n: card.vp }) }, h('b', {}, card.vp), h('span.vh', {}, t.t('game.cards.vp', { n: card.vp }))) : null,
    h('h3', {}, title),
    late ? h('p.late-note', {}, t.t('game.cards.late')) : null,
    small || !t.has(text) ? null : h('p.effect', {}, t.t(text)),
    small || !t.has(history) ? null : h('p.history', {}, t.t(history)),
    act ? h('button.go', { type: 'button', onclick: act.run, data: { key: act.key } }, act.label) : null,
  )
  if (card.spaces && !small) import('./shading.js').then(({ offerShade }) => offerShade(ctx, node, card.id, card.spaces ?? []))
  return node
}

/** The card in use whose effect is asked about. @param {Ctx} ctx @param {string} id */
export function askedCard(ctx, id) {
  const used = ctx.store.kind('slots').flatMap(([, f]) => f.slots.map((/** @type {any} */ slot) => slot.card))
  return h('div.asked-card', {}, cardView(ctx, used.find((card) => card?.id === id) ?? { id }))
}

/** Hands, cards in use, decks and discards, own side first. @param {Ctx} ctx @param {HTMLElement} host @param {string[]} mine */
export function drawCards(ctx, host, mine) {
  const t = ctx.texts
  const first = (/** @type {[string, any]} */ [, f]) => (mine.includes(f.side) ? 0 : 1)
  const sorted = (/** @type {string} */ kind) => ctx.store.kind(kind).sort((a, b) => first(a) - first(b))
  const used = sorted('slots').filter(([, f]) => f.slots.some((/** @type {any} */ slot) => slot.card))
  const piles = sorted('pool').filter(([, f]) => f.cards || f.count !== undefined)
  fill(
    host,
    sorted('hand').map(([, f]) =>
      h(
        'section',
        { class: `cards side-${f.side}` },
        h('h3', {}, h('span', {}, t.say(f.title), ' · ', t.seat(f.side)), h('span.count', {}, f.count)),
        f.cards
          ? [f.cards.map((/** @type {Card} */ c) => cardView(ctx, c)), (f.late ?? []).map((/** @type {Card} */ c) => cardView(ctx, c, { late: true }))]
          : h('p.backs', {}, Array.from({ length: f.count }, () => h('span.card-back', { class: `side-${f.side}` })), f.count ? null : t.t('game.cards.none')),
        f.cards && !f.count ? h('p.empty', {}, t.t('game.cards.none')) : null,
      ),
    ),
    used.map(([, f]) =>
      h(
        'section',
        { class: `cards side-${f.side}` },
        h('h3', {}, h('span', {}, t.say(f.title), ' · ', t.seat(f.side))),
        f.slots.map((/** @type {any} */ slot) => cardView(ctx, slot.card, { side: f.side })),
      ),
    ),
    piles.map(([, f]) =>
      h(
        'section',
        { class: `cards side-${f.side}` },
        h('h3', {}, h('span', {}, t.say(f.title), ' · ', t.seat(f.side)), h('span.count', {}, f.cards ? f.cards.length : f.count)),
        f.cards?.length ? h('div.pile', {}, f.cards.map((/** @type {Card} */ c) => h('details', {}, h('summary', {}, t.t(`card.${c.id}.title`)), cardView(ctx, c)))) : null,
      ),
    ),
  )
}
