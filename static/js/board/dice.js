// @ts-check
/** Dice that fall on the map, where it is fought. */
import { svg } from './dom.js'

/** @typedef {import('./geometry.js').Point} Point */

const SIZE = 26
const LIES = 2600 // ms
const ROW = 7
/** Where the pips of a face lie, from -1 to 1. */
export const PIPS = /** @type {Record<number, [number, number][]>} */ ({
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
})

/** One die, its middle in the origin. @param {number} face @param {boolean} hit */
function die(face, hit) {
  const node = svg('g', { class: `thrown grow ${hit ? 'hit' : ''}` }, svg('rect', { x: -SIZE / 2, y: -SIZE / 2, width: SIZE, height: SIZE, rx: 5 }))
  if (PIPS[face]) node.append(...PIPS[face].map(([x, y]) => svg('circle', { cx: x * 6.5, cy: y * 6.5, r: 2.6 })))
  else {
    const text = svg('text', { y: 6 })
    text.textContent = String(face)
    node.append(text)
  }
  return node
}

/** Several thrown at once lie in rows, each a while. @param {SVGElement} group @param {Point} at @param {number} face @param {boolean} hit */
export function throwDie(group, at, face, hit) {
  const taken = new Set([...group.children].map((node) => node.getAttribute('data-n')))
  let n = 0
  while (taken.has(String(n))) n++
  const aside = n % ROW // to the right and to the left of the first in turn
  const x = at.x + (aside % 2 ? 1 : -1) * Math.ceil(aside / 2) * (SIZE + 4)
  const y = at.y - 46 - Math.floor(n / ROW) * (SIZE + 4)
  const node = svg('g', { transform: `translate(${x} ${y})`, 'data-n': n }, die(face, hit))
  group.append(node)
  setTimeout(() => node.remove(), LIES)
}
