// @ts-check
/** Counters on the way: a small picture of its own above the sheet, so that moving it repaints nothing below. */
import { SIZE, counter } from './counters.js'
import { calm, svg } from './dom.js'

/** @typedef {import('./geometry.js').Point} Point */

const ROOM = 60

/**
 * A picture of counters fanned as a stack; its middle is to be placed with `placeAt`.
 * @param {(string | Element)[]} symbols  bottom first, at most four are drawn; troops as the block that stands on the map
 */
export function ghost(symbols) {
  const node = svg('svg', { class: 'map board-ghost', width: ROOM, height: ROOM, viewBox: `${-ROOM / 2} ${-ROOM / 2} ${ROOM} ${ROOM}` })
  const shown = symbols.slice(-4)
  const shift = ((shown.length - 1) * 2.4) / 2
  shown.forEach((symbol, i) => {
    const [x, y] = [i * 2.4 - shift, shift - i * 2.4]
    if (typeof symbol === 'string') return node.append(counter(symbol, { x: x - SIZE / 2, y: y - SIZE / 2 }))
    const block = /** @type {Element} */ (symbol.cloneNode(true))
    block.setAttribute('transform', `translate(${x} ${y})`)
    node.append(block)
  })
  return node
}

/** CSS that puts a ghost's middle on a point of the sheet. @param {Point} p @param {Point} origin */
export const placeAt = (p, origin) => `translate(${p.x - origin.x - ROOM / 2}px, ${p.y - origin.y - ROOM / 2}px)`

/**
 * Move a ghost along a line of the sheet.
 * @param {SVGElement} node  already in the sheet's block
 * @param {Point[]} line
 * @param {Point} origin  of the sheet
 * @param {number} ms
 * @returns {Promise<void>}
 */
export async function travel(node, line, origin, ms) {
  const frames = line.map((p) => ({ transform: placeAt(p, origin) }))
  const last = frames[frames.length - 1]
  node.style.transform = last.transform
  if (calm() || frames.length < 2 || ms <= 0) return
  await node.animate(frames, { duration: ms, easing: 'ease-in-out' }).finished.catch(() => undefined)
}
