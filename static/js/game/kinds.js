// @ts-check
// What tells groups of counters apart that go by one name.

/** @typedef {import('./protocol.js').Group} Group */
/** @typedef {import('./decision.js').Ctx} Ctx */

const FEW = 3 // places that can be named

/** What may tell a group from its namesakes, the plainest first; "" is nothing. @type {((ctx: Ctx, group: Group) => string)[]} */
const SIGNS = [
  (ctx, group) => ofAll(ctx, group, 'nation'),
  (ctx, group) => ofAll(ctx, group, 'type'),
  (ctx, group) => (group.where.length > FEW ? '' : named(ctx.texts, group.where, (loc) => ctx.texts.place(loc))),
  (ctx, group) => (group.units.length > 1 ? '' : named(ctx.texts, group.units, (id) => ctx.texts.unit(id))),
]

/** Nation or type of all its counters, in words. @param {Ctx} ctx @param {Group} group @param {'nation' | 'type'} kind */
function ofAll({ units, texts }, group, kind) {
  const all = new Set(group.units.map((id) => units[id]?.[kind]))
  const key = `${kind}.${[...all][0]}`
  return all.size === 1 && texts.has(key) ? texts.t(key) : ''
}

/** @param {import('./texts.js').Texts} texts @param {string[]} ids @param {(id: string) => string} name */
const named = (texts, ids, name) => texts.lists.format([...new Set(ids.map(name))])

/**
 * What stands beside a group's name: as much of it as tells it from the others of that name, "" where it has none.
 * @param {Ctx} ctx @param {Group[]} groups @param {Group} group @returns {string}
 */
export function apart(ctx, groups, group) {
  const name = ctx.texts.say(group.label)
  let others = groups.filter((other) => other !== group && ctx.texts.say(other.label) === name)
  const said = []
  for (const sign of SIGNS) {
    const own = sign(ctx, group)
    if (!own || !others.some((other) => sign(ctx, other) !== own)) continue
    said.push(own)
    others = others.filter((other) => sign(ctx, other) === own)
  }
  return said.join(', ')
}
