// @ts-check
// What can be said of a space whoever stands there: whose land it is, what the chosen units pay for it, and who comes there.
import { h } from './dom.js'
import { MoveDraft } from './move.js'

/** @typedef {import('./decision.js').Decision} Decision */

const STACKS = 10 // asked at most, the nearest first
const SEARCHED = 500 // spaces around, to find them
/** @type {Map<string, Promise<import('./protocol.js').Reach | null>>} what was asked of the question that is open */
const asked = new Map()
/** @type {any} the question */
let open = null

/** Written below the heading of the space's card. @param {Decision} decision @param {string} loc @param {HTMLElement} card */
export async function drawGround(decision, loc, card) {
  const { ctx, marks, request } = decision
  const t = ctx.texts,
    country = t.names.places.get(loc)?.country,
    cost = marks.reach?.cost[loc]
  const say = (/** @type {any[]} */ ...words) => void card.querySelector('header')?.append(h('p.ground', {}, words))
  if (country && t.has(`nation.${country}`)) say(t.t('game.ground.country', { country: { key: `nation.${country}` } }))
  if (cost !== undefined) say(t.t('game.text.cost', { cost }))
  const form = decision.tools.find((tool) => tool.leads)?.form
  if (!form?.stacks || ctx.store.space(loc)?.count) return
  if (open !== request) asked.clear()
  open = request
  /** @type {[string, number][]} */
  const comers = []
  for (const from of nearest(ctx, form.stacks, loc)) {
    const reach = await reachOf(ctx, form, from)
    if (!card.isConnected) return
    if (reach?.cost[loc] !== undefined) comers.push([from, reach.cost[loc]])
  }
  if (!comers.length) return say(t.t('game.ground.nobody'))
  const links = comers.map(([from, n], i) => [
    i ? ', ' : ' ',
    h('button.place', { type: 'button', data: { key: `from-${from}` }, onclick: () => ctx.focus(from) }, t.place(from)),
    ` ${t.t('game.ground.for', { n })}`,
  ])
  say(t.t('game.ground.comes'), links)
}

/** Stacks that can move, the nearest to a space first. @param {import('./decision.js').Ctx} ctx @param {Record<string, any>} stacks @param {string} loc */
function nearest(ctx, stacks, loc) {
  const known = new Set([loc]),
    found = []
  for (const at of known) {
    if (stacks[at]) found.push(at)
    if (found.length >= STACKS || known.size > SEARCHED) break
    for (const next of ctx.around(at)) known.add(next)
  }
  return found
}

/** Where those of a stack come that go at its first unit's pace. @param {import('./decision.js').Ctx} ctx @param {any} form @param {string} from */
function reachOf(ctx, form, from) {
  const draft = new MoveDraft(form, ctx.around)
  draft.pick(from, (id) => ctx.units[id]?.mobility ?? '')
  const key = `${form.form} ${from}`
  if (!asked.has(key)) asked.set(key, ctx.survey(draft.question()).then((reach) => (draft.take(reach), draft.reach)).catch(() => null))
  return /** @type {Promise<import('./protocol.js').Reach | null>} */ (asked.get(key))
}
