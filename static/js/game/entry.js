// @ts-check
// Where the map opens: where this player has most to do.

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {import('./tool.js').Tool} Tool */

/** Weight of each unit of a force by how many spaces the enemy is away; farther off it is 1. */
const NEAR = [4, 3, 2]

/**
 * The place to show first: what a tool says (during a set-up the own area, in an attack the enemy), else the largest own
 * force near one that can move.
 * @param {Ctx} ctx @param {Tool[]} tools @returns {string | null}
 */
export function opening(ctx, tools) {
  const { battle } = ctx.store.fragments
  if (battle?.board) return battle.target
  for (const tool of tools) {
    const at = tool.opening()
    if (at) return at
  }
  return battle?.target ?? force(ctx, tools.filter((tool) => tool.leads).flatMap((tool) => tool.places()))
}

/** @param {Ctx} ctx @param {string[]} stacks that can move; all, when there are none */
function force(ctx, stacks) {
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
