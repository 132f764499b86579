// @ts-check
/**
 * Where the areas and boxes of an area map are on the sheet, how they touch, and how several stacks stand in one. Same
 * units as app/sheet/areasheet.py; outlines and places of stacks are those of the drawn sheet.
 *
 * @typedef {import('./geometry.js').Point} Point
 * @typedef {import('./geometry.js').Places} Places
 * @typedef {import('./counters.js').Space} Space
 * @typedef {{name: string, kind: string, at: [number, number]}} Area
 * @typedef {{name: string, area: string | null, at: [number, number], size?: [number, number]}} Box
 * @typedef {{a: string, b: string | null, kind: string, line: [number, number][]}} Border
 * @typedef {Space & {others?: Space[], markers?: {id: string, kind: string, badges?: string[]}[]}} Camp  what stands in an area
 * @typedef {{selected?: Set<string>, away?: Set<string>, less?: number, owner: (unit: string) => string, side: (unit: string) => string}} How
 */
import { SIZE, counter, stack } from './counters.js'
import { svg } from './dom.js'
import { smooth } from './geometry.js'
import { stepper } from './step.js'

const SCALE = 1.6 // sheet units per unit of map.json
const HALF = 28 // half the side of a box in an area
const SHIFT = [16, 13] // of a further stack, where a place holds more than it has room for
const BESIDE = 0.7 // size of a marker beside its stack
const WIDE = 130 // of what stands in an area seen from afar: the middles of two areas are hardly nearer
const CLOSED = ['impassable', 'edge']

/**
 * Places of a map of areas.
 * @param {{areas: Record<string, Area>, boxes?: Record<string, Box>, borders: Border[], links?: {a: string, b: string}[]}} map  map.json
 * @returns {Places}
 */
export function areaPlaces(map) {
  const boxes = map.boxes ?? {}
  const areas = Object.keys(map.areas).filter((loc) => map.areas[loc].kind !== 'void')
  const all = [...areas, ...Object.keys(boxes)]
  const scaled = (/** @type {[number, number]} */ [x, y]) => ({ x: x * SCALE, y: y * SCALE })
  /** @type {Map<string, Point[]>} the middles of the stacks of a place, the first one its own middle */
  const slots = new Map(all.map((loc) => [loc, [scaled((map.areas[loc] ?? boxes[loc]).at)]]))
  /** @type {Map<string, Set<string>>} */
  const near = new Map(all.map((loc) => [loc, new Set()]))
  /** @type {Map<string, Point[]>} where a border can be crossed, by "from to" */
  const gates = new Map()
  /** @type {Map<string, {d: string, path: Path2D}>} */
  const shapes = new Map()
  const pencil = document.createElement('canvas').getContext('2d')
  const join = (/** @type {string} */ a, /** @type {string | null} */ b) => {
    if (b === null || !near.has(a) || !near.has(b)) return
    near.get(a)?.add(b)
    near.get(b)?.add(a)
  }
  for (const { a, b, kind, line } of map.borders) {
    if (CLOSED.includes(kind)) continue
    join(a, b)
    for (const key of [`${a} ${b}`, `${b} ${a}`]) gates.set(key, [...(gates.get(key) ?? []), halfway(line.map(scaled))])
  }
  for (const { a, b } of map.links ?? []) join(a, b)
  /** @type {Map<string, string[]>} the boxes of each area */
  const inside = new Map()
  for (const [loc, { area }] of Object.entries(boxes)) {
    join(loc, area)
    if (area !== null) inside.set(area, [...(inside.get(area) ?? []), loc])
  }

  const centre = (/** @type {string} */ loc) => /** @type {Point[]} */ (slots.get(loc))[0]
  const frame = (/** @type {string} */ loc) => {
    const { x, y } = scaled(boxes[loc].at)
    const [w, h] = boxes[loc].size ?? []
    return { x, y, w: w ? (w * SCALE) / 2 : HALF, h: h ? (h * SCALE) / 2 : HALF }
  }
  /** Where the way from one area to the next crosses their border. @param {string} a @param {string} b @returns {Point[]} */
  const gate = (a, b) => {
    const from = centre(a)
    const to = centre(b)
    const far = (/** @type {Point} */ p) => Math.hypot(p.x - from.x, p.y - from.y) + Math.hypot(p.x - to.x, p.y - to.y)
    return [...(gates.get(`${a} ${b}`) ?? [])].sort((p, q) => far(p) - far(q)).slice(0, 1)
  }

  return {
    all,
    has: (loc) => slots.has(loc),
    centre,
    room: WIDE,
    cities: (loc) => inside.get(loc) ?? [],
    host: (loc) => boxes[loc]?.area ?? null,
    at(p) {
      for (const loc of Object.keys(boxes)) {
        const { x, y, w, h } = frame(loc)
        if (Math.abs(p.x - x) <= w && Math.abs(p.y - y) <= h) return loc
      }
      return areas.find((loc) => shapes.has(loc) && pencil?.isPointInPath(/** @type {any} */ (shapes.get(loc)).path, p.x, p.y, 'evenodd')) ?? null
    },
    around: (loc) => [...(near.get(loc) ?? [])],
    step: stepper(all, centre, (loc) => near.get(loc) ?? [], 1.6),
    outline: (locs) => {
      let d = ''
      for (const loc of locs) {
        if (!boxes[loc]) d += shapes.get(loc)?.d ?? ''
        else {
          const { x, y, w, h } = frame(loc)
          d += `M${(x - w).toFixed(1)} ${(y - h).toFixed(1)}h${2 * w}v${2 * h}h${-2 * w}z`
        }
      }
      return d
    },
    /** Outlines and places of stacks as drawn. @param {Element} sheet */
    follow(sheet) {
      for (const node of sheet.querySelectorAll('[data-slots]')) {
        const { area = '', box = '', slots: list = '' } = /** @type {SVGElement} */ (node).dataset
        const loc = area || box
        const numbers = list.split(' ').map(Number)
        if (!slots.has(loc) || numbers.length < 2) continue
        slots.set(loc, Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] })))
        const d = node.getAttribute('d')
        if (d) shapes.set(loc, { d, path: new Path2D(d) })
      }
    },
    line: (path) => smooth(path.flatMap((loc, i) => [...(i ? gate(path[i - 1], loc) : []), centre(loc)])),
    camp: (space, loc, how) => camp(space, /** @type {Point[]} */ (slots.get(loc)), how),
  }
}

/** The point half the way along a line. @param {Point[]} line @returns {Point} */
function halfway(line) {
  const lengths = line.slice(1).map((p, i) => Math.hypot(p.x - line[i].x, p.y - line[i].y))
  let left = lengths.reduce((sum, l) => sum + l, 0) / 2
  for (const [i, length] of lengths.entries()) {
    if (left <= length && length) {
      const [p, q] = [line[i], line[i + 1]]
      return { x: p.x + ((q.x - p.x) * left) / length, y: p.y + ((q.y - p.y) * left) / length }
    }
    left -= length
  }
  return line[0]
}

/**
 * What stands in a place: a fanned stack for each owner, on places of their own as far as there are; those a space
 * keeps from its viewer (`others`) after them, markers at the foot of the first.
 * @param {Camp} space @param {Point[]} slots @param {How} how
 * @returns {SVGElement | null}
 */
function camp(space, slots, how) {
  const piles = [...piled(space, how), ...(space.others ?? [])]
  const markers = space.markers ?? []
  const node = svg('g', { class: `stack camp side-${space.side ?? ''}` })
  let drawn = 0
  for (const pile of piles) {
    const { x, y } = slots[drawn % slots.length]
    const over = Math.floor(drawn / slots.length)
    const one = stack({ ...pile, markers: [] }, { x: x + over * SHIFT[0], y: y + over * SHIFT[1] }, { ...how, less: pile === piles[0] && !pile.units ? how.less : 0 })
    if (!one) continue
    node.append(one)
    drawn++
  }
  markers.forEach((marker, i) => {
    const x = slots[0].x + 16 - i * (SIZE * BESIDE - 6)
    const symbol = document.getElementById(`c-${marker.id}`) ? `c-${marker.id}` : `marker-${marker.kind}`
    const piece = counter(symbol, { badges: marker.badges, selected: how.selected?.has(marker.id) })
    node.append(svg('g', { class: `beside ${marker.kind}`, transform: `translate(${x} ${slots[0].y + 4})scale(${BESIDE})` }, piece))
  })
  return drawn || markers.length ? node : null
}

/** The seen units of a space by side and owner; one pile where they are not seen. @param {Space} space @param {How} how @returns {Space[]} */
function piled(space, how) {
  if (!space.units) return [space]
  /** @type {Map<string, Space>} */
  const piles = new Map()
  for (const unit of space.units) {
    const key = `${how.side(unit.id)} ${how.owner(unit.id)}`
    const pile = piles.get(key) ?? { side: how.side(unit.id) || space.side, units: [], box: space.box }
    pile.units?.push(unit)
    piles.set(key, pile)
  }
  return [...piles.values()].map((pile) => ({ ...pile, count: pile.units?.length ?? 0 }))
}
