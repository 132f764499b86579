// @ts-check
/**
 * Where the spaces of a point map are on the sheet, and the ways between them. Same units as app/sheet/pointsheet.py.
 *
 * @typedef {import('./geometry.js').Point} Point
 * @typedef {import('./geometry.js').Places} Places
 */
import { cluster } from './cluster.js'
import { stepper } from './step.js'

const SCALE = 1.6 // sheet units per unit of map.json
const RING = 40 // radius around a space that shows it is meant
const NEAR = 78 // farthest pointer that still means a space
const WIDE = 124 // of a stack seen from afar, for its number to be read on a phone: the nearest spaces are little nearer
const LIFT = 14 // counters stand above their space: what is pointed at lies higher than its sign

/**
 * Places of a map of named spaces and connections.
 * @param {{spaces: Record<string, {x: number, y: number}>, connections: [string, string, string][]}} map  map.json
 * @returns {Places}
 */
export function pointPlaces(map) {
  const all = Object.keys(map.spaces)
  /** @type {Map<string, Point>} */
  const at = new Map(all.map((loc) => [loc, { x: map.spaces[loc].x * SCALE, y: map.spaces[loc].y * SCALE }]))
  /** @type {Map<string, string[]>} */
  const near = new Map(all.map((loc) => [loc, []]))
  for (const [a, b] of map.connections) {
    near.get(a)?.push(b)
    near.get(b)?.push(a)
  }
  /** @type {Map<string, Point[]>} drawn lines by "from to" */
  const drawn = new Map()
  /** @type {Element | null} */
  let sheet = null
  const centre = (/** @type {string} */ loc) => /** @type {Point} */ (at.get(loc))

  /** The drawn line from one space to a neighbour, or a straight one. @param {string} a @param {string} b @returns {Point[]} */
  const way = (a, b) => {
    const key = `${a} ${b}`
    const known = drawn.get(key)
    if (known) return known
    const there = sheet?.querySelector(`[data-way="${CSS.escape(a)} ${CSS.escape(b)}"]`)
    const back = there ? null : sheet?.querySelector(`[data-way="${CSS.escape(b)} ${CSS.escape(a)}"]`)
    const line = pointsOf(there ?? back) ?? [centre(a), centre(b)]
    drawn.set(key, back ? line.reverse() : line)
    return /** @type {Point[]} */ (drawn.get(key))
  }

  return {
    all,
    has: (loc) => at.has(loc),
    centre,
    clustered: true,
    pile: cluster,
    room: WIDE,
    at(p) {
      let best = null
      let least = NEAR
      for (const [loc, q] of at) {
        const d = Math.hypot(q.x - p.x, q.y - LIFT - p.y)
        if (d < least) [best, least] = [loc, d]
      }
      return best
    },
    around: (loc) => near.get(loc) ?? [],
    step: stepper(all, centre, (loc) => near.get(loc) ?? [], 1.2),
    outline: (locs) => {
      let d = ''
      for (const loc of locs) {
        const { x, y } = centre(loc)
        d += `M${(x - RING).toFixed(1)} ${y.toFixed(1)}a${RING} ${RING} 0 1 0 ${2 * RING} 0a${RING} ${RING} 0 1 0 ${-2 * RING} 0z`
      }
      return d
    },
    /** The lines as printed are followed from now on. @param {Element} map */
    follow: (map) => {
      sheet = map
      drawn.clear()
    },
    line: (path) => path.slice(1).reduce((line, loc, i) => [...line, ...(near.get(path[i])?.includes(loc) ? way(path[i], loc) : [centre(loc)]).slice(1)], path.length ? [centre(path[0])] : []),
  }
}

/** Points along a drawn path, a few units apart. @param {Element | null | undefined} node @returns {Point[] | null} */
function pointsOf(node) {
  if (!(node instanceof SVGPathElement)) return null
  const length = node.getTotalLength()
  const steps = Math.max(2, Math.round(length / 9))
  return Array.from({ length: steps + 1 }, (_, i) => {
    const { x, y } = node.getPointAtLength((length * i) / steps)
    return { x, y }
  })
}
