// @ts-check
// What the next check of a title's rules (attrition) may cost: each own stack in its card and on the map, all of them in the
// question that ends a phase.
import { button, h } from './dom.js'

/** @typedef {import('./protocol.js').Forecast} Forecast */
/** @typedef {import('./protocol.js').Check} Check */
/** @typedef {import('./protocol.js').Outlook} Outlook */

const LAYER = 'forecast',
  WORST = 5,
  SURE = 0.9

export class Foretelling {
  /** @param {import('./ctrl.js').Game} game */
  constructor(game) {
    this.game = game
    /** @type {Record<string, Forecast> | null} by place */
    this.all = null
    this.seq = -1
    this.asking = false
    this.open = false
    this.print = ''
    game.board.on('layers', () => this.shown && this.ask())
    this.lay()
  }

  get fresh() {
    return this.seq === this.game.store.seq
  }

  /** Whether the layer is to be seen. */
  get shown() {
    return Boolean(this.game.board.layers().find((l) => l.name === LAYER)?.shown)
  }

  /** Ask the server, once for every position. */
  async ask() {
    const { api, store } = this.game
    if (this.fresh || this.asking || store.card?.state !== 'active') return
    this.asking = true
    const { seq } = store
    this.all = await api.get('/forecast').catch(() => null)
    this.asking = false
    this.seq = seq
    this.lay()
    this.game.redraw()
  }

  // -- on the map ------------------------------------------------------------------------------------------

  /** The layer, after the view was drawn anew or the forecast has come. */
  lay() {
    const { board, recap } = this.game
    if (recap.film) return
    const there = board.layers().some((l) => l.name === LAYER)
    const layer = { title: { key: 'game.forecast' }, shown: false, parts: this.parts() }
    const print = JSON.stringify(layer)
    if (!there || print !== this.print) board.applyFragments({ [`layer:${LAYER}`]: layer })
    this.print = print
    if (this.shown) void this.ask()
  }

  parts() {
    return this.atRisk().map(([at, { mean, most }]) => ({
      spaces: [at],
      fill: 'tint',
      colour: Number(mean) >= 1 ? 'red' : 'gold',
      text: { key: 'game.forecast.tag', args: { mean: Number(mean), most } },
    }))
  }

  /** Stacks that may lose something, those most at risk first. @returns {[string, Forecast][]} */
  atRisk() {
    return Object.entries(this.all ?? {})
      .filter(([, one]) => one.most > 0)
      .sort(([, a], [, b]) => Number(b.mean) - Number(a.mean) || b.most - a.most)
  }

  // -- in a stack's card -----------------------------------------------------------------------------------

  /** @param {string} loc */
  card(loc) {
    const { game } = this,
      space = game.store.space(loc)
    if (!space?.units?.length) return null
    if (!this.fresh) void this.ask()
    const one = this.all?.[loc]
    if (!one) return null
    const flip = () => {
      this.open = !this.open
      game.redraw()
    }
    return h(
      'section.foretold',
      {},
      h('p', {}, h('button.fold', { type: 'button', 'aria-expanded': String(this.open), data: { key: 'foretold' }, onclick: flip }, this.line(one)), ' ', game.ctx.clause(one.clause)),
      this.open ? this.details(one) : null,
    )
  }

  /** @param {Forecast} one */
  line(one) {
    const t = this.game.texts
    if (!one.most) return t.t('game.forecast.none', { what: { key: one.key } })
    const { count: n, most } = one
    return t.t(one.of === 'steps' ? 'game.forecast.steps' : 'game.forecast.line', { what: { key: one.key }, mean: Number(one.mean), n, most })
  }

  /** @param {Forecast} one */
  details({ checks, notes, eased }) {
    const { ctx } = this.game,
      t = ctx.texts
    return h(
      'div.scroll',
      {},
      checks.map((check) => this.check(check)),
      eased
        ? h('p', {}, t.t('game.forecast.eased', { how: { key: eased.key }, mean: Number(eased.mean), most: eased.most }), ' ', ctx.clause(eased.clause))
        : null,
      (notes ?? []).map((note) => h('p.note', {}, t.say(note), ' ', ctx.clause(note.clause))),
    )
  }

  /** One die: its modifiers, and what each face costs. @param {Check} check */
  check(check) {
    const { ctx } = this.game,
      t = ctx.texts
    const mods = check.modifiers.map((m) => h('tr', {}, h('td', {}, ctx.clause(m.clause)), h('td', {}, t.say(m.label)), h('td', {}, t.signed(m.value))))
    return [
      check.unit ? h('h4', {}, t.unit(check.unit)) : null,
      h(
        'table.mods',
        {},
        h('tbody', {}, mods, h('tr.sum', {}, h('td'), h('td', {}, t.t('game.forecast.total')), h('td', {}, t.signed(check.total)))),
      ),
      h(
        'table.faces',
        {},
        h('tbody', {}, h('tr', {}, h('th', { scope: 'row' }, t.t('game.forecast.die')), check.faces.map((f) => h('td', {}, f.roll)))),
        h(
          'tbody',
          {},
          h('tr', {}, h('th', { scope: 'row' }, t.t('game.forecast.lost')), check.faces.map((f) => h('td', { class: f.loss ? 'loss' : '', title: f.effect ? t.t(f.effect) : null }, f.loss))),
        ),
      ),
    ]
  }

  // -- in the question -------------------------------------------------------------------------------------

  /** What all stacks together may lose, before a phase is ended. */
  question() {
    const { ctx, board } = this.game,
      t = ctx.texts
    if (!this.fresh) void this.ask()
    if (!this.all) return null
    const risks = this.atRisk()
    const sum = total(Object.values(this.all))
    if (!risks.length) return h('p.hint.foretold-all', {}, t.t('game.forecast.question_none'))
    return h(
      'div.foretold-all',
      {},
      h('p.hint', {}, t.t('game.forecast.question', sum), ' ', ctx.clause(risks[0][1].clause)),
      h(
        'p.hint',
        {},
        t.t('game.forecast.worst'),
        ' ',
        risks.slice(0, WORST).map(([loc, { mean, most }]) =>
          button(`${t.placeName(loc)} ${t.t('game.forecast.tag', { mean: Number(mean), most })}`, () => board.focus(loc), { class: 'small', key: `risk-${loc}` }),
        ),
        button(t.t('game.forecast.on_map'), () => board.showLayer(LAYER, !this.shown), { class: 'small quiet', key: 'risk-map', pressed: this.shown }),
      ),
    )
  }
}

/**
 * The sum of independent dice: on average, at least, at most, and what is enough nine times in ten.
 * @param {Outlook[]} all
 */
export function total(all) {
  let chances = [1]
  for (const { faces } of all.flatMap((one) => one.checks)) {
    /** @type {number[]} */
    const next = []
    chances.forEach((p, n) => {
      for (const { loss } of faces) next[n + loss] = (next[n + loss] ?? 0) + p / faces.length
    })
    chances = Array.from(next, (p) => p ?? 0)
  }
  let under = 0
  const nine = chances.findIndex((p) => (under += p) >= SURE - 1e-9)
  const mean = Math.round(10 * chances.reduce((m, p, n) => m + n * p, 0)) / 10
  return { mean, least: chances.findIndex((p) => p > 0), most: chances.length - 1, nine }
}
