// @ts-check
// The game in numbers, from what was told: strength and losses over time, dice against what was to be expected.
import { fold } from './film.js'

/** @typedef {import('./store.js').Entry} Entry */
/** @typedef {{turn: number, strength: Record<string, number>, lost: Record<string, number>}} Sample after a phase */
/** @typedef {{sides: number, low: number, faces: number[], n: number, sum: number, mean: number}} Die `faces`: how often each came, from the lowest; `mean`: to be expected */
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

/** Rolls by side, of one kind of die each. @param {Entry[]} entries @returns {Record<string, Die[]>} */
export function dice(entries) {
  /** @type {Record<string, Map<number, number[]>>} */
  const rolled = {}
  /** @type {Map<number, number>} the lowest face by kind of die */
  const lowest = new Map()
  for (const entry of entries) {
    if (entry.retracted || !entry.sides) continue
    for (const { side, data } of entry.steps) {
      if (typeof data?.roll !== 'number' || !side) continue
      const low = data.odds?.faces?.[0]?.roll ?? Math.min(1, data.roll)
      lowest.set(entry.sides, Math.min(low, lowest.get(entry.sides) ?? 1))
      const of = (rolled[side] ??= new Map())
      of.set(entry.sides, [...(of.get(entry.sides) ?? []), data.roll])
    }
  }
  const made = (/** @type {Map<number, number[]>} */ by) => [...by].map(([sides, rolls]) => die(sides, rolls, lowest.get(sides) ?? 1))
  return Object.fromEntries(Object.entries(rolled).map(([side, by]) => [side, made(by)]))
}

/** @param {number} sides @param {number[]} rolls @param {number} low @returns {Die} */
function die(sides, rolls, low) {
  const faces = Array(sides).fill(0)
  for (const roll of rolls) faces[roll - low]++
  return { sides, low, faces, n: rolls.length, sum: rolls.reduce((a, b) => a + b, 0), mean: low + (sides - 1) / 2 }
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
