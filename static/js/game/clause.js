// @ts-check
// Clause numbers as links: our short words for a clause, in a pop-over that comes with the first of them (clause_box.js).
import { h } from './dom.js'

export class Clauses {
  /** @param {import('./texts.js').Texts} texts @param {string} title */
  constructor(texts, title) {
    this.texts = texts
    this.title = title
  }

  /** @param {string | null | undefined} id */
  link(id) {
    if (!id) return null
    const a = h(
      'button.clause',
      {
        type: 'button',
        'aria-label': this.texts.t('game.clause', { id }),
        onclick: async (/** @type {Event} */ e) => {
          e.stopPropagation()
          ;(await import('./clause_box.js')).openClause(this, id, a)
        },
      },
      id.includes('.') ? id : `§${id}`, // else it passes for a figure
    )
    return a
  }
}
