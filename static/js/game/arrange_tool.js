// @ts-check
// Boxes: a grid of them, each standing for one of my spaces or free.
import { ArrangeDraft } from './arrange.js'
import { button, h } from './dom.js'
import { weigh } from './tools.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

export class ArrangeTool {
  /** @param {Ctx} ctx @param {any} form */
  constructor(ctx, form) {
    this.ctx = ctx
    this.form = form
    this.draft = new ArrangeDraft(form)
    /** @type {any} */
    this.preview = null
  }

  get idle() {
    return false
  }

  /** @param {string} loc */
  tap(loc) {
    if (!this.draft.put(loc)) return false
    this.changed()
    return true
  }

  changed() {
    this.preview = null
    if (this.draft.changed) weigh(this)
    this.ctx.redraw()
  }

  back() {
    if (this.draft.box) this.draft.box = null
    else if (this.draft.changed) this.draft.clear()
    else return false
    this.ctx.redraw()
    return true
  }

  /** @param {any} answer */
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
        button(t.t('game.arrange.go'), () => ctx.submit(draft.answer()), {
          class: 'go',
          key: 'go',
          disabled: !draft.changed || Boolean(problem),
        }),
      ],
    }
  }

  tray() {
    const { draft, ctx } = this
    const t = ctx.texts
    return {
      dock: true,
      node: h(
        'section.tray.dock',
        { 'aria-label': t.t('game.boxes') },
        h('header', {}, h('h2', {}, t.t('game.boxes')), h('p', {}, t.t('game.arrange.what'))),
        h(
          'ul.boxes',
          {},
          Object.entries(draft.boxes).map(([box, at]) =>
            h(
              'li',
              {},
              h(
                'button.box',
                {
                  type: 'button',
                  'aria-pressed': String(draft.box === box),
                  data: { key: `box-${box}` },
                  onclick: () => {
                    draft.pick(box)
                    ctx.redraw()
                  },
                },
                h('b', {}, box),
                h('small', {}, at ? t.placeName(at) : t.t('game.box_free')),
              ),
              at
                ? button(
                    t.t('game.arrange.open'),
                    () => {
                      draft.free(box)
                      this.changed()
                    },
                    { class: 'small', key: `free-${box}` },
                  )
                : null,
            ),
          ),
        ),
      ),
    }
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    marks.setChoices(this.form.where, this.draft.box !== null)
    const at = this.draft.box ? this.draft.boxes[this.draft.box] : null
    if (at) marks.select({ [at]: [] })
  }

  /** @param {string} _loc */
  reason(_loc) {
    return null
  }
}
