// @ts-check
/**
 * Where places are on the sheet. Same units and origin as app/sheet/hexsheet.py: hex radius 40, the centre of the first
 * column and row at 0,0 (odd or even columns half a hex lower).
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {object} Places  All that the board asks of a map; other kinds of map need only give the same.
 * @property {string[]} all  every LOC
 * @property {(loc: string) => boolean} has
 * @property {(loc: string) => Point} centre
 * @property {(p: Point) => string | null} at  the place under a point
 * @property {(loc: string) => string[]} around  neighbours on the map
 * @property {(loc: string, key: string) => string | null} step  where an arrow key leads
 * @property {(locs: Iterable<string>) => string} outline  path text around a set of places
 * @property {number} room  how large a stack may be drawn from afar without covering its neighbours, sheet units
 * @property {boolean} [clustered]  counters stand in rows above their place, not in a fanned stack
 * @property {typeof import('./cluster.js').cluster} [pile]  draws what stands at a place, if not a fanned stack
 * @property {(space: import('./counters.js').Space, loc: string, how: import('./areas.js').How) => SVGElement | null} [camp]  draws what stands at a place that holds several stacks
 * @property {(path: string[]) => Point[]} [line]  a path along the printed ways; without it, through the middles
 * @property {(map: Element) => void} [follow]  take the printed ways from the drawn sheet
 */

export const RADIUS = 40
const HALF = (RADIUS * Math.sqrt(3)) / 2

/** @param {number} v */
const round = (v) => Math.round(v * 10) / 10

/**
 * Places of a flat-topped hex map.
 * @param {{grid: {lower_columns: string}, hexes: Record<string, unknown>}} map  map.json
 * @returns {Places}
 */
export function hexPlaces(map) {
  const all = Object.keys(map.hexes)
  const known = new Set(all)
  const low = map.grid.lower_columns === 'odd' ? 1 : 0
  /** @param {string} loc @returns {[number, number]} */
  const split = (loc) => [Number(loc.slice(0, 2)), Number(loc.slice(2))]
  /** @param {number} c @param {number} r */
  const join = (c, r) => String(c).padStart(2, '0') + String(r).padStart(2, '0')
  const c0 = Math.min(...all.map((loc) => split(loc)[0]))
  const r0 = Math.min(...all.map((loc) => split(loc)[1]))
  const sunk = (/** @type {number} */ c) => (c % 2 === low ? 1 : 0)

  /** @param {string} loc */
  const centre = (loc) => {
    const [c, r] = split(loc)
    return { x: (c - c0) * 1.5 * RADIUS, y: (2 * (r - r0) + sunk(c)) * HALF }
  }
  /** In the order of the hexsides: SE, S, SW, NW, N, NE. @param {string} loc */
  const ring = (loc) => {
    const [c, r] = split(loc)
    const d = sunk(c)
    return [join(c + 1, r + d), join(c, r + 1), join(c - 1, r + d), join(c - 1, r + d - 1), join(c, r - 1), join(c + 1, r + d - 1)]
  }
  /** @param {string} loc @param {number} i */
  const corner = (loc, i) => {
    const { x, y } = centre(loc)
    return { x: round(x + RADIUS * Math.cos((Math.PI * i) / 3)), y: round(y + RADIUS * Math.sin((Math.PI * i) / 3)) }
  }

  return {
    all,
    has: (loc) => known.has(loc),
    centre,
    room: 1.5 * RADIUS,
    at(p) {
      const column = c0 + Math.round(p.x / (1.5 * RADIUS))
      let best = ''
      let near = Infinity
      for (const c of [column - 1, column, column + 1]) {
        const loc = join(c, Math.round((p.y / HALF - sunk(c)) / 2) + r0)
        const q = centre(loc)
        const d = Math.hypot(q.x - p.x, q.y - p.y)
        if (d < near) [best, near] = [loc, d]
      }
      return known.has(best) ? best : null
    },
    around: (loc) => ring(loc).filter((n) => known.has(n)),
    step(loc, key) {
      const [c, r] = split(loc)
      const ways = /** @type {Record<string, string[]>} */ ({
        ArrowUp: [join(c, r - 1)],
        ArrowDown: [join(c, r + 1)],
        ArrowLeft: [join(c - 1, r), ...ring(loc).slice(2, 4)],
        ArrowRight: [join(c + 1, r), ...ring(loc).filter((_, i) => i === 0 || i === 5)],
      })
      return ways[key]?.find((n) => known.has(n)) ?? null
    },
    outline(locs) {
      const inside = new Set(locs)
      /** @type {Map<string, {to: string, from: Point}>} */
      const onward = new Map()
      const name = (/** @type {Point} */ p) => `${Math.round(p.x)},${Math.round(p.y)}`
      for (const loc of inside) {
        ring(loc).forEach((n, i) => {
          if (!inside.has(n)) onward.set(name(corner(loc, i)), { to: name(corner(loc, i + 1)), from: corner(loc, i) })
        })
      }
      let d = ''
      while (onward.size) {
        let at = /** @type {string} */ (onward.keys().next().value)
        let pen = 'M'
        for (let edge; (edge = onward.get(at)); at = edge.to) {
          onward.delete(at)
          d += `${pen}${edge.from.x} ${edge.from.y}`
          pen = 'L'
        }
        d += 'z'
      }
      return d
    },
  }
}

/**
 * A smooth line through points (Catmull-Rom), as many small steps.
 * @param {Point[]} points
 * @param {number} per  steps between two points
 * @returns {Point[]}
 */
export function smooth(points, per = 8) {
  if (points.length < 3) return points
  const p = [points[0], ...points, points[points.length - 1]]
  const out = [points[0]]
  for (let i = 1; i < p.length - 2; i++) {
    const [a, b, c, d] = p.slice(i - 1, i + 3)
    for (let j = 1; j <= per; j++) {
      const t = j / per
      const axis = (/** @type {'x' | 'y'} */ k) =>
        0.5 * (2 * b[k] + (c[k] - a[k]) * t + (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t + (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t ** 3)
      out.push({ x: axis('x'), y: axis('y') })
    }
  }
  return out
}

/** The line of a path: along printed ways, or smooth through the middles. @param {Places} places @param {string[]} path */
export const pathLine = (places, path) => places.line?.(path) ?? smooth(path.map((loc) => places.centre(loc)))

/**
 * A line shortened at its end.
 * @param {Point[]} line
 * @param {number} cut  units
 * @returns {Point[]}
 */
export function shorten(line, cut) {
  const out = [...line]
  while (out.length > 1) {
    const [a, b] = out.slice(-2)
    const length = Math.hypot(b.x - a.x, b.y - a.y)
    if (length > cut) {
      const t = cut / length
      out[out.length - 1] = { x: b.x + (a.x - b.x) * t, y: b.y + (a.y - b.y) * t }
      return out
    }
    cut -= length
    out.pop()
  }
  return out
}

/** Path text of an open line. @param {Point[]} line */
export const pathText = (line) => line.map((p, i) => `${i ? 'L' : 'M'}${round(p.x)} ${round(p.y)}`).join('')

/** Degrees of the way from one point to another. @param {Point} a @param {Point} b */
export const heading = (a, b) => (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI
