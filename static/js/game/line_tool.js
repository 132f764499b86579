// @ts-check
// Placing units into numbered slots: the line of battle as a row, ordered by tapping or by dragging.
import { chance, expected, losses, mean } from './battle.js'
import { button, h } from './dom.js'
import { SLOT } from './tools.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

export class LineTool {
  /** @param {Ctx} ctx @param {any} form */
  constructor(ctx, form) {
    this.ctx = ctx
    this.form = form
    /** @type {string[]} in the order of the form */
    this.slots = [...new Set(form.groups.flatMap((/** @type {any} */ g) => g.where))]
    /** @type {string[]} */
    this.units = form.groups.flatMap((/** @type {any} */ g) => g.units)
    /** @type {Map<string, string>} slot to unit */
    this.placed = new Map()
    /** @type {string | null} */
    this.held = null
    this.take(form.suggested ?? {})
  }

  get idle() {
    return false
  }

  /** @param {Record<string, string>} placed slots by unit */
  take(placed) {
    this.placed = new Map(Object.entries(placed).map(([unit, slot]) => [slot, unit]))
  }

  /** @param {any} answer */
  restore(answer) {
    this.take(answer.placed ?? {})
  }

  waiting() {
    const set = new Set(this.placed.values())
    return this.units.filter((u) => !set.has(u))
  }

  /** Put a unit into a slot; who stood there goes where it came from. @param {string} unit @param {string} slot */
  put(unit, slot) {
    const from = [...this.placed].find(([, u]) => u === unit)?.[0]
    const there = this.placed.get(slot)
    if (from) this.placed.delete(from)
    if (from && there) this.placed.set(from, there)
    this.placed.set(slot, unit)
    this.held = null
    this.ctx.redraw()
  }

  /** @param {string} slot */
  tapSlot(slot) {
    const here = this.placed.get(slot)
    if (this.held && this.held !== here) return this.put(this.held, slot)
    this.held = this.held === here ? null : (here ?? null)
    this.ctx.redraw()
  }

  answer() {
    return { form: this.form.form, placed: Object.fromEntries([...this.placed].map(([slot, unit]) => [unit, slot]).sort(([a], [b]) => (a < b ? -1 : 1))), boxes: {} }
  }

  back() {
    if (!this.held) return false
    this.held = null
    this.ctx.redraw()
    return true
  }

  tap() {
    return false
  }

  reason() {
    return null
  }

  paint() {}

  prompt() {
    const t = this.ctx.texts
    const missing = this.slots.filter((slot) => !this.placed.has(slot)).length
    return {
      title: null,
      hint: t.t(this.held ? 'game.battle.swap' : 'game.battle.order_hint'),
      acts: [button(t.say(this.form.label), () => this.ctx.submit(this.answer()), { class: 'go', key: 'go', disabled: missing > 0 })],
    }
  }

  tray() {
    const { ctx } = this
    return {
      dock: true,
      node: h(
        'section.tray.dock.battle-line',
        { 'aria-label': ctx.texts.say(this.form.label) },
        h('header', {}, h('h2', {}, ctx.texts.say(this.form.label))),
        h('div.scroll', {}, h('ol.slots', {}, this.slots.map((slot) => this.slot(slot)))),
        this.waiting().length ? h('ul.counters', {}, this.waiting().map((u) => h('li', {}, this.piece(u), this.hits(u)))) : null,
        this.form.chances ? h('footer', { 'aria-live': 'polite' }, this.outlook()) : null,
      ),
    }
  }

  /** How often a unit hits. @param {string} unit */
  hits(unit) {
    const of = this.form.chances?.[unit]
    return of ? h('small.chance', {}, `${chance({ factor: of.n }, of.of)} %`) : null
  }

  /** What the line as it stands is to expect: with the other side's, where that is known, the losses of a round. */
  outlook() {
    const { ctx } = this
    const t = ctx.texts,
      { battle } = ctx.store.fragments,
      side = ctx.store.request.seat
    const die = battle?.die ?? 1
    const own = { side, slots: [...this.placed.values()].map((u) => this.form.chances[u]).map(({ n, of }) => ({ factor: (n * die) / of })) }
    const foe = battle?.lines.find((/** @type {any} */ l) => l.side !== side)
    return foe?.slots.length ? losses(ctx, [own, foe], die) : t.t('game.battle.expected', { n: mean(ctx, expected(own, die)) })
  }

  /** @param {string} slot */
  slot(slot) {
    const unit = this.placed.get(slot)
    const name = slot.slice(SLOT.length)
    return h(
      'li',
      {
        class: unit ? '' : 'free',
        ondragover: (/** @type {Event} */ e) => e.preventDefault(),
        ondrop: (/** @type {DragEvent} */ e) => {
          e.preventDefault()
          const dragged = e.dataTransfer?.getData('text/plain')
          if (dragged && this.units.includes(dragged)) this.put(dragged, slot)
        },
      },
      h('span.no', {}, name),
      unit
        ? this.piece(unit, slot)
        : h('button.counter.hole', { type: 'button', 'aria-label': this.ctx.texts.t('game.battle.slot', { n: name }), data: { key: slot }, onclick: () => this.tapSlot(slot) }),
      unit ? this.hits(unit) : null,
    )
  }

  /** @param {string} unit @param {string} [slot] */
  piece(unit, slot) {
    const label = this.ctx.texts.unit(unit)
    return h(
      'button.counter',
      {
        type: 'button',
        draggable: 'true',
        'aria-pressed': String(this.held === unit),
        title: label,
        'aria-label': slot ? this.ctx.texts.t('game.battle.unit_in', { unit, n: slot.slice(SLOT.length) }) : label,
        data: { key: `unit-${unit}` },
        ondragstart: (/** @type {DragEvent} */ e) => e.dataTransfer?.setData('text/plain', unit),
        onclick: () => (slot ? this.tapSlot(slot) : ((this.held = this.held === unit ? null : unit), this.ctx.redraw())),
      },
      this.ctx.mini(unit, { size: 46, selected: this.held === unit }),
    )
  }
}
