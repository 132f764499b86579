// @ts-check
/** A light over spaces that something speaks of, such as a card's region; neighbours run together into one ground. */
import { svg } from './dom.js'
import { pathText } from './geometry.js'

/** @param {string[]} locs @param {import('./geometry.js').Places} places @returns {SVGElement[]} */
export function drawShade(locs, places) {
  const here = locs.filter(places.has)
  if (!here.length) return []
  const inside = new Set(here)
  const ways = here.flatMap((a) => places.around(a).filter((b) => a < b && inside.has(b)).map((b) => pathText(places.line?.([a, b]) ?? [])))
  const area = svg('g', { class: 'shade-area' })
  area.append(svg('path', { class: 'shade-ways', d: ways.join('') }), svg('path', { d: places.outline(here) }))
  return [area, svg('path', { class: 'shade-rim', d: places.outline(here) })]
}
