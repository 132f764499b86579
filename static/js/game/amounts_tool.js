// @ts-check
// A form of kind `amounts`: numbers within their bounds, each with less and more, and what they leave of the budgets.
import { button, h, styled } from './dom.js'
import { Tool } from './tool.js'

/** @typedef {import('./protocol.js').Amount} Amount */

styled('forms')

/** @extends {Tool<import('./protocol.js').AmountsForm>} */
export default class AmountsTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').AmountsForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    /** @type {Map<string, number>} */
    this.given = new Map()
    this.take(form.suggested)
  }

  /** @returns {Amount[]} */
  get amounts() {
    return this.form.amounts
  }

  get lossy() {
    return this.form.verb === 'lose' || this.form.verb === 'spend'
  }

  get fights() {
    return this.form.verb === 'lose'
  }

  places() {
    return this.amounts.flatMap((a) => a.at ?? [])
  }

  about() {
    return this.places()[0] ?? null
  }

  opening() {
    return this.about()
  }

  /** @param {Record<string, number>} numbers */
  take(numbers) {
    for (const a of this.amounts) this.given.set(a.id, Math.max(a.min, Math.min(a.max, numbers[a.id] ?? a.min)))
  }

  /** @param {string} id */
  of(id) {
    return this.given.get(id) ?? 0
  }

  get total() {
    return [...this.given.values()].reduce((sum, n) => sum + n, 0)
  }

  /** What is spent of each budget. @returns {Record<string, number>} */
  spent() {
    /** @type {Record<string, number>} */
    const out = Object.fromEntries(Object.keys(this.form.pools).map((pool) => [pool, 0]))
    for (const a of this.amounts) if (a.pool) out[a.pool] += (a.cost ?? 1) * this.of(a.id)
    return out
  }

  /** The most one amount can be now, others as they are. @param {Amount} a */
  most(a) {
    const rest = this.form.max === null ? Infinity : this.form.max - this.total + this.of(a.id)
    const left = a.pool ? this.form.pools[a.pool] - this.spent()[a.pool] : Infinity
    return Math.min(a.max, rest, a.pool && a.cost ? this.of(a.id) + Math.floor(left / a.cost) : Infinity)
  }

  /** @param {Amount} a @param {number} n */
  set(a, n) {
    if (Number.isNaN(n)) return
    this.given.set(a.id, Math.max(a.min, Math.min(this.most(a), Math.trunc(n))))
    this.weigh()
    this.ctx.redraw()
  }

  answer() {
    return { form: this.form.form, amounts: Object.fromEntries([...this.given].filter(([, n]) => n)) }
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    this.take(answer.amounts ?? {})
    this.weigh()
  }

  /** One more there. @param {string} loc */
  tap(loc) {
    const a = this.amounts.find((one) => one.at === loc)
    if (!a) return false
    this.set(a, this.of(a.id) < this.most(a) ? this.of(a.id) + 1 : a.min)
    return true
  }

  back() {
    const begun = this.amounts.some((a) => this.of(a.id) > a.min)
    if (!begun) return false
    this.take({})
    this.ctx.keep(null)
    this.ctx.redraw()
    return true
  }

  get enough() {
    return this.total >= this.form.min && (this.form.max === null || this.total <= this.form.max)
  }

  prompt() {
    const t = this.ctx.texts,
      n = this.total
    const problem = this.enough ? this.preview?.problems?.[0] : null
    const key = `game.amounts.${this.form.verb}`
    return {
      title: null,
      problem,
      hint: this.form.max === null ? t.t('game.amounts.total', { n }) : t.t('game.amounts.of', { n, min: this.form.min, max: this.form.max }),
      acts: [
        button(t.t('game.place.clear'), () => this.back(), { class: 'quiet', key: 'clear', disabled: !n }),
        this.go(t.has(key) ? t.t(key, { n }) : t.say(this.form.label), this.enough && !problem, { kind: this.lossy ? 'fight' : '' }),
      ],
    }
  }

  tray() {
    return this.dock(
      this.ctx.texts.say(this.form.label),
      { kind: this.lossy ? 'losing' : '', head: this.budgets() },
      h('ul.amounts.scroll', {}, this.amounts.map((a) => this.row(a))),
    )
  }

  budgets() {
    const t = this.ctx.texts,
      spent = this.spent(),
      pools = Object.entries(this.form.pools)
    if (!pools.length) return null
    const words = (/** @type {[string, number]} */ [pool, have]) => t.t('game.place.budget', { pool: t.has(`pool.${pool}`) ? t.t(`pool.${pool}`) : pool, spent: spent[pool], have })
    return h('p.budgets', {}, pools.map((pool) => h('span', { class: spent[pool[0]] > Number(pool[1]) ? 'over' : '' }, words(pool))))
  }

  /** @param {Amount} a */
  row(a) {
    const { ctx } = this
    const label = ctx.texts.say(a.label),
      n = this.of(a.id),
      most = this.most(a)
    const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ key, /** @type {boolean} */ off) =>
      h('button.step', { type: 'button', 'aria-label': ctx.texts.t(`game.amounts.${key}`, { what: label }), disabled: off, data: { key: `${key}-${a.id}` }, onclick: () => this.set(a, n + by) }, sign)
    return h(
      'li',
      {},
      h('span.what', {}, a.at ? this.placeName(a.at, `at-${a.id}`) : null, h('span', {}, label), a.pool && a.cost !== 1 ? h('small', {}, ctx.texts.t('game.place.cost', { n: a.cost })) : null),
      step(-1, '−', 'less', n <= a.min),
      h('input', {
        type: 'number',
        min: a.min,
        max: most,
        value: n,
        'aria-label': label,
        data: { key: `amount-${a.id}` },
        onchange: (/** @type {Event} */ e) => this.set(a, Number(/** @type {HTMLInputElement} */ (e.target).value)),
      }),
      step(1, '+', 'more', n >= most),
      h('small.most', {}, ctx.texts.t('game.amounts.most', { n: a.max })),
    )
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    marks.setChoices(this.places())
    for (const { id, at } of this.amounts) if (at && this.of(id)) marks.select({ [at]: [] })
  }
}
