// @ts-check
// A form of kind `choose`: named options, as buttons and, where they have a place, on the map.
import { button } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

export class ChooseTool {
  /** @param {Ctx} ctx @param {any} form */
  constructor(ctx, form) {
    this.ctx = ctx
    this.form = form
  }

  get placed() {
    return this.form.options.filter((/** @type {any} */ o) => o.at)
  }

  /** The options as buttons; the last one that hands over comes last. */
  buttons() {
    return this.form.options.map((/** @type {any} */ option) =>
      button(this.ctx.texts.say(option.label), () => this.pick(option), {
        key: `option-${this.form.form}-${option.id}`,
        class: option.ends ? 'ends' : 'option',
      }),
    )
  }

  /** @param {any} option */
  pick(option) {
    const answer = { form: this.form.form, option: option.id }
    if (option.ends) this.ctx.confirm(option.label, option.clause, answer)
    else this.ctx.submit(answer)
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    marks.setChoices(this.placed.map((/** @type {any} */ o) => o.at))
  }

  /** @param {string} loc */
  tap(loc) {
    const option = this.placed.find((/** @type {any} */ o) => o.at === loc)
    if (option) this.pick(option)
    return Boolean(option)
  }
}
