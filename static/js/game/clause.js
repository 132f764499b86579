// @ts-check
// Clause numbers as links: our short words for a clause, in a pop-over.
import { h } from './dom.js'

export class Clauses {
  /** @param {import('./texts.js').Texts} texts @param {string} title */
  constructor(texts, title) {
    this.texts = texts
    this.title = title
    this.pop = h('div.clause-pop', { popover: 'auto', role: 'dialog' })
    document.body.append(this.pop)
  }

  /** @param {string | null | undefined} id */
  link(id) {
    if (!id) return null
    const a = h(
      'button.clause',
      {
        type: 'button',
        'aria-label': this.texts.t('game.clause', { id }),
        onclick: (/** @type {Event} */ e) => {
          e.stopPropagation()
          this.open(id, a)
        },
      },
      id.includes('.') ? id : `§${id}`, // else it passes for a figure
    )
    return a
  }

  /** @param {string} id @param {HTMLElement} by */
  open(id, by) {
    this.show(id)
    this.pop.showPopover()
    const at = by.getBoundingClientRect(),
      { offsetWidth: w, offsetHeight: hgt } = this.pop
    this.pop.style.left = `${Math.max(8, Math.min(at.left, innerWidth - w - 8))}px`
    this.pop.style.top = `${at.bottom + hgt + 8 < innerHeight ? at.bottom + 6 : Math.max(8, at.top - hgt - 6)}px`
  }

  /** Clause and neighbours in the order of the rules, and the way to all of them. @param {string} id */
  show(id) {
    const t = this.texts
    const key = `clause.${id}`,
      title = `clause.${id}.title`
    const all = t.clauses()
    const at = all.indexOf(id)
    const step = (/** @type {number} */ to, /** @type {string} */ word) => {
      const next = at < 0 ? undefined : all[to]
      return next && h('button.quiet', { type: 'button', onclick: () => this.show(next) }, t.t(word, { id: next }))
    }
    this.pop.replaceChildren(
      h('h3', {}, h('span.no', {}, id), t.has(title) ? t.t(title) : ''),
      h('p', {}, t.has(key) ? t.t(key) : t.t('game.clause_unknown')),
      h(
        'footer',
        {},
        step(at - 1, 'game.clause_before'),
        step(at + 1, 'game.clause_next'),
        h('a', { href: `/titles/${this.title}/rules#c${id}`, target: '_blank' }, t.t('game.clause_all')),
      ),
    )
  }
}
