// @ts-check
/**
 * What stands at a space of a point map: counters in rows of three above its sign, leaders and works beside them, and
 * both sides one above the other where a battle is to come. The name below stays free.
 *
 * @typedef {import('./counters.js').Space & {markers?: {id: string, kind: string, badges?: string[]}[], contested?: boolean}} Cluster
 */
import { SIZE, counter } from './counters.js'
import { svg } from './dom.js'

const FACE = 0.82 // of the size of a counter
const SMALL = 0.62 // where two sides meet
const ROW = 3
const GAP = 1.5
const FOOT = 17 // how far below the middle of its space a cluster reaches
const CLASH = 15 // room for the sign of a battle to come, between the counters and what stands at their left

/**
 * @param {Cluster} space @param {{x: number, y: number}} at
 * @param {{selected?: Set<string>, away?: Set<string>, side: (unit: string) => string}} how
 * @returns {SVGElement | null}
 */
export function cluster(space, at, { selected = new Set(), away = new Set(), side }) {
  const units = (space.units ?? []).filter((u) => !away.has(u.id))
  const markers = space.markers ?? []
  if (!units.length && !markers.length) return null
  const node = svg('g', { class: `stack side-${space.side ?? ''}` })
  const sides = [...new Set(units.map((u) => side(u.id)))]
  const fought = Boolean(space.contested) && sides.length > 1
  const face = fought ? SMALL : FACE
  const step = SIZE * face + GAP
  let foot = at.y + FOOT
  let wide = step
  for (const who of fought ? sides.toReversed() : ['']) {
    const here = fought ? units.filter((u) => side(u.id) === who) : units
    const rows = Math.ceil(here.length / ROW)
    const columns = Math.min(ROW, Math.ceil(here.length / Math.max(1, rows)))
    wide = Math.max(wide, columns * step)
    here.forEach((u, i) => {
      const row = Math.floor(i / columns)
      const inRow = Math.min(columns, here.length - row * columns)
      const x = at.x - (inRow * step - GAP) / 2 + (i % columns) * step
      const y = foot - (rows - row) * step + GAP
      const piece = counter(`c-${u.id}`, { badges: u.badges, selected: selected.has(u.id) })
      node.append(svg('g', { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})scale(${face})` }, piece))
    })
    foot -= rows * step + (fought ? 9 : 0)
  }
  if (space.contested) {
    const y = fought ? at.y + FOOT - Math.ceil(units.filter((u) => side(u.id) === sides.at(-1)).length / ROW) * step - 4 : foot
    node.append(svg('use', { class: 'clash-sign', href: '#marker-battle', x: at.x - wide / 2 - 4, y }))
  }
  const beside = { left: at.x - wide / 2 - 3 - (space.contested ? CLASH : 0), right: at.x + wide / 2 + 3 }
  /** @type {{left: number, right: number}} */
  const filled = { left: 0, right: 0 }
  const lower = (/** @type {{id: string}} */ { id }) => Number(fought && side(id) === sides.at(-1)) // by the rows of his side
  for (const marker of markers.toSorted((a, b) => lower(b) - lower(a))) {
    const own = document.getElementById(`c-${marker.id}`)
    const where = own && marker.kind === 'leader' ? 'right' : 'left'
    const size = SIZE * FACE * (marker.kind === 'leader' ? 1 : 0.92)
    const x = where === 'right' ? beside.right : beside.left - size
    const y = at.y + FOOT - size - filled[where] * (size - 5)
    const piece = counter(own ? `c-${marker.id}` : `marker-${marker.kind}`, { badges: marker.badges, selected: selected.has(marker.id) })
    node.append(svg('g', { class: `beside ${marker.kind}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})scale(${(size / SIZE).toFixed(3)})` }, piece))
    filled[where]++
  }
  return node
}
