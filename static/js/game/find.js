// @ts-check
// Finding a space, a town or a unit by what one types.
import { byId, fill, h } from './dom.js'
import { narrow } from './plan.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {{label: string, at: string, unit?: string}} Found */

const SHOWN = 8

/** Without accents and capitals. @param {string} text */
const plain = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()

/** Spaces by number or name, then units that this eye sees on the map. @param {Ctx} ctx @param {string} typed @returns {Found[]} */
export function search(ctx, typed) {
  const wanted = plain(typed.trim())
  if (!wanted) return []
  const { texts, store } = ctx
  /** @type {(Found & {rank: number})[]} */
  const found = []
  const rank = (/** @type {string} */ text) => {
    const words = plain(text)
    return words === wanted ? 0 : words.startsWith(wanted) ? 1 : words.includes(wanted) ? 2 : 9
  }
  for (const [at, { name }] of texts.names.places) {
    const best = Math.min(rank(at), name ? rank(name) : 9)
    if (best < 9) found.push({ label: texts.place(at), at, rank: best })
  }
  for (const [at, space] of store.kind('space'))
    for (const { id } of space.units ?? (space.top ? [space.top] : [])) {
      const best = Math.min(rank(id), rank(texts.unit(id)))
      if (best < 9) found.push({ label: `${texts.unit(id)}, ${texts.place(at)}`, at, unit: id, rank: best + 3 })
    }
  return found.sort((a, b) => a.rank - b.rank || a.label.localeCompare(b.label, texts.lang, { numeric: true })).slice(0, SHOWN)
}

export class Find {
  /** @param {Ctx} ctx @param {{choose: (found: Found) => void}} opts */
  constructor(ctx, opts) {
    this.ctx = ctx
    this.opts = opts
    this.input = /** @type {HTMLInputElement} */ (
      h('input', {
        type: 'search',
        autocomplete: 'off',
        'aria-label': ctx.texts.t('game.find.what'),
        placeholder: ctx.texts.t('game.find.what'),
        oninput: () => this.draw(),
        onkeydown: (/** @type {KeyboardEvent} */ e) => {
          if (e.key === 'Enter') this.choose(this.found[0])
          else if (e.key === 'Escape') this.pop.hidePopover() // at once: a search field would first be emptied
        },
      })
    )
    this.list = h('ul', {})
    this.pop = h('div.find-pop', { popover: 'auto' }, this.input, h('div', { role: 'status' }, this.list))
    document.body.append(this.pop)
    /** @type {Found[]} */
    this.found = []
  }

  open() {
    const at = byId('map').getBoundingClientRect()
    this.pop.style.left = `${narrow() ? 8 : at.left + 64}px`
    this.pop.style.top = `${at.top + 14}px`
    this.pop.showPopover()
    this.input.select()
    this.input.focus()
  }

  /** @param {Found | undefined} found */
  choose(found) {
    if (!found) return
    this.pop.hidePopover()
    this.opts.choose(found)
  }

  draw() {
    this.found = search(this.ctx, this.input.value)
    fill(
      this.list,
      this.found.map((one) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', onclick: () => this.choose(one) },
            one.unit ? this.ctx.mini(one.unit, { size: 30 }) : null,
            one.label,
          ),
        ),
      ),
      this.input.value.trim() && !this.found.length ? h('li.empty', {}, this.ctx.texts.t('game.find.nothing')) : null,
    )
  }
}
