// @ts-check
/** What a player draws on the map for himself: arrows, rings and notes. */
import { svg } from './dom.js'
import { heading, pathText, shorten, smooth } from './geometry.js'

/** @typedef {{arrows: string[][], rings: string[], notes: Record<string, string>}} Plans */

const RING = 33
const LETTERS = 26 // of a note that are shown on the map

/** @param {Plans} plans @param {import('./geometry.js').Places} places @returns {SVGElement[]} */
export function drawPlans({ arrows, rings, notes }, places) {
  const at = (/** @type {string} */ loc) => places.centre(loc)
  return [
    ...rings.filter(places.has).map((loc) => svg('circle', { class: 'plan-ring', cx: at(loc).x, cy: at(loc).y, r: RING })),
    ...arrows.map((path) => arrow(path.filter(places.has).map(at))),
    ...Object.entries(notes)
      .filter(([loc]) => places.has(loc))
      .map(([loc, text]) => note(at(loc), text)),
  ]
}

/** @param {import('./geometry.js').Point[]} points */
function arrow(points) {
  if (points.length < 2) return svg('g')
  const line = smooth(points)
  const tip = line[line.length - 1]
  const turn = heading(line[Math.max(0, line.length - 3)], tip)
  const d = pathText(shorten(line, 10))
  return svg(
    'g',
    {},
    svg('path', { class: 'plan-case', d }),
    svg('path', { class: 'plan-arrow', d }),
    svg('path', { class: 'plan-head', transform: `translate(${tip.x} ${tip.y})rotate(${turn.toFixed(1)})`, d: 'M5 0L-13-8.5Q-9 0-13 8.5z' }),
  )
}

/** @param {import('./geometry.js').Point} p @param {string} text */
function note({ x, y }, text) {
  const short = text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text
  const words = svg('text', { x: 7, y: 4.4 }, short)
  const slip = svg('g', { class: 'plan-note grow' }, svg('rect', { x: 0, y: -10, width: short.length * 6.7 + 14, height: 20, rx: 2 }), words, svg('title', {}, text))
  return svg('g', { transform: `translate(${x - 20} ${y - 32})` }, slip)
}
