// @ts-check
// The open stack: every counter as a row, with a box to tick where units are chosen.
import { button, h } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/**
 * @typedef {object} Row
 * @property {string} unit
 * @property {boolean} [on]
 * @property {boolean} [disabled]
 * @property {string} [note] what is said under the name
 * @property {string[]} [badges]
 * @property {Node | null} [extra]
 */

/**
 * @param {Ctx} ctx
 * @param {{title: string, note?: any, rows: Row[], toggle?: (unit: string) => void, close?: () => void, footer?: any, hidden?: number, more?: any}} opts
 */
export function tray(ctx, { title, note, rows, toggle, close, footer, hidden, more }) {
  return h(
    'section.tray',
    { 'aria-label': title },
    h(
      'header',
      {},
      h('h2', {}, title),
      note ? h('p', {}, note) : null,
      close
        ? h(
            'button.x',
            { type: 'button', 'aria-label': ctx.texts.t('game.tray.close'), title: ctx.texts.t('game.tray.close'), data: { key: 'close' }, onclick: close },
            '×',
          )
        : null,
    ),
    h(
      'ul',
      {},
      rows.map((row) => rowOf(ctx, row, toggle)),
      hidden ? h('li.hidden', {}, h('p', {}, ctx.texts.t('game.tray.hidden', { n: hidden }))) : null,
    ),
    more,
    footer ? h('footer', {}, footer) : null,
  )
}

/** @param {Ctx} ctx @param {Row} row @param {((unit: string) => void) | undefined} toggle */
function rowOf(ctx, row, toggle) {
  const name = ctx.texts.unit(row.unit)
  const words = h('span.words', {}, h('b', {}, name), row.note ? h('small', {}, row.note) : null)
  const picture = ctx.mini(row.unit, { size: 50, selected: row.on, badges: row.badges })
  if (!toggle) return h('li', { class: row.disabled ? 'off' : '' }, h('div.line', {}, picture, words), row.extra)
  return h(
    'li',
    { class: `${row.on ? 'on' : ''} ${row.disabled ? 'off' : ''}` },
    h(
      'label',
      {},
      picture,
      words,
      h('input', {
        type: 'checkbox',
        checked: Boolean(row.on),
        disabled: Boolean(row.disabled),
        'aria-label': name,
        data: { key: `unit-${row.unit}` },
        onchange: () => toggle(row.unit),
      }),
    ),
    row.extra,
  )
}

/**
 * "All, None, Infantry, Brazil" under a tray.
 * @param {Ctx} ctx @param {string[]} ids those that can be chosen @param {(ids: string[]) => void} set
 */
export function selectors(ctx, ids, set) {
  /** @param {'type' | 'nation'} by */
  const kinds = (by) => {
    const found = [...new Set(ids.map((id) => ctx.units[id]?.[by]).filter(Boolean))]
    if (found.length < 2) return []
    return found.map((kind) =>
      button(ctx.texts.t(`${by}.${kind}`), () => set(ids.filter((id) => ctx.units[id][by] === kind)), { key: `select-${kind}` }),
    )
  }
  return [
    button(ctx.texts.t('game.tray.all'), () => set(ids), { key: 'select-all' }),
    button(ctx.texts.t('game.tray.none'), () => set([]), { key: 'select-none' }),
    ...kinds('type'),
    ...kinds('nation'),
  ]
}

/** "clear; 4 units": what is said of a space above its counters. @param {Ctx} ctx @param {string} loc */
export function spaceNote(ctx, loc) {
  const place = ctx.texts.names.places.get(loc),
    space = ctx.store.space(loc)
  const bits = []
  if (place?.terrain) bits.push(ctx.texts.t(`terrain.${place.terrain}`))
  if (space?.count) bits.push(ctx.texts.t('game.units', { n: space.count }))
  if (space?.box) bits.push(ctx.texts.t('game.in_box', { box: space.box }))
  if (space?.control && space.control !== space.side) bits.push(ctx.texts.t('game.held_by', { side: ctx.texts.seat(space.control) }))
  bits.push(...laid(ctx, loc))
  return bits.join(' · ')
}

/** What the layers of the map say of a space: works, supply. @param {Ctx} ctx @param {string} loc @returns {string[]} */
function laid(ctx, loc) {
  /** @type {any[]} */
  const parts = ctx.store.kind('layer').flatMap(([, layer]) => layer.parts)
  return parts.filter((part) => part.text && (part.at ?? part.spaces?.[0]) === loc).map((part) => ctx.texts.say(part.text))
}

/** Pieces that stand beside the units of a space: leaders, works. @param {Ctx} ctx @param {any} space @returns {{id: string, badges?: string[]}[]} */
export const beside = (ctx, space) => (space?.markers ?? []).filter((/** @type {any} */ m) => ctx.units[m.id])

/** A stack that is only looked at. @param {Ctx} ctx @param {string} loc @param {() => void} close @param {any} [why] */
export function lookTray(ctx, loc, close, why) {
  const space = ctx.store.space(loc)
  const shown = space?.units ?? (space?.top ? [space.top] : [])
  const seen = shown.length + (space?.top ? beside(ctx, space).length : 0)
  const hidden = (space?.count ?? seen) - seen
  return tray(ctx, {
    title: ctx.texts.place(loc),
    note: [spaceNote(ctx, loc), why ? h('span.why', {}, why) : null],
    rows: [...shown, ...beside(ctx, space)].map((/** @type {any} */ u) => ({ unit: u.id, badges: u.badges, note: unitNote(ctx, u) })),
    hidden,
    close,
    more: ctx.turn?.card(ctx, loc),
  })
}

/** "3-3-6, 4 MP left, moved". @param {Ctx} ctx @param {{id: string, left?: number, badges?: string[]}} unit */
function unitNote(ctx, unit) {
  const bits = []
  if (unit.left !== undefined) bits.push(ctx.texts.t('game.mp_left', { n: unit.left }))
  for (const badge of unit.badges ?? []) bits.push(ctx.texts.t(`badge.${badge}`))
  return bits.join(', ')
}
