// @ts-check
// Picking units out of lots: losses, supply to spend, an advance.
import { AllocateDraft } from './allocate.js'
import { button, h } from './dom.js'
import { weigh } from './tools.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {import('./allocate.js').Lot} Lot */

export class AllocateTool {
  /** @param {Ctx} ctx @param {any} form */
  constructor(ctx, form) {
    this.ctx = ctx
    this.form = form
    this.draft = new AllocateDraft(form)
    /** @type {any} */
    this.preview = null
  }

  get idle() {
    return false
  }

  get lossy() {
    return this.form.verb === 'lose' || this.form.verb === 'spend'
  }

  /** @param {string} loc */
  tap(loc) {
    const lot = this.form.lots.find((/** @type {Lot} */ l) => l.at === loc)
    if (!lot) return false
    document.getElementById(`lot-${lot.id}`)?.scrollIntoView({ block: 'nearest' })
    return true
  }

  changed() {
    weigh(this)
    this.ctx.redraw()
  }

  back() {
    if (!this.draft.total) return false
    this.draft.clear()
    this.changed()
    return true
  }

  /** @param {any} answer */
  restore(answer) {
    this.draft.restore(answer)
    this.changed()
  }

  prompt() {
    const { draft, ctx } = this
    const t = ctx.texts
    const problem = draft.complete ? this.preview?.problems?.[0] : null
    const needs = this.least > 0
    const verb = this.form.verb
    return {
      title: null,
      ask: null,
      problem,
      hint: t.t(draft.complete ? 'game.allocate.ready' : 'game.allocate.hint', { n: draft.total }),
      acts: [
        needs
          ? button(
              t.t('game.allocate.fill'),
              () => {
                draft.fill((id) => this.worth(id))
                this.changed()
              },
              { class: 'quiet', key: 'fill', title: t.t('game.allocate.fill_how') },
            )
          : null,
        needs
          ? null
          : button(
              t.t('game.tray.all'),
              () => {
                draft.fillMost((id) => this.worth(id))
                this.changed()
              },
              { class: 'quiet', key: 'fill-most' },
            ),
        draft.total
          ? button(
              t.t('game.place.clear'),
              () => {
                draft.clear()
                this.changed()
              },
              { class: 'quiet', key: 'clear' },
            )
          : null,
        button(
          draft.total || needs ? t.t(`game.allocate.${verb}`, { n: draft.total || this.least }) : t.t(`game.allocate.${verb}_none`),
          () => ctx.submit(draft.answer()),
          { class: `go ${this.lossy ? 'fight' : ''}`, key: 'go', disabled: !draft.complete || Boolean(problem) },
        ),
      ],
    }
  }

  get least() {
    return this.form.lots.reduce((/** @type {number} */ n, /** @type {Lot} */ l) => n + l.min, 0)
  }

  /** How dear a unit is, for the easy fill only. @param {string} id @returns {number} */
  worth(id) {
    return this.ctx.units[id]?.worth ?? 0
  }

  tray() {
    const { ctx } = this
    return {
      dock: true,
      node: h(
        'section.tray.dock',
        { class: this.lossy ? 'losing' : '', 'aria-label': ctx.texts.say(this.form.label) },
        h('header', {}, h('h2', {}, ctx.texts.say(this.form.label))),
        h(
          'div.scroll',
          {},
          this.form.lots.map((/** @type {Lot} */ lot) => this.lot(lot)),
        ),
      ),
    }
  }

  /** @param {Lot} lot */
  lot(lot) {
    const { draft, ctx } = this
    const t = ctx.texts,
      taken = draft.of(lot.id)
    const range =
      lot.min === lot.max
        ? t.t('game.n_of_m', { n: taken.size, m: lot.max })
        : t.t('game.allocate.range', { n: taken.size, min: lot.min, max: lot.max })
    return h(
      'section.source',
      { id: `lot-${lot.id}`, class: draft.done(lot) ? 'done' : '' },
      h(
        'h3',
        {},
        lot.at
          ? h(
              'button.place',
              { type: 'button', data: { key: `at-${lot.id}` }, onclick: () => ctx.focus(/** @type {string} */ (lot.at)) },
              t.place(lot.at),
            )
          : null,
        lot.label ? h('span', {}, t.say(lot.label)) : null,
        h('span.count', {}, range),
      ),
      h(
        'ul.counters',
        {},
        lot.units.map((id) => {
          const bar = draft.bar(lot.id, id),
            on = taken.has(id),
            name = t.unit(id)
          const why = bar === 'last' ? t.t('game.allocate.last') : bar === 'full' ? t.t('game.allocate.full') : name
          return h(
            'li',
            {},
            h(
              'button.counter',
              {
                type: 'button',
                'aria-pressed': String(on),
                'aria-disabled': String(Boolean(bar)),
                title: bar ? `${name}: ${why}` : name,
                'aria-label': name,
                data: { key: `unit-${lot.id}-${id}` },
                onclick: () => {
                  if (draft.toggle(lot.id, id)) this.changed()
                  else ctx.toast(why)
                },
              },
              ctx.mini(id, { size: 44, selected: on }),
            ),
          )
        }),
      ),
    )
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    marks.setChoices(this.form.lots.map((/** @type {Lot} */ l) => l.at).filter(Boolean))
    /** @type {Record<string, string[]>} */
    const chosen = {}
    for (const lot of /** @type {Lot[]} */ (this.form.lots))
      if (lot.at) chosen[lot.at] = [...(chosen[lot.at] ?? []), ...this.draft.of(lot.id)]
    marks.select(chosen)
  }

  /** @param {string} _loc */
  reason(_loc) {
    return null
  }
}
