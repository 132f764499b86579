// @ts-check
// The game in numbers, from what was told: strength and losses over time, dice against what was to be expected.
import { fold } from './film.js'

/** @typedef {import('./store.js').Entry} Entry */
/** @typedef {{turn: number, strength: Record<string, number>, lost: Record<string, number>}} Sample after a phase */
/** @typedef {{name: string, low: number, faces: number[], chances: number[], n: number, sum: number, mean: number}} Thrown `faces`: how often each came, from the lowest, and its chance; `mean`: to be expected */
/** @typedef {{fights: number, taken: number, expectedTaken: number, given: number, expectedGiven: number}} Fights of one attacker; taken and given are units by the table */

/** Samples at every change of phase, and now. @param {Entry[]} entries in order @param {string[]} seats @param {string} dead how the keys of pools of the eliminated begin @returns {Sample[]} */
export function samples(entries, seats, dead) {
  /** @type {Record<string, any>} */
  const shown = {}
  /** @type {Record<string, number>} */
  const lost = Object.fromEntries(seats.map((seat) => [seat, 0]))
  /** @type {Sample[]} */
  const out = []
  const sample = () => {
    if (shown.turn?.turn) out.push({ turn: shown.turn.turn, strength: strengths(shown, seats), lost: { ...lost } })
  }
  for (const entry of entries.filter((e) => !e.retracted))
    for (const { fragments = {} } of entry.steps) {
      if (fragments.turn) sample()
      for (const [key, pool] of Object.entries(fragments)) {
        if (!key.startsWith(dead) || !pool) continue
        const more = pool.units.length - (shown[key]?.units.length ?? 0)
        if (more > 0 && shown.turn) lost[pool.side] += more
      }
      fold(shown, fragments)
    }
  sample()
  return out
}

/** Units on the map, by side. @param {Record<string, any>} fragments @param {string[]} seats */
function strengths(fragments, seats) {
  const of = Object.fromEntries(seats.map((seat) => [seat, 0]))
  for (const [key, space] of Object.entries(fragments)) if (key.startsWith('space:') && space?.side in of) of[space.side] += space.count ?? 0
  return of
}

/** Rolls by side, of one kind of dice each. @param {Entry[]} entries @returns {Record<string, Thrown[]>} */
export function dice(entries) {
  /** @type {Record<string, Map<string, Thrown>>} */
  const rolled = {}
  for (const entry of entries) {
    if (entry.retracted || !entry.dice) continue
    for (const { side, data } of entry.steps) {
      if (typeof data?.roll !== 'number' || !side) continue
      const by = (rolled[side] ??= new Map()),
        kind = nameOf(entry.dice)
      if (!by.has(kind)) by.set(kind, none(entry.dice))
      const of = /** @type {Thrown} */ (by.get(kind))
      of.faces[data.roll - of.low]++
      of.n++
      of.sum += data.roll
    }
  }
  return Object.fromEntries(Object.entries(rolled).map(([side, by]) => [side, [...by.values()]]))
}

/** Dice as players name them: d6, d10, 2d6. @param {import('./store.js').Dice} dice */
const nameOf = ({ low, high, n }) => `${n > 1 ? n : ''}d${high - low + 1}`

/** No throw yet. The sums of several dice are not all as likely. @param {import('./store.js').Dice} dice @returns {Thrown} */
function none({ low, high, n }) {
  const sides = high - low + 1
  let chances = [1]
  for (let die = 0; die < n; die++) {
    const more = Array(chances.length + sides - 1).fill(0)
    chances.forEach((chance, sum) => {
      for (let face = 0; face < sides; face++) more[sum + face] += chance / sides
    })
    chances = more
  }
  const faces = chances.map(() => 0)
  return { name: nameOf({ low, high, n }), low: low * n, faces, chances, n: 0, sum: 0, mean: (n * (low + high)) / 2 }
}

/** Fights by attacker: what the table took, against the mean over all faces. @param {Entry[]} entries @returns {Record<string, Fights>} */
export function fights(entries) {
  /** @type {Record<string, Fights>} */
  const out = {}
  for (const entry of entries.filter((e) => !e.retracted))
    for (const { side, data } of entry.steps) {
      const faces = data?.odds?.faces
      const face = faces?.find((/** @type {any} */ f) => f.roll === data.roll)
      if (!face || !side) continue
      const of = (out[side] ??= { fights: 0, taken: 0, expectedTaken: 0, given: 0, expectedGiven: 0 })
      const mean = (/** @type {string} */ who) => faces.reduce((/** @type {number} */ sum, /** @type {any} */ f) => sum + f[who], 0) / faces.length
      of.fights++
      of.given += face.defender
      of.expectedGiven += mean('defender')
      of.taken += face.attacker
      of.expectedTaken += mean('attacker')
    }
  return out
}
