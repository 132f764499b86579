// @ts-check
/**
 * What of the map nothing lies over: prompt bar, trays, a battle board. Rectangles in the window's CSS pixels.
 *
 * @typedef {import('./geometry.js').Point} Point
 * @typedef {{left: number, top: number, right: number, bottom: number}} Rect
 */

const APART = 8 // pixels between what is shown and what lies over the map

/**
 * What lies over the window, as far as it is seen.
 * @param {Element} view @param {Iterable<Element>} covers @returns {Rect[]}
 */
export function coversOf(view, covers) {
  const { left, top, width, height } = view.getBoundingClientRect()
  return [...covers]
    .map((node) => node.getBoundingClientRect())
    .filter((r) => r.width && r.height)
    .map((r) => ({ left: r.left - left - APART, top: r.top - top - APART, right: r.right - left + APART, bottom: r.bottom - top + APART }))
    .filter((r) => r.right > 0 && r.bottom > 0 && r.left < width && r.top < height)
}

/**
 * The best rectangle of the window that is not covered; the whole window where everything is.
 * @param {number} width @param {number} height  of the window @param {Rect[]} covers
 * @param {(width: number, height: number) => number} worth  what a rectangle is good for
 * @returns {Rect}
 */
export function freeRect(width, height, covers, worth) {
  const inside = (/** @type {number} */ rim, /** @type {number[]} */ edges, /** @type {number} */ end) => [rim, ...edges.filter((v) => v > 0 && v < end)]
  let best = { left: 0, top: 0, right: width, bottom: height }
  let most = 0
  for (const left of inside(0, covers.map((r) => r.right), width)) {
    for (const right of inside(width, covers.map((r) => r.left), width)) {
      for (const top of inside(0, covers.map((r) => r.bottom), height)) {
        for (const bottom of inside(height, covers.map((r) => r.top), height)) {
          const good = right > left && bottom > top ? worth(right - left, bottom - top) : 0
          if (good <= most || covers.some((r) => r.left < right && r.right > left && r.top < bottom && r.bottom > top)) continue
          best = { left, top, right, bottom }
          most = good
        }
      }
    }
  }
  return best
}

/** Whether a point lies in the window, `edge` from its rim, and under nothing. @param {Point} p @param {number} width @param {number} height @param {number} edge @param {Rect[]} covers */
export const inSight = (p, width, height, edge, covers) =>
  p.x >= edge && p.y >= edge && p.x <= width - edge && p.y <= height - edge && !covers.some((r) => p.x > r.left && p.x < r.right && p.y > r.top && p.y < r.bottom)

/** @param {Rect} r @returns {Point[]} */
export const corners = (r) => [r.left, r.right].flatMap((x) => [r.top, r.bottom].map((y) => ({ x, y })))

/** @param {Rect} r @returns {Point} */
export const middle = (r) => ({ x: (r.left + r.right) / 2, y: (r.top + r.bottom) / 2 })
