// @ts-check
// What the answer at hand needs of the other side, in words by the buttons that give it.
import { h } from './dom.js'
import { othersOf } from './others.js'

/** @typedef {{least: number, most: number | null}} Needs */

/** @param {import('./decision.js').Decision} decision */
export function drawNeeds(decision) {
  const words = decision.host.bar.querySelector('.words')
  words?.querySelector('.needs')?.remove()
  const needs = needsNow(decision)
  if (needs) words?.append(h('p.hint.needs', {}, said(decision.ctx, needs)))
}

/** Of the answer to be confirmed, of the one prepared on the map, or of all options alike. @param {import('./decision.js').Decision} decision @returns {Needs | null} */
function needsNow({ pending, active, chooses, mapTools }) {
  const options = chooses.flatMap((c) => c.form.options)
  if (pending) return options.find((o) => o.id === pending.answer.option)?.needs ?? null
  if (active?.preview) return active.preview.needs ?? null
  return mapTools.length || !options.length ? null : options.map((o) => o.needs).reduce(either)
}

/** @param {Needs} a @param {Needs} b @returns {Needs} */
const either = (a, b) => ({
  least: Math.min(a.least, b.least),
  most: a.most === null || b.most === null ? null : Math.max(a.most, b.most),
})

/** In words; where more than two play, those of the other side are named. @param {import('./decision.js').Ctx} ctx @param {Needs} needs */
function said({ store, texts }, needs) {
  const { card, request } = store,
    [key, args] = wording(needs)
  const many = Object.keys(card?.seats ?? {}).length > 2
  return texts.t(`needs.${many ? 'of.' : ''}${key}`, many ? { ...args, who: othersOf(card, request?.seat ?? '') } : args)
}

/** @param {Needs} needs @returns {[string, {n?: number}]} */
function wording({ least, most }) {
  if (most === 0) return ['nobody', {}]
  if (least === most) return ['exactly', { n: least }]
  if (least) return ['at_least', { n: least }]
  return most === null ? ['open', {}] : ['at_most', { n: most }]
}
