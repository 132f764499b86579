// @ts-check
// Picking units out of lots: losses, supply to spend, an advance.
import { AllocateDraft } from './allocate.js'
import { button, h } from './dom.js'
import { Tool } from './tool.js'

/** @typedef {import('./protocol.js').Lot} Lot */

/** @extends {Tool<import('./protocol.js').AllocateForm>} */
export default class AllocateTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').AllocateForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    this.draft = new AllocateDraft(form)
  }

  get fights() {
    return true
  }

  places() {
    return this.form.lots.flatMap((l) => l.at ?? [])
  }

  about() {
    return this.places().find((loc) => this.ctx.texts.names.places.has(loc)) ?? null
  }

  answer() {
    return this.draft.answer()
  }

  get lossy() {
    return this.form.verb === 'lose' || this.form.verb === 'spend'
  }

  /** @param {string} loc */
  tap(loc) {
    const lot = this.form.lots.find((l) => l.at === loc)
    if (!lot) return false
    if (this.form.one) {
      this.draft.toggleLot(lot.id)
      this.changed()
    }
    document.getElementById(`lot-${lot.id}`)?.scrollIntoView({ block: 'nearest' })
    return true
  }

  changed() {
    this.weigh()
    this.ctx.redraw()
  }

  back() {
    if (!this.draft.total) return false
    this.draft.clear()
    this.changed()
    return true
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    this.draft.restore(answer)
    this.changed()
  }

  prompt() {
    const { draft } = this
    const t = this.ctx.texts
    const problem = draft.complete ? this.preview?.problems?.[0] : null
    const nothing = draft.total ? null : this.form.nothing
    const needs = this.least > 0
    const verb = this.form.verb
    return {
      title: null,
      ask: null,
      problem,
      hint: nothing ? t.say(nothing) : t.t(this.form.one && !draft.total ? 'game.allocate.one' : !draft.complete ? 'game.allocate.hint' : draft.total ? 'game.allocate.ready' : 'game.allocate.none'),
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
        needs || this.form.one
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
        this.go(
          draft.total || needs || nothing || this.otherwise ? t.t(`game.allocate.${verb}`, { n: draft.total || this.least }) : t.t(`game.allocate.${verb}_none`),
          draft.complete && !problem && !nothing && (draft.total > 0 || needs || !(this.form.one || this.otherwise)),
          { kind: this.lossy ? 'fight' : '' },
        ),
      ],
    }
  }

  get least() {
    return this.form.lots.reduce((/** @type {number} */ n, /** @type {Lot} */ l) => n + l.min, 0)
  }

  /** Whether to take nothing has a button of its own in this question. */
  get otherwise() {
    return this.ctx.store.request?.forms?.some((form) => form.kind === 'choose') ?? false
  }

  /** How dear a unit is, for the easy fill only. @param {string} id @returns {number} */
  worth(id) {
    return this.ctx.units[id]?.worth ?? 0
  }

  tray() {
    return this.dock(
      this.ctx.texts.say(this.form.label),
      { kind: this.lossy ? 'losing' : '' },
      h('div.scroll', {}, this.form.lots.map((lot) => this.lot(lot))),
    )
  }

  /** @param {Lot} lot */
  lot(lot) {
    const { draft, ctx } = this
    const t = ctx.texts,
      taken = draft.of(lot.id)
    const range =
      lot.min === lot.max || this.form.one
        ? t.t('game.n_of_m', { n: taken.size, m: lot.max })
        : t.t(lot.min ? 'game.allocate.range' : 'game.allocate.up_to', { n: taken.size, min: lot.min, max: lot.max })
    return h(
      'section.source',
      { id: `lot-${lot.id}`, class: draft.done(lot) ? 'done' : '' },
      h(
        'h3',
        {},
        lot.at ? this.placeName(lot.at, `at-${lot.id}`) : null,
        lot.label ? h('span', {}, t.say(lot.label)) : null,
        this.form.one && lot.units.length > 1
          ? button(
              t.t('game.tray.all'),
              () => {
                draft.toggleLot(lot.id)
                this.changed()
              },
              { class: 'quiet small', key: `all-${lot.id}`, pressed: taken.size === lot.units.length },
            )
          : null,
        h('span.count', {}, range),
      ),
      this.counters(lot.units, (id) => {
        const bar = draft.bar(lot.id, id)
        const why = bar === 'last' ? t.say(this.form.others_first) : bar ? t.t('game.allocate.full') : ''
        return {
          on: taken.has(id),
          bar: why,
          key: `unit-${lot.id}-${id}`,
          act: () => {
            if (draft.toggle(lot.id, id)) this.changed()
            else ctx.toast(why)
          },
        }
      }),
    )
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    marks.setChoices(this.places())
    /** @type {Record<string, string[]>} */
    const chosen = {}
    for (const lot of /** @type {Lot[]} */ (this.form.lots))
      if (lot.at) chosen[lot.at] = [...(chosen[lot.at] ?? []), ...this.draft.of(lot.id)]
    marks.select(chosen)
  }
}
