// @ts-check
// What the answer at hand needs of the other side, in words by the buttons that give it.
import { h } from './dom.js'

/** @typedef {{least: number, most: number | null}} Needs */

/** @param {import('./decision.js').Decision} decision */
export function drawNeeds(decision) {
  const words = decision.host.bar.querySelector('.words')
  words?.querySelector('.needs')?.remove()
  const needs = needsNow(decision)
  if (needs) words?.append(h('p.hint.needs', {}, decision.ctx.texts.t(...wording(needs))))
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

/** @param {Needs} needs @returns {[string, {n?: number}]} */
function wording({ least, most }) {
  if (most === 0) return ['needs.nobody', {}]
  if (least === most) return ['needs.exactly', { n: least }]
  if (least) return ['needs.at_least', { n: least }]
  return most === null ? ['needs.open', {}] : ['needs.at_most', { n: most }]
}
