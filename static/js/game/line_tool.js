// @ts-check
// Placing units into numbered slots: the line of battle as a row, ordered by tapping or by dragging.
import { chance, expected, losses, mean } from './battle.js'
import { h } from './dom.js'
import { sideOf } from './sides.js'
import { Tool } from './tool.js'

/** @extends {Tool<import('./protocol.js').LineForm>} */
export default class LineTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').LineForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    /** @type {string[]} */
    this.slots = form.slots
    /** @type {string[]} */
    this.units = form.units
    /** @type {Map<string, string>} slot to unit */
    this.placed = new Map()
    /** @type {string | null} */
    this.held = null
    this.take(form.suggested ?? {})
  }

  /** @param {Record<string, string>} placed slots by unit */
  take(placed) {
    this.placed = new Map(Object.entries(placed).map(([unit, slot]) => [slot, unit]))
  }

  /** @param {import('./protocol.js').Answer} answer */
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
    return { form: this.form.form, placed: Object.fromEntries([...this.placed].map(([slot, unit]) => [unit, slot]).sort(([a], [b]) => (a < b ? -1 : 1))) }
  }

  back() {
    if (!this.held) return false
    this.held = null
    this.ctx.redraw()
    return true
  }

  prompt() {
    const t = this.ctx.texts
    const missing = this.slots.slice(0, this.units.length).some((slot) => !this.placed.has(slot))
    return {
      title: null,
      hint: t.t(this.held ? 'game.battle.swap' : 'game.battle.order_hint'),
      acts: [this.go(t.say(this.form.label), !missing)],
    }
  }

  tray() {
    return this.dock(
      this.ctx.texts.say(this.form.label),
      { kind: 'battle-line' },
      h('div.scroll', {}, h('ol.slots', {}, this.slots.map((slot, i) => this.slot(slot, i + 1)))),
      this.waiting().length ? this.counters(this.waiting(), (u) => this.piece(u), (u) => this.hits(u)) : null,
      this.form.chances ? h('footer', { 'aria-live': 'polite' }, this.outlook()) : null,
    )
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
      side = sideOf(ctx.store.card, ctx.store.request?.seat ?? '')
    const die = battle?.die ?? 1
    const chances = this.form.chances ?? {}
    const own = { side, slots: [...this.placed.values()].map((u) => chances[u]).map(({ n, of }) => ({ factor: (n * die) / of })) }
    const foe = battle?.lines.find((/** @type {import('./protocol.js').BattleLine} */ l) => l.side !== side)
    return foe?.slots.length ? losses(ctx, [own, foe], die) : t.t('game.battle.expected', { n: mean(ctx, expected(own, die)) })
  }

  /** @param {string} slot @param {number} n its number */
  slot(slot, n) {
    const unit = this.placed.get(slot)
    const label = this.ctx.texts.t('game.battle.slot', { n })
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
      h('span.no', {}, n),
      unit
        ? this.counter(unit, this.piece(unit, slot, n))
        : h('button.counter.hole', { type: 'button', 'aria-label': label, data: { key: slot }, onclick: () => this.tapSlot(slot) }),
      unit ? this.hits(unit) : null,
    )
  }

  /** @param {string} unit @param {string} [slot] @param {number} [n] @returns {import('./tool.js').Piece} */
  piece(unit, slot, n) {
    return {
      on: this.held === unit,
      label: slot ? this.ctx.texts.t('game.battle.unit_in', { unit, n }) : undefined,
      size: 46,
      act: () => (slot ? this.tapSlot(slot) : this.hold(unit)),
      more: { draggable: 'true', ondragstart: (/** @type {DragEvent} */ e) => e.dataTransfer?.setData('text/plain', unit) },
    }
  }

  /** @param {string} unit */
  hold(unit) {
    this.held = this.held === unit ? null : unit
    this.ctx.redraw()
  }
}
