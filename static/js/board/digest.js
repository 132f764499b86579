// @ts-check
/**
 * A stack seen from afar, where its counters would be specks: one block a side with the number of its units, in the
 * nation's colours; a single piece keeps its face. Drawn at the size of a counter, and grown by board.css (`--grow`).
 *
 * @typedef {import('./counters.js').Space & {markers?: {id: string, kind: string, badges?: string[]}[], contested?: boolean, others?: Seen[]}} Seen  `others`: what is closed beside it
 * @typedef {{owner: string, count: number, face: string | null, label?: string, selected: boolean, dull: boolean}} Block
 */
import { SIZE, counter } from './counters.js'
import { svg } from './dom.js'

const HALF = SIZE / 2
const MEET = 0.88 // size of a block where two sides meet
const CROWD = 0.66 // and where there are more

/**
 * @param {Seen} space @param {{x: number, y: number}} at
 * @param {{selected?: Set<string>, away?: Set<string>, less?: number, owner: (unit: string) => string, side: (unit: string) => string}} how
 * @returns {SVGElement | null}
 */
export function digest(space, at, { selected = new Set(), away = new Set(), less = 0, owner, side }) {
  const open = space.units ? told(space, selected, away, owner, side) : untold(space, less, owner)
  const blocks = [...open, ...(space.others ?? []).flatMap((pile) => untold(pile, 0, owner))]
  const lone = blocks.length ? undefined : space.markers?.[0]
  if (!blocks.length && !lone) return null
  const node = svg('g', { class: `stack far side-${space.side ?? ''}` })
  node.style.transformOrigin = `${at.x}px ${at.y}px`
  if (lone) {
    const symbol = document.getElementById(`c-${lone.id}`) ? `c-${lone.id}` : `marker-${lone.kind}`
    node.append(counter(symbol, { x: at.x - HALF, y: at.y - HALF, badges: lone.badges, selected: selected.has(lone.id) }))
  }
  const size = blocks.length > 2 ? CROWD : blocks.length > 1 ? MEET : 1
  blocks.forEach((block, i) => {
    const x = at.x + (i - blocks.length / 2) * SIZE * size
    node.append(svg('g', { transform: `translate(${x.toFixed(1)} ${(at.y - HALF * size).toFixed(1)})scale(${size})` }, drawn(block, size)))
  })
  if (blocks.length === 2) node.append(svg('path', { class: 'afar-clash', d: `M${at.x} ${at.y - HALF - 4}V${at.y + HALF + 4}` }))
  if (space.markers?.some((m) => m.kind === 'leader')) node.append(svg('path', { class: 'afar-leader', transform: `translate(${at.x + HALF - 3} ${at.y - HALF + 3})`, d: STAR }))
  return node
}

const STAR = 'M0-10.5 2.9-3.6 10-3.2 4.6 1.5 6.3 8.5 0 4.7-6.3 8.5-4.6 1.5-10-3.2-2.9-3.6z'

/** The seen units, by side. @param {Seen} space @param {Set<string>} selected @param {Set<string>} away @param {(unit: string) => string} owner @param {(unit: string) => string} side @returns {Block[]} */
function told(space, selected, away, owner, side) {
  const here = (space.units ?? []).filter((u) => !away.has(u.id))
  return [...new Set(here.map((u) => side(u.id)))].map((who) => {
    const units = here.filter((u) => side(u.id) === who)
    return {
      owner: most(units.map((u) => owner(u.id))),
      count: units.length,
      face: units.length === 1 ? `c-${units[0].id}` : null,
      selected: units.some((u) => selected.has(u.id)),
      dull: units.every((u) => u.badges?.some((badge) => badge === 'moved' || badge === 'spent')),
    }
  })
}

/** Units of which no more than a number is known, or the one on top. @param {Seen} space @param {number} less @param {(unit: string) => string} owner @returns {Block[]} */
function untold(space, less, owner) {
  const count = (space.count ?? 0) - less
  if (count < 1) return []
  const top = space.top?.id
  if (space.box != null) return [{ owner: space.side ?? '', count, face: `box-${space.side}`, label: String(space.box), selected: false, dull: false }]
  return [{ owner: top ? owner(top) : (space.side ?? ''), count, face: count === 1 && top ? `c-${top}` : null, selected: false, dull: false }]
}

/** @param {string[]} names */
function most(names) {
  const times = (/** @type {string} */ name) => names.filter((n) => n === name).length
  return names.reduce((best, name) => (times(name) > times(best) ? name : best), names[0] ?? '')
}

/** @param {Block} block @param {number} size  it will have: its number stays as large */
function drawn({ owner, count, face, label, selected, dull }, size) {
  const classes = `counter ctr afar-block ${owner}${selected ? ' selected' : ''}${dull ? ' is-moved' : ''}`
  if (face) return counter(face, { label, badges: dull ? ['moved'] : [], selected })
  const number = svg('text', { class: 'afar-count', transform: `translate(${HALF} 36)scale(${1 / size})` })
  number.textContent = String(count)
  return svg('g', { class: classes }, svg('rect', { class: 'shade', x: 1.5, y: 2, width: SIZE, height: SIZE, rx: 3 }), svg('rect', { class: 'ground', width: SIZE, height: SIZE, rx: 3 }), number)
}
