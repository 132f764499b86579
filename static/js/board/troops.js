// @ts-check
/**
 * Troops in their formations: blocks whose shape is the formation and whose bright edge is the front, turned to where
 * they face, on one hex or on several; leaders beside them. Shapes are those of app/sheet/faces/formation.py.
 *
 * @typedef {import('./geometry.js').Places} Places
 * @typedef {import('./geometry.js').Point} Point
 * @typedef {{face?: string, type?: string, nation?: string, band?: string, parts?: number, figures?: string[], abbrev?: string, name?: string}} Piece
 * @typedef {import('./counters.js').Unit & {facing?: string, formation?: string, on?: string[]}} Standing
 * @typedef {import('./counters.js').Space & {units?: Standing[], markers?: {id: string, kind: string, badges?: string[]}[]}} Ground
 * @typedef {import('./areas.js').How} How
 * @typedef {{text: string, x: number, y: number, size: number}} Figure  one figure of a block, from its middle
 */
import { SIZE, counter, stack } from './counters.js'
import { svg } from './dom.js'
import { degrees } from './geometry.js'

const FACE = 'formation' // the face of a piece that is drawn so
const USUAL = 'column'
const DRAWN = 3 // blocks of a stack that are drawn
const FAN = [5, -4] // from one block of a stack to the one under it
const BESIDE = 0.6 // size of a leader beside troops
const FIRST = 14.5 // size of the first figure, and of the others
const OTHERS = 12.5
const MOST = 3 // figures of full size; more of them are drawn smaller in the same room
const SHRUNK = 0.82
/** Corners of a hex in which the badges of its block stand, the first that are clear of its figures. */
const CORNERS = [[25, 20], [-25, 20], [25, -20], [-25, -20]]
const TAKEN = { count: CORNERS[1], leader: CORNERS[2], flag: CORNERS[2] }
const CLEAR = 12.5 // between the middles of a badge and of a figure
const NAME = { below: 34, behind: 22 } // where a unit's name stands
const CARDINAL = 0.2 // of a turn: a block that runs from north to south

/** The places of a map on which troops stand. @param {Places} places @param {Record<string, Piece>} units @returns {Places} */
export function withTroops(places, units) {
  return { ...places, camp: (space, loc, how) => camp(/** @type {Ground} */ (space), loc, how, places, units) }
}

/** All that stands at a place, what begins at another left out. @param {Ground} space @param {string} loc @param {How} how @param {Places} places @param {Record<string, Piece>} units @returns {SVGElement | null} */
function camp(space, loc, how, places, units) {
  const at = places.centre(loc)
  if (!space.units) return stack(space, at, how)
  const here = space.units.filter((u) => !how.away?.has(u.id) && (u.on?.[0] ?? loc) === loc)
  const blocks = here.filter((u) => units[u.id]?.face === FACE)
  const others = [...here.filter((u) => !blocks.includes(u)), ...(space.markers ?? [])]
  if (!blocks.length && !others.length) return null
  const node = svg('g', { class: `stack camp side-${space.side ?? ''}` })
  const taken = [...(blocks.length > 1 ? [TAKEN.count] : []), ...(others.length ? [TAKEN.leader] : [])]
  const chosen = (/** @type {Standing} */ u) => Boolean(how.selected?.has(u.id))
  const order = [...blocks.filter(chosen), ...blocks.filter((u) => !chosen(u))].slice(0, DRAWN)
  order.reverse().forEach((u, i) => {
    const under = order.length - 1 - i
    const top = middleOf(u, at, places)
    node.append(block(u, units[u.id], { x: top.x + under * FAN[0], y: top.y + under * FAN[1] }, chosen(u), !under, taken))
  })
  others.forEach((piece, i) => node.append(beside(piece, at, i, blocks.length > 0, Boolean(how.selected?.has(piece.id)))))
  if (blocks.length > 1) node.append(disc(blocks.length, at))
  return node
}

/** Where a block is drawn: of one on several hexes the middle of its line, or its foremost hex. @param {Standing} unit @param {Point} at @param {Places} places @returns {Point} */
function middleOf({ on = [], formation, facing }, at, places) {
  const there = on.filter(places.has).map(places.centre)
  if (there.length < 2 || deep(formation, facing)) return at
  return { x: there.reduce((sum, p) => sum + p.x, 0) / there.length, y: there.reduce((sum, p) => sum + p.y, 0) / there.length }
}

/** Whether a formation over several hexes lies behind its foremost one: it faces a hexside. @param {string | undefined} formation @param {string | undefined} facing */
const deep = (formation, facing) => formation !== 'skirmish' && degrees(facing) % 60 === 0

/** One block around a point; `taken`: corners in which something else stands. @param {Standing} unit @param {Piece} piece @param {Point} at @param {boolean} selected @param {boolean} named @param {number[][]} taken @returns {SVGElement} */
function block(unit, piece, at, selected, named, taken) {
  const badges = unit.badges ?? []
  const shape = shapeOf(unit, piece)
  const turn = shape && 'fixed' in shape.dataset ? 0 : degrees(unit.facing)
  const classes = ['counter', 'ctr', 'troops', unit.formation ?? USUAL, piece.nation ?? '', piece.band ?? '', (piece.parts ?? 1) > 1 ? `parts-${piece.parts}` : '', ...badges.map((b) => `is-${b}`), selected ? 'selected' : '']
  const node = svg('g', { class: classes.filter(Boolean).join(' '), 'data-unit': unit.id, transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})` })
  node.append(svg('use', { href: `#${shape?.id ?? ''}`, ...(turn ? { transform: `rotate(${turn})` } : {}) }))
  if (shape && 'flag' in shape.dataset) node.append(svg('use', { href: '#f-flag' }))
  const told = shape ? figures(piece.figures ?? [], shape, turn) : []
  if (told.length) node.append(drawn(told))
  if (named) node.append(name(piece.abbrev ?? piece.name ?? '', turn, shape))
  const spots = corners(told, shape && 'flag' in shape.dataset ? [...taken, TAKEN.flag] : taken)
  badges
    .filter((b) => document.getElementById(`badge-${b}`))
    .slice(0, spots.length)
    .forEach((b, i) => node.append(svg('use', { class: 'badge-use', href: `#badge-${b}`, x: spots[i][0], y: spots[i][1] })))
  return node
}

/** The corners for badges: those clear of figures and of what else stands there, then the others. @param {Figure[]} told @param {number[][]} taken */
function corners(told, taken) {
  const clear = (/** @type {number[]} */ spot) => !taken.includes(spot) && told.every(({ x, y }) => Math.hypot(x - spot[0], y - spot[1]) > CLEAR)
  return [...CORNERS.filter(clear), ...CORNERS.filter((spot) => !clear(spot))]
}

/** The shape of a formation, the usual one where there is none of its own. @param {Standing} unit @param {Piece} piece @returns {SVGElement | null} */
function shapeOf({ formation = USUAL, on = [] }, { type = '' }) {
  const two = on.length > 1 ? '-2' : ''
  const found = [`f-${formation}-${type}${two}`, `f-${formation}-${type}`, `f-${USUAL}-${type}${two}`, `f-limbered-${type}`]
  return /** @type {SVGElement | null} */ (/** @type {unknown} */ (found.map((id) => document.getElementById(id)).find(Boolean) ?? null))
}

/** Where figures stand upright on a turned block: along it, or from front to rear. @param {string[]} told @param {SVGElement} shape @param {number} turn @returns {Figure[]} */
function figures(told, shape, turn) {
  const { mid = '0', gap = '0' } = shape.dataset
  const lengthwise = 'deep' in shape.dataset
  const [fx, fy] = [Math.sin((turn * Math.PI) / 180), -Math.cos((turn * Math.PI) / 180)]
  let [ax, ay] = lengthwise ? [-fx, -fy] : [-fy, fx]
  if (ax < -0.01 || (Math.abs(ax) < 0.02 && ay < 0)) [ax, ay] = [-ax, -ay]
  const spread = Number(gap) * (told.length === 2 ? (lengthwise ? 2 : 1.35) : Math.min(1, 2 / (told.length - 1)))
  const shrunk = told.length > MOST ? SHRUNK : 1
  return told.map((text, i) => {
    const along = spread * (i - (told.length - 1) / 2)
    return { text, x: fx * Number(mid) + ax * along, y: fy * Number(mid) + ay * along, size: (i ? OTHERS : FIRST) * shrunk }
  })
}

/** @param {Figure[]} told @returns {SVGElement} */
function drawn(told) {
  const node = svg('g', { class: 'tr-figures' })
  for (const { text, x, y, size } of told) node.append(svg('text', { x: x.toFixed(1), y: (y + size * 0.335).toFixed(1), 'font-size': size.toFixed(1) }, text))
  return node
}

/** The name of a unit: below its block, behind one that runs from north to south. @param {string} text @param {number} turn @param {SVGElement | null} shape */
function name(text, turn, shape) {
  const upright = Math.abs(Math.cos((turn * Math.PI) / 180)) < CARDINAL && shape && !('deep' in shape.dataset)
  if (!upright) return svg('text', { class: 'tr-name', y: NAME.below }, text)
  const east = turn < 180
  return svg('text', { class: `tr-name ${east ? 'end' : 'start'}`, x: (east ? -1 : 1) * (NAME.behind - 10), y: 3 }, text)
}

/** A leader or marker: small beside troops. @param {{id: string, kind?: string, badges?: string[]}} piece @param {Point} at @param {number} i @param {boolean} small @param {boolean} selected */
function beside(piece, at, i, small, selected) {
  const own = document.getElementById(`c-${piece.id}`) ? `c-${piece.id}` : `marker-${piece.kind ?? ''}`
  const size = small ? BESIDE : 1
  const x = at.x - (SIZE * size) / 2 + (small ? 24 - i * 14 : i * 8)
  const y = at.y - (SIZE * size) / 2 - (small ? 26 : i * 6)
  const node = counter(own, { badges: piece.badges, selected })
  return svg('g', { class: 'beside', transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})scale(${size})` }, node)
}

/** How many blocks stand here. @param {number} count @param {Point} at */
function disc(count, { x, y }) {
  const text = svg('text', { y: 3.9 }, String(count))
  return svg('g', { transform: `translate(${x - 27} ${y + 20})` }, svg('g', { class: 'stack-count grow' }, svg('circle', { r: 7.6 }), text))
}
