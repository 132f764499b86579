// @ts-check
// A form of kind `choose`: named options, as buttons and, where they have a place, on the map.
import { button, h } from './dom.js'
import { Tool } from './tool.js'

/** @extends {Tool<import('./protocol.js').ChooseForm>} */
export default class ChooseTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').ChooseForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    /** @type {typeof import('./cards.js').cardView | null} loaded where there are cards to choose */
    this.cardView = null
    if (this.cards.length) void this.fetch(import('./cards.js').then(({ cardView }) => (this.cardView = cardView)))
  }

  get choice() {
    return true
  }

  get placed() {
    return this.form.options.filter((o) => o.at)
  }

  places() {
    return this.placed.flatMap((o) => o.at ?? [])
  }

  /** Options that are cards: they lie open on the table, not in the bar. */
  get cards() {
    return this.form.options.filter((o) => this.ctx.texts.has(`card.${o.id}.title`))
  }

  /** The options as buttons, with a counter where one names a unit; the last one that hands over comes last. */
  buttons() {
    const cards = new Set(this.cards)
    return this.form.options
      .filter((o) => !cards.has(o))
      .map((option) => {
        const unit = this.ctx.units[option.id] ? this.ctx.mini(option.id, { size: 34 }) : null
        const label = this.ctx.texts.say(option.label)
        return button(unit ? h('span.with-unit', {}, unit, h('span', {}, label)) : label, () => this.pick(option), {
          key: `option-${this.form.form}-${option.id}`,
          class: option.ends ? 'ends' : 'option',
          title: unit ? label : undefined,
        })
      })
  }

  /** The cards to choose from, whole, side by side. */
  tray() {
    const { ctx, cardView } = this
    if (!cardView) return null
    const known = new Map(ctx.store.kind('hand').flatMap(([, f]) => (f.cards ?? []).map((/** @type {import('./protocol.js').Card} */ c) => [c.id, c])))
    const act = (/** @type {import('./protocol.js').Option} */ o) => ({ label: ctx.texts.t('game.cards.use'), key: `option-${this.form.form}-${o.id}`, run: () => this.pick(o) })
    return this.dock(
      ctx.texts.say(this.form.label),
      { kind: 'hand' },
      h('div.scroll', {}, this.cards.map((o) => cardView(ctx, known.get(o.id) ?? { id: o.id }, { act: act(o) }))),
    )
  }

  /** @param {import('./protocol.js').Option} option */
  pick(option) {
    const answer = { form: this.form.form, option: option.id }
    if (option.ends || option.warn) this.ctx.confirm(option, answer)
    else this.ctx.submit(answer)
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    marks.setChoices(this.places())
  }

  /** @param {string} loc */
  tap(loc) {
    const option = this.placed.find((o) => o.at === loc)
    if (option) this.pick(option)
    return Boolean(option)
  }
}
