// @ts-check
/**
 * Counters and stacks: references into the symbol sheet of app/sheet/counters.py (`c-UNIT`, `back-X`, `box-SIDE`,
 * `badge-NAME`), with states as classes.
 *
 * @typedef {{id: string, left?: number, badges?: string[], facing?: string, formation?: string, on?: string[]}} Unit  `on`: the places of one that stands on several
 * @typedef {object} Space  content of a fragment `space:LOC`, see docs/protocol.md section 2
 * @property {string} [side]
 * @property {string} [control]
 * @property {number} [count]
 * @property {Unit[]} [units]
 * @property {Unit} [top]
 * @property {{id: string, kind: string, badges?: string[]}[]} [markers]  what is seen of those below
 * @property {number | string} [box]
 */
import { svg } from './dom.js'

export const SIZE = 44
const FAN = 2.4
const DRAWN = 4
const BESIDE = 0.54 // size of a leader that shows beside a stack
const BADGE_PLACES = [
  [43, 21],
  [43, 7],
  [1, 21],
]
/** On the rim of a leader's oval, beside his emblem: elsewhere they would hide his name or his figures. */
const OVAL_PLACES = [
  [39, 6],
  [5, 6],
  [39, 38],
]

/**
 * One counter, its top left corner at x, y.
 * @param {string} symbol  id in the symbol sheet
 * @param {{x?: number, y?: number, badges?: string[], selected?: boolean, below?: boolean, label?: string}} [how]
 */
export function counter(symbol, { x = 0, y = 0, badges = [], selected = false, below = false, label } = {}) {
  const worn = badges.includes('reduced') && document.getElementById(`${symbol}-r`) ? '-r' : ''
  const classes = ['counter', ...badges.map((b) => `is-${b}`), ...(selected ? ['selected'] : []), ...(below ? ['below'] : [])]
  const node = svg('g', { class: classes.join(' '), transform: `translate(${x} ${y})` }, svg('use', { href: `#${symbol}${worn}` }))
  if (label !== undefined) {
    const text = svg('text', { class: 'army-number', x: 22, y: 41.5 })
    text.textContent = label
    node.append(text)
  }
  const known = badges.filter((b) => document.getElementById(`badge-${b}`))
  const spots = document.getElementById(symbol)?.classList.contains('leader') ? OVAL_PLACES : BADGE_PLACES
  known.slice(0, spots.length).forEach((b, i) => {
    node.append(svg('use', { class: 'badge-use', href: `#badge-${b}`, x: spots[i][0], y: spots[i][1] }))
  })
  return node
}

/**
 * A picture of one unit for panels: a stack list, the log, odds. `size` in CSS pixels; a small one drops what is told
 * beside it, so that factors stay legible.
 * @param {string} unit  id
 * @param {{badges?: string[], selected?: boolean, size?: number, small?: boolean}} [how]
 * @returns {SVGElement}
 */
export function counterSvg(unit, { badges = [], selected = false, size = SIZE, small = size < SIZE } = {}) {
  const frame = { class: small ? 'mini small' : 'mini', width: size, height: size, viewBox: '-1 -1 47 47', 'aria-hidden': 'true' }
  return svg('svg', frame, counter(`c-${unit}`, { badges, selected }))
}

/**
 * The symbols of a stack from the top down, at most four, and what they carry.
 * @param {Space} space
 * @param {Set<string>} selected
 * @param {Set<string>} away  units that are on their way and not drawn here
 * @param {number} less  how many unknown ones are
 * @param {(unit: string) => string} owner  nation of a unit, for blank backs
 */
function faces(space, selected, away, less, owner) {
  const side = space.side ?? ''
  if (space.units) {
    const here = space.units.filter((u) => !away.has(u.id))
    const chosen = here.filter((u) => selected.has(u.id))
    const order = [...chosen, ...here.filter((u) => !selected.has(u.id))]
    return order.slice(0, DRAWN).map((u) => ({ symbol: `c-${u.id}`, badges: u.badges, selected: selected.has(u.id) }))
  }
  const count = (space.count ?? 0) - less
  if (count < 1) return []
  if (space.box != null) return [{ symbol: `box-${side}`, label: String(space.box) }]
  const { top } = space
  if (top?.id) {
    const back = { symbol: `back-${owner(top.id)}` }
    return [{ symbol: `c-${top.id}`, badges: top.badges, selected: selected.has(top.id) }, ...Array(Math.min(count, DRAWN) - 1).fill(back)]
  }
  return Array(Math.min(count, DRAWN)).fill({ symbol: `back-${side}` })
}

/**
 * The whole stack of a space around a point, or null when nothing stands there.
 * @param {Space} space
 * @param {{x: number, y: number}} at
 * @param {{selected?: Set<string>, away?: Set<string>, less?: number, owner: (unit: string) => string}} how
 */
export function stack(space, at, { selected = new Set(), away = new Set(), less = 0, owner }) {
  const shown = faces(space, selected, away, less, owner)
  if (!shown.length) return null
  const shift = ((shown.length - 1) * FAN) / 2
  const node = svg('g', { class: `stack side-${space.side ?? ''}` })
  shown.reverse().forEach((f, i) => {
    node.append(counter(f.symbol, { ...f, below: i < shown.length - 1, x: at.x - SIZE / 2 - shift + i * FAN, y: at.y - SIZE / 2 + shift - i * FAN }))
  })
  const gone = space.units ? space.units.filter((u) => away.has(u.id)).length : less
  const count = (space.count ?? space.units?.length ?? 0) - gone
  if (count > 1 || space.box != null) node.append(countDisc(count, at.x - 25 - shift, at.y + 16))
  for (const [i, { id, badges }] of (space.markers ?? []).entries()) {
    const place = `translate(${at.x + 12 + shift} ${at.y - 30 - shift + i * BESIDE * SIZE})scale(${BESIDE})`
    node.append(svg('g', { class: 'beside', transform: place }, counter(`c-${id}`, { badges, selected: selected.has(id) })))
  }
  if (space.box != null && space.units) node.append(boxTab(String(space.box), at.x - 23 - shift, at.y - 14))
  return node
}

/** @param {number} count @param {number} x @param {number} y */
function countDisc(count, x, y) {
  const text = svg('text', { y: 3.9 })
  text.textContent = String(count)
  const disc = svg('g', { class: 'stack-count grow' }, svg('circle', { r: 7.6 }), text)
  return svg('g', { transform: `translate(${x} ${y})` }, disc)
}

/** The number of the army box a seen stack stands in. @param {string} label @param {number} x @param {number} y */
function boxTab(label, x, y) {
  const text = svg('text', { y: 4 })
  text.textContent = label
  const tab = svg('g', { class: 'stack-box grow' }, svg('path', { d: 'M-7-7H7V7H-7zM-7-4H7' }), text)
  return svg('g', { transform: `translate(${x} ${y})` }, tab)
}
