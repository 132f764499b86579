// @ts-check
// The same position and the same choices in words: for screen readers, slow lines, and those who like lists.
import { battleWords, shotsOf } from './battle.js'
import { button, fill, h } from './dom.js'
import { beside } from './tray.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

/**
 * @param {Ctx} ctx @param {HTMLElement} host
 * @param {import('./marks.js').Marks} marks
 * @param {{tap: (loc: string) => void, seats: string[], mine: string[]}} opts
 */
export function drawTextView(ctx, host, marks, { tap, seats, mine }) {
  const t = ctx.texts
  const open = marks.open()
  const order = [...mine, ...seats.filter((s) => !mine.includes(s))]
  const { battle } = ctx.store.fragments
  fill(
    host,
    h('h2', {}, t.t('game.text.title')),
    battle?.board ? battleWords(ctx, battle, shotsOf(ctx.store.log(), battle.target)) : null,
    open.length
      ? h(
          'section',
          {},
          h('h3', {}, t.t('game.text.now')),
          h(
            'ul.spaces',
            {},
            open.map((loc) =>
              h(
                'li',
                {},
                button(t.t(`game.text.${marks.verb(loc)}`, { at: loc }), () => tap(loc), { key: `now-${loc}` }),
                h(
                  'span',
                  {},
                  words(ctx, loc),
                  marks.reach?.cost[loc] !== undefined && marks.verb(loc) === 'goal'
                    ? ` · ${t.t('game.text.cost', { cost: marks.reach.cost[loc] })}`
                    : '',
                ),
              ),
            ),
          ),
        )
      : null,
    order.map((seat) => {
      const spaces = ctx.store
        .kind('space')
        .filter(([, s]) => s.side === seat && s.count)
        .sort(([a], [b]) => (a < b ? -1 : 1))
      return h(
        'section',
        { class: `side-${seat}` },
        h('h3', {}, t.seat(seat), h('span.count', {}, spaces.length)),
        h(
          'ul.spaces',
          {},
          spaces.map(([loc]) =>
            h(
              'li',
              {},
              button(t.place(loc), () => tap(loc), { key: `at-${loc}` }),
              h('span', {}, words(ctx, loc)),
            ),
          ),
        ),
      )
    }),
    laid(ctx),
    order.map((seat) => cards(ctx, seat)),
  )
}

/** What the view lays over the map: each layer with the places it speaks of. @param {Ctx} ctx */
function laid(ctx) {
  const t = ctx.texts
  const layers = ctx.store.kind('layer')
  if (!layers.length) return null
  const said = (/** @type {any} */ part) => {
    const places = [...(part.spaces ?? []), ...(part.path ?? []).map((/** @type {string} */ step) => step.split('@')[0]), ...(part.at && !part.spaces ? [part.at] : [])]
    return [part.text ? t.say(part.text) : '', places.map((loc) => t.place(loc)).join(', ')].filter(Boolean).join(': ')
  }
  return h('section', {}, h('h3', {}, t.t('game.layers')), h('ul', {}, layers.map(([, layer]) => h('li', {}, h('b', {}, t.say(layer.title)), ' ', layer.parts.map(said).join('; ')))))
}

/** A side's hand, as far as it is seen, and its card in use. @param {Ctx} ctx @param {string} seat */
function cards(ctx, seat) {
  const t = ctx.texts
  const said = (/** @type {{id: string}} */ card) => h('li', {}, h('b', {}, t.t(`card.${card.id}.title`)), ' ', t.t(`card.${card.id}.text`))
  const piles = [...ctx.store.kind('hand'), ...ctx.store.kind('slots')].filter(([, f]) => f.side === seat)
  return piles.map(([, f]) => {
    const shown = [...(f.cards ?? []), ...(f.late ?? []), ...(f.slots ?? []).flatMap((/** @type {any} */ slot) => slot.card ?? [])]
    if (!shown.length && f.cards === undefined && f.count === undefined) return null
    return h(
      'section.card-words',
      { class: `side-${seat}` },
      h('h3', {}, t.say(f.title), ' · ', t.seat(seat), h('span.count', {}, f.count ?? shown.length)),
      shown.length ? h('ul', {}, shown.map(said)) : null,
    )
  })
}

/** @param {Ctx} ctx @param {string} loc */
function words(ctx, loc) {
  const t = ctx.texts,
    space = ctx.store.space(loc)
  const others = beside(ctx, space).map((m) => t.unit(m.id))
  if (!space?.count && !others.length) return t.t('game.text.empty')
  const shown = (space.units ?? (space.top ? [space.top] : [])).map((/** @type {any} */ u) => {
    const unit = ctx.units[u.id]
    const stands = [u.formation && t.t(`formation.${u.formation}`), u.facing && t.t('game.facing', { to: u.facing })].filter(Boolean)
    return [`${t.unit(u.id)}${unit ? factorsOf(unit, u.badges) : ''}`, ...stands].join(' ')
  })
  const hidden = (space.count ?? 0) - shown.length
  const head = space.box ? t.t('game.in_box', { box: space.box }) : ''
  return [head, [...shown, ...others].join(', '), hidden > 0 ? t.t('game.tray.hidden', { n: hidden }) : ''].filter(Boolean).join('; ')
}

/** "(4-3-6)": what is printed on the side that is up. @param {any} unit @param {string[]} [badges] */
function factorsOf(unit, badges = []) {
  const printed = unit.factors[badges.includes('reduced') ? 1 : 0]
  return printed ? ` (${printed.replaceAll('-', '\u2060-\u2060')})` : ''
}
