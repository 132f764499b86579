// @ts-check
// Declaring an attack: target, attackers by space, and the odds before the die is thrown.
import { button, h } from './dom.js'
import { DeclareDraft } from './declare.js'
import { Tool } from './tool.js'
import { selectors } from './tray.js'

/** @extends {Tool<import('./protocol.js').DeclareForm>} */
export default class DeclareTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').DeclareForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    this.draft = new DeclareDraft(form)
  }

  get fights() {
    return true
  }

  places() {
    return Object.keys(this.form.targets)
  }

  opening() {
    return this.places()[0] ?? null
  }

  hint() {
    return this.ctx.texts.t('game.attack.tap_target')
  }

  answer() {
    return this.draft.answer()
  }

  get idle() {
    return !this.draft.target
  }

  /** @param {string} loc */
  tap(loc) {
    if (loc === this.draft.target) return this.back()
    if (!this.draft.aim(loc)) {
      if (this.draft.target && this.draft.sources()[loc]) {
        this.draft.toggleAll(loc)
        this.changed()
        this.ctx.redraw()
        return true
      }
      return false
    }
    this.preview = null
    this.changed(true)
    this.ctx.redraw()
    return true
  }

  /** @param {boolean} [all] whether all who could attack are taken: those of one place where they may not together */
  changed(all = false) {
    const answer = this.draft.answer()
    if (!answer) {
      this.preview = null
      this.ctx.showOdds(null)
      return
    }
    this.ctx.preview(answer).then((said) => {
      if (!said || !this.draft.target) return
      if (all && said.problems?.length && this.draft.alone()) return this.changed()
      this.preview = said
      this.ctx.showOdds(said.effect?.target ? said.effect : null)
      this.ctx.redraw()
    })
  }

  back() {
    if (!this.draft.target) return false
    this.draft.clear()
    this.preview = null
    this.ctx.showOdds(null)
    this.ctx.keep(null)
    this.ctx.redraw()
    return true
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    this.draft.restore(answer)
    if (this.draft.target) this.changed()
  }

  prompt() {
    const { draft, ctx } = this
    if (!draft.target) return null
    const t = ctx.texts,
      odds = this.preview?.effect
    const problem = this.preview?.problems?.[0]
    return {
      title: t.t('game.attack.title', { at: t.placeName(draft.target) }),
      ask: odds?.ratio
        ? t.t('game.attack.ask', { units: t.t('game.units', { n: draft.units.size }), ratio: odds.ratio.replace(':', ' : ') })
        : t.t('game.units', { n: draft.units.size }),
      clause: problem?.clause ?? this.form.clause,
      problem,
      hint: t.t('game.attack.hint'),
      acts: [
        button(t.t('game.cancel'), () => this.back(), { class: 'quiet', key: 'cancel' }),
        this.go(t.t('game.attack.go'), draft.units.size > 0 && !problem, { kind: 'fight' }),
      ],
    }
  }

  tray() {
    const { draft, ctx } = this
    if (!draft.target) return null
    const t = ctx.texts
    const all = Object.values(draft.sources()).flat()
    const set = (/** @type {string[]} */ ids) => {
      draft.units = new Set(ids)
      this.changed()
      ctx.redraw()
    }
    return this.dock(
      t.t('game.attack.attackers'),
      {
        head: [
          h('p', {}, t.t('game.attack.on', { at: draft.target })),
          h('button.x', { type: 'button', 'aria-label': t.t('game.tray.close'), data: { key: 'close' }, onclick: () => this.back() }, '×'),
        ],
      },
      h('div.scroll', {}, Object.entries(draft.sources()).map(([loc, ids]) => this.source(loc, ids)), this.bystanders()),
      h('footer', {}, selectors(ctx, all, set)),
    )
  }

  /** @param {string} loc @param {string[]} ids */
  source(loc, ids) {
    const { draft, ctx } = this
    const n = ids.filter((id) => draft.units.has(id)).length
    const flip = () => {
      this.changed()
      ctx.redraw()
    }
    return h(
      'section.source',
      {},
      h(
        'label.head',
        {},
        h('input', {
          type: 'checkbox',
          checked: n === ids.length,
          indeterminate: n > 0 && n < ids.length,
          data: { key: `from-${loc}` },
          onchange: () => {
            draft.toggleAll(loc)
            flip()
          },
        }),
        h('b', {}, ctx.texts.place(loc)),
        h('small', {}, ctx.texts.t('game.n_of_m', { n, m: ids.length })),
      ),
      this.counters(ids, (id) => ({
        on: draft.units.has(id),
        act: () => {
          draft.toggle(id)
          flip()
        },
      })),
    )
  }

  /** Who stands by and can't attack, and why. */
  bystanders() {
    const { ctx, draft } = this
    const barred = this.form.targets[draft.target ?? '']?.barred
    if (!barred) return null
    return h(
      'section.source.idle',
      {},
      h('h3', {}, ctx.texts.t('game.attack.idle')),
      this.counters(Object.keys(barred), (id) => {
        const why = ctx.texts.say(barred[id])
        return { bar: why, key: `idle-${id}`, act: () => ctx.say(barred[id]) }
      }),
    )
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    const { draft } = this
    marks.setTargets(draft.target ? [draft.target] : Object.keys(this.form.targets))
    const locs = draft.target ? [draft.target, ...Object.keys(draft.sources())] : Object.keys(this.form.targets)
    marks.setActive([...locs, ...Object.values(this.form.targets).flatMap((t) => Object.keys(t.from))])
    if (!draft.target) return
    marks.setAttack({ target: draft.target, from: draft.from(), ratio: this.preview?.effect?.ratio ?? null })
    /** @type {Record<string, string[]>} */
    const chosen = {}
    for (const [loc, ids] of Object.entries(draft.sources())) chosen[loc] = ids.filter((id) => draft.units.has(id))
    marks.select(chosen)
  }

  /** @param {string} loc */
  reason(loc) {
    return this.form.barred?.[loc] ?? null
  }
}
