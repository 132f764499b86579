// @ts-check
// Steps of a path that say how the units stand there: facing and formation, as in `B1512@NE/column` (protocol, section 3).

/** @typedef {import('./move.js').Reach} Reach */
/** @typedef {{step: string, at: string, facing: string | null, formation: string | null, cost: number}} Stance */

/** @param {string} step */
export const placeOf = (step) => step.split('@', 1)[0]

/** @param {string} step @param {number} [cost] @returns {Stance} */
export function stance(step, cost = 0) {
  const [at, how = ''] = step.split('@'),
    [facing, formation] = how.split('/')
  return { step, at, facing: facing || null, formation: formation || null, cost }
}

/** The stances a reach has, by place, the cheapest first. @param {Reach} reach @returns {Map<string, Stance[]>} */
export function byPlace(reach) {
  /** @type {Map<string, Stance[]>} */
  const out = new Map()
  for (const [step, cost] of Object.entries(reach.cost)) {
    if (reach.blocked?.[step]) continue
    const one = stance(step, cost)
    out.set(one.at, [...(out.get(one.at) ?? []), one])
  }
  for (const here of out.values()) here.sort((a, b) => a.cost - b.cost)
  return out
}

/** A reach over stances as one over places: each at its least cost, on the way to its cheapest stance. @param {Reach} reach @returns {Reach} */
export function flat(reach) {
  const from = placeOf(reach.from),
    places = byPlace(reach)
  /** @type {Reach} */
  const out = { from, cost: {}, via: {}, left: reach.left, blocked: {} }
  for (const [at, [best]] of places) {
    out.cost[at] = best.cost
    let step = best.step
    while (reach.via[step] !== undefined && placeOf(step) === at) step = reach.via[step]
    if (at !== from) out.via[at] = placeOf(step)
  }
  for (const [step, why] of Object.entries(reach.blocked ?? {})) {
    const at = placeOf(step)
    if (out.cost[at] === undefined && at !== from) {
      out.cost[at] = reach.cost[step]
      out.blocked = { ...out.blocked, [at]: why }
    }
  }
  return out
}
