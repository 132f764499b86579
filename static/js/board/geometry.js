// @ts-check
/**
 * Where places are on the sheet. Cells, ids and directions are those of rules/maps/hexes.py, held to the same vectors:
 * hexsides 0 to 5 are N, NE, SE, S, SW, NW. Units and origin are those of app/sheet/hexsheet.py: hex radius 40, the
 * centre of the first column and row at 0,0.
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
 * @property {(loc: string) => string[]} [cities]  places whose counters stand with those of this one when seen from afar
 * @property {(loc: string) => string | null} [host]  the place with which this one's counters stand then
 * @property {(space: import('./counters.js').Space, loc: string, how: import('./areas.js').How) => SVGElement | null} [camp]  draws what stands at a place that holds several stacks
 * @property {(path: string[]) => Point[]} [line]  a path along the printed ways; without it, through the middles
 * @property {(map: Element) => void} [follow]  take the printed ways from the drawn sheet
 */

export const RADIUS = 40
const HALF = (RADIUS * Math.sqrt(3)) / 2
const HIGH = [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 0], [-1, -1]]
const LOW = [[0, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]]
const EAST = 2 // the side at whose first corner outlines begin
export const FACINGS = ['N', 'NNE', 'NE', 'E', 'SE', 'SSE', 'S', 'SSW', 'SW', 'W', 'NW', 'NNW']

/** @param {number} v */
const round = (v) => Math.round(v * 10) / 10

/** @typedef {{prefix?: string, digits?: [number, number], shift?: [number, number]}} Label */

/** The cell that an id names. @param {string} id @param {Label[]} labels @returns {[number, number]} */
function labelled(id, labels) {
  for (const { prefix = '', digits: [wide, high] = [2, 2], shift = [0, 0] } of labels) {
    const figures = id.slice(prefix.length)
    if (id.startsWith(prefix) && figures.length === wide + high && /^\d+$/.test(figures)) {
      return [Number(figures.slice(0, wide)) + shift[0], Number(figures.slice(wide)) + shift[1]]
    }
  }
  throw new Error(`not a hex id: ${id}`)
}

/**
 * Places of a flat-topped hex map.
 * @param {{grid: {lower_columns: string, labels?: Label[]}, hexes: Record<string, {at?: [number, number]}>}} map  map.json
 * @returns {Places}
 */
export function hexPlaces(map) {
  const labels = map.grid.labels?.length ? map.grid.labels : [{}]
  const low = map.grid.lower_columns === 'odd' ? 1 : 0
  /** @type {Map<string, [number, number]>} */
  const cells = new Map(Object.entries(map.hexes).map(([loc, hex]) => [loc, hex.at ?? labelled(loc, labels)]))
  const key = (/** @type {number} */ c, /** @type {number} */ r) => c * 65536 + r
  const ids = new Map([...cells].map(([loc, [c, r]]) => [key(c, r), loc]))
  const all = [...cells.keys()]
  const c0 = [...cells.values()].reduce((least, [c]) => Math.min(least, c), Infinity)
  const r0 = [...cells.values()].reduce((least, [, r]) => Math.min(least, r), Infinity)
  const sunk = (/** @type {number} */ c) => (Math.abs(c % 2) === low ? 1 : 0)
  /** @param {number} c @param {number} r */
  const middle = (c, r) => ({ x: (c - c0) * 1.5 * RADIUS, y: (2 * (r - r0) + sunk(c)) * HALF })
  const cell = (/** @type {string} */ loc) => cells.get(loc) ?? [NaN, NaN]
  /** What lies over each hexside, in their order; null off the map. @param {string} loc */
  const ring = (loc) => {
    const [c, r] = cell(loc)
    return (sunk(c) ? LOW : HIGH).map(([dc, dr]) => ids.get(key(c + dc, r + dr)) ?? null)
  }
  const centre = (/** @type {string} */ loc) => middle(...cell(loc))
  /** The corner where a hexside begins, clockwise. @param {string} loc @param {number} side */
  const corner = (loc, side) => {
    const { x, y } = centre(loc)
    const turn = (Math.PI * (side - EAST)) / 3
    return { x: round(x + RADIUS * Math.cos(turn)), y: round(y + RADIUS * Math.sin(turn)) }
  }

  return {
    all,
    has: (loc) => cells.has(loc),
    centre,
    room: 1.5 * RADIUS,
    at(p) {
      const column = c0 + Math.round(p.x / (1.5 * RADIUS))
      let best = null
      let near = Infinity
      for (const c of [column - 1, column, column + 1]) {
        const r = Math.round((p.y / HALF - sunk(c)) / 2) + r0
        const q = middle(c, r)
        const d = Math.hypot(q.x - p.x, q.y - p.y)
        if (d < near) [best, near] = [ids.get(key(c, r)) ?? null, d]
      }
      return best
    },
    around: (loc) => ring(loc).filter((n) => n !== null),
    step(loc, arrow) {
      const [c, r] = cell(loc)
      const [n, ne, se, s, sw, nw] = ring(loc)
      const ways = /** @type {Record<string, (string | null | undefined)[]>} */ ({
        ArrowUp: [n],
        ArrowDown: [s],
        ArrowLeft: [ids.get(key(c - 1, r)), sw, nw],
        ArrowRight: [ids.get(key(c + 1, r)), se, ne],
      })
      return ways[arrow]?.find((there) => there != null) ?? null
    },
    outline(locs) {
      const inside = new Set(locs)
      /** @type {Map<string, {to: string, from: Point}>} */
      const onward = new Map()
      const name = (/** @type {Point} */ p) => `${Math.round(p.x)},${Math.round(p.y)}`
      for (const loc of inside) {
        ring(loc).forEach((n, i) => {
          if (n === null || !inside.has(n)) onward.set(name(corner(loc, i)), { to: name(corner(loc, i + 1)), from: corner(loc, i) })
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

/** @typedef {{at: string, facing: string | null, formation: string | null}} Stance */

/** What a step of a path says: `B1512`, `B1512@NE` or `B1512@NE/column`. @param {string} step @returns {Stance} */
export function stanceOf(step) {
  const [at, rest = ''] = step.split('@')
  const [facing, formation] = rest.split('/')
  return { at, facing: facing || null, formation: formation || null }
}

/** Degrees clockwise from the north. @param {string | null | undefined} facing */
export const degrees = (facing) => 30 * Math.max(0, FACINGS.indexOf(facing ?? 'N'))

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
