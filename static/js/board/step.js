// @ts-check
// Where an arrow key leads on a map without a grid.

/** @typedef {import('./geometry.js').Point} Point */

const CONE = 1.25 // how much a step to the side weighs against one ahead
const AHEAD = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] })

/**
 * The place that lies best that way: a neighbour, else any.
 * @param {string[]} all @param {(loc: string) => Point} centre @param {(loc: string) => Iterable<string>} near
 * @param {number} slant how far to the side a place may lie, for each unit ahead
 * @returns {(loc: string, key: string) => string | null}
 */
export function stepper(all, centre, near, slant) {
  return (loc, key) => {
    const [dx, dy] = AHEAD[key] ?? [0, 0]
    const from = centre(loc)
    const best = (/** @type {Iterable<string>} */ locs) => {
      let found = null
      let least = Infinity
      for (const other of locs) {
        const { x, y } = centre(other)
        const ahead = (x - from.x) * dx + (y - from.y) * dy
        const aside = Math.abs((x - from.x) * dy - (y - from.y) * dx)
        if (other === loc || ahead <= 0 || aside > ahead * slant) continue
        const cost = ahead + CONE * aside
        if (cost < least) [found, least] = [other, cost]
      }
      return found
    }
    return best(near(loc)) ?? best(all)
  }
}
