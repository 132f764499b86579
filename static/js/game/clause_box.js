// @ts-check
// The words of a clause beside what names it, with the clauses before and after it and the way to all of them.
import { h } from './dom.js'

/** @typedef {import('./clause.js').Clauses} Clauses */

const pop = h('div.clause-pop', { popover: 'auto', role: 'dialog' })
document.body.append(pop)

/** @param {Clauses} clauses @param {string} id @param {HTMLElement} by */
export function openClause(clauses, id, by) {
  show(clauses, id)
  pop.showPopover()
  const at = by.getBoundingClientRect(),
    { offsetWidth: w, offsetHeight: hgt } = pop
  pop.style.left = `${Math.max(8, Math.min(at.left, innerWidth - w - 8))}px`
  pop.style.top = `${at.bottom + hgt + 8 < innerHeight ? at.bottom + 6 : Math.max(8, at.top - hgt - 6)}px`
}

/** @param {Clauses} clauses @param {string} id */
function show(clauses, id) {
  const t = clauses.texts,
    all = numbers(t),
    at = all.indexOf(id)
  const step = (/** @type {number} */ to, /** @type {string} */ word) => {
    const next = at < 0 ? undefined : all[to]
    return next && h('button.quiet', { type: 'button', onclick: () => show(clauses, next) }, t.t(word, { id: next }))
  }
  const key = `clause.${id}`,
    title = `${key}.title`
  pop.replaceChildren(
    h('h3', {}, h('span.no', {}, id), t.has(title) ? t.t(title) : ''),
    h('p', {}, t.has(key) ? t.t(key) : t.t('game.clause_unknown')),
    h(
      'footer',
      {},
      step(at - 1, 'game.clause_before'),
      step(at + 1, 'game.clause_next'),
      h('a', { href: `/titles/${clauses.title}/rules#c${id}`, target: '_blank' }, t.t('game.clause_all')),
    ),
  )
}

/** All clauses in their order. @param {import('./texts.js').Texts} t @returns {string[]} */
function numbers(t) {
  const found = Object.keys(t.catalogue).flatMap((key) => /^clause\.(.+)\.title$/.exec(key)?.[1] ?? [])
  return found.sort(new Intl.Collator('en', { numeric: true }).compare)
}
