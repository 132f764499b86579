// @ts-check
// Where the map opens: where this player has most to do.

/** @typedef {import('./decision.js').Ctx} Ctx */

/** Weight of each unit of a force by how many spaces the enemy is away; farther off it is 1. */
const NEAR = [4, 3, 2]

/**
 * The place to show first: during a set-up the own area, in an attack the enemy, else the largest own force near one that can move.
 * @param {Ctx} ctx @returns {string | null}
 */
export function opening(ctx) {
  const { request, fragments } = ctx.store
  if (fragments.battle?.board) return fragments.battle.target
  for (const form of request?.forms ?? []) {
    const spaces = Object.values(form.suggested ?? {})
    if (spaces.length) return commonest(spaces)
    if (form.groups?.length) return form.groups[0].where[0] ?? null
    if (form.targets) return Object.keys(form.targets)[0] ?? null
  }
  return fragments.battle?.target ?? force(ctx)
}

/** @param {string[]} spaces */
function commonest(spaces) {
  /** @type {Record<string, number>} */
  const times = {}
  for (const loc of spaces) times[loc] = (times[loc] ?? 0) + 1
  return Object.keys(times).reduce((best, loc) => (times[loc] > times[best] ? loc : best))
}

/** @param {Ctx} ctx */
function force(ctx) {
  const stacks = (ctx.store.request?.forms ?? []).flatMap((/** @type {any} */ form) => Object.keys(form.stacks ?? {}))
  /** @type {string | null} */
  let best = null
  let most = 0
  for (const [loc, space] of ctx.store.kind('space')) {
    if (!space.units || !space.count || (stacks.length && !stacks.includes(loc))) continue
    const weight = space.count * (NEAR[distance(ctx, loc, space.side) - 1] ?? 1)
    if (weight > most) [best, most] = [loc, weight]
  }
  return best
}

/** How many spaces to the next enemy, as far as `NEAR` cares. @param {Ctx} ctx @param {string} from @param {string} side */
function distance(ctx, from, side) {
  const known = new Set([from])
  let rim = [from]
  for (let far = 1; far <= NEAR.length; far++) {
    rim = rim.flatMap((loc) => ctx.around(loc)).filter((loc) => !known.has(loc) && known.add(loc))
    for (const loc of rim) {
      const space = ctx.store.space(loc)
      if (space?.count && space.side !== side) return far
    }
  }
  return Infinity
}
