// @ts-check
// A form of kind `pick`: several of some named options, ticked in a tray and, where they have a place, on the map.
import { h, styled } from './dom.js'
import { Tool } from './tool.js'

/** @typedef {import('./protocol.js').Option} Option */

styled('forms')

/** @extends {Tool<import('./protocol.js').PickForm>} */
export default class PickTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').PickForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    /** @type {Set<string>} */
    this.picked = new Set()
  }

  /** @returns {Option[]} */
  get options() {
    return this.form.options
  }

  places() {
    return this.options.flatMap((o) => o.at ?? [])
  }

  opening() {
    return this.places()[0] ?? null
  }

  answer() {
    return { form: this.form.form, options: this.options.map((o) => o.id).filter((id) => this.picked.has(id)) }
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    this.picked = new Set((answer.options ?? []).filter((/** @type {string} */ id) => this.options.some((o) => o.id === id)))
    this.weigh()
  }

  /** @param {string} id */
  toggle(id) {
    if (this.picked.has(id)) this.picked.delete(id)
    else if (this.picked.size < this.form.max) this.picked.add(id)
    else if (this.form.max === 1) this.picked = new Set([id])
    else return this.ctx.toast(this.ctx.texts.t('game.pick.full', { n: this.form.max }))
    this.weigh()
    this.ctx.redraw()
  }

  /** @param {string} loc */
  tap(loc) {
    const option = this.options.find((o) => o.at === loc)
    if (option) this.toggle(option.id)
    return Boolean(option)
  }

  back() {
    if (!this.picked.size) return false
    this.picked.clear()
    this.ctx.keep(null)
    this.ctx.redraw()
    return true
  }

  prompt() {
    const t = this.ctx.texts,
      n = this.picked.size
    const enough = n >= this.form.min && n <= this.form.max
    const problem = enough ? this.preview?.problems?.[0] : null
    return {
      title: null,
      problem,
      hint: t.t(this.form.min === this.form.max ? 'game.pick.exactly' : 'game.pick.range', { n, min: this.form.min, max: this.form.max }),
      acts: [this.go(n ? t.say(this.form.label) : t.t('game.pick.none'), enough && !problem, { kind: this.ends ? 'ends' : '' })],
    }
  }

  get ends() {
    return this.options.some((o) => o.ends && this.picked.has(o.id))
  }

  tray() {
    const { ctx } = this
    return this.dock(ctx.texts.say(this.form.label), { kind: 'picks' }, h('ul.picks.scroll', {}, this.options.map((o) => this.row(o))))
  }

  /** @param {Option} option */
  row(option) {
    const { ctx } = this
    const label = ctx.texts.say(option.label),
      on = this.picked.has(option.id)
    return h(
      'li',
      { class: on ? 'on' : '' },
      h(
        'label',
        {},
        h('input', { type: 'checkbox', checked: on, data: { key: `pick-${option.id}` }, onchange: () => this.toggle(option.id) }),
        ctx.units[option.id] ? ctx.mini(option.id, { size: 34, selected: on }) : null,
        h('span', {}, label),
      ),
      ctx.clause(option.clause),
    )
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    marks.setChoices(this.places())
    for (const { id, at } of this.options) if (at && this.picked.has(id)) marks.select({ [at]: [] })
  }
}
