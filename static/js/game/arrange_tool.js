// @ts-check
// Boxes: a grid of them, each standing for one of my spaces or free.
import { ArrangeDraft } from './arrange.js'
import { button, h } from './dom.js'
import { Tool } from './tool.js'

/** @extends {Tool<import('./protocol.js').ArrangeForm>} */
export default class ArrangeTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').ArrangeForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    this.draft = new ArrangeDraft(form)
  }

  get onDemand() {
    return true
  }

  answer() {
    return this.draft.answer()
  }

  /** @param {string} loc */
  tap(loc) {
    if (!this.draft.put(loc)) return false
    this.changed()
    return true
  }

  changed() {
    this.preview = null
    if (this.draft.changed) this.weigh()
    this.ctx.redraw()
  }

  back() {
    if (this.draft.box) this.draft.box = null
    else if (this.draft.changed) this.draft.clear()
    else return false
    this.ctx.redraw()
    return true
  }

  unsent() {
    if (!this.draft.changed) return null
    return { label: this.ctx.texts.t('game.arrange.go'), clause: this.form.clause, answer: this.answer() }
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    this.draft.restore(answer)
    this.changed()
  }

  prompt() {
    const { draft, ctx } = this
    const t = ctx.texts,
      problem = draft.changed ? this.preview?.problems?.[0] : null
    return {
      title: t.say(this.form.label),
      ask: null,
      clause: this.form.clause,
      problem,
      hint: draft.box ? t.t('game.arrange.tap', { box: draft.box }) : t.t('game.arrange.hint'),
      acts: [
        button(
          t.t('game.cancel'),
          () => {
            draft.clear()
            ctx.keep(null)
            ctx.closeTool()
          },
          { class: 'quiet', key: 'cancel' },
        ),
        this.go(t.t('game.arrange.go'), draft.changed && !problem),
      ],
    }
  }

  tray() {
    const { draft, ctx } = this
    const t = ctx.texts
    return this.dock(
      t.t('game.boxes'),
      { head: h('p', {}, t.t('game.arrange.what')) },
      h('ul.boxes', {}, Object.entries(draft.boxes).map(([box, at]) => this.box(box, at))),
    )
  }

  /** @param {string} box @param {string | null} at */
  box(box, at) {
    const { draft, ctx } = this
    const t = ctx.texts
    const pick = () => {
      draft.pick(box)
      ctx.redraw()
    }
    const free = () => {
      draft.free(box)
      this.changed()
    }
    return h(
      'li',
      {},
      h(
        'button.box',
        { type: 'button', 'aria-pressed': String(draft.box === box), data: { key: `box-${box}` }, onclick: pick },
        h('b', {}, box),
        h('small', {}, at ? t.placeName(at) : t.t('game.box_free')),
      ),
      at ? button(t.t('game.arrange.open'), free, { class: 'small', key: `free-${box}` }) : null,
    )
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    marks.setChoices(this.form.where, this.draft.box !== null)
    const at = this.draft.box ? this.draft.boxes[this.draft.box] : null
    if (at) marks.select({ [at]: [] })
  }
}
