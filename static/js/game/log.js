// @ts-check
// The log: an after-action report, by turn and phase, each entry a way back to its place on the map.
import { brief } from '../site/moment.js'
import { Dead } from './dead.js'
import { button, fill, h } from './dom.js'
import { sentence, stepMessage } from './texts.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {import('./store.js').Entry} Entry */
/** @typedef {import('./store.js').Step} Step */

const FILTERS = ['all', 'moves', 'fights', 'losses', 'mine', 'theirs']

/** Which filters a step answers to, by the fields of its data. @param {Step} step @param {boolean} cost whether it filled a pool of the dead */
export function kindsOf(step, cost) {
  const d = step.data ?? {},
    kinds = new Set()
  if (d.path) kinds.add('moves')
  if (d.odds || d.target) kinds.add('fights')
  if (cost) kinds.add('losses')
  return kinds
}

const PHASE_DATA = new Set(['phase', 'turn']),
  PHASE_FRAGMENTS = /^(turn|track|table:.*)$/

/** Whether a step only says that a phase or turn came or went, which the headings say already. @param {Step} step */
export const onlyPhase = (step) =>
  ('phase' in step.data || Boolean(step.fragments?.turn)) &&
  Object.keys(step.data).every((k) => PHASE_DATA.has(k)) &&
  Object.keys(step.fragments ?? {}).every((k) => PHASE_FRAGMENTS.test(k))

/** Where a step happened. @param {Step} step @returns {string | null} */
export function placeOf(step) {
  const d = step.data ?? {}
  return (d.unit && d.at) || (d.target ?? d.path?.at(-1) ?? d.at ?? d.from ?? null) // the target of a shot is a unit
}

export class Log {
  /**
   * @param {Ctx} ctx @param {HTMLElement} host
   * @param {{mySides: () => string[], onodds: (odds: any) => void, onentry: (entry: Entry, step: Step) => void, takeBack: (entry: Entry) => Node | null, linkTo: (seq: number) => string}} opts
   */
  constructor(ctx, host, opts) {
    this.ctx = ctx
    this.opts = opts
    this.filter = 'all'
    this.chips = h('div.chips', { role: 'group', 'aria-label': ctx.texts.t('game.log.show') })
    this.list = h('ol.entries', {})
    host.append(h('header', {}, h('h2', {}, ctx.texts.t('game.log.title')), this.chips), this.list)
    /** @type {WeakMap<Step, {line: HTMLElement, as: string}>} what a long game need not draw again for every answer */
    this.kept = new WeakMap()
  }

  drawChips() {
    fill(
      this.chips,
      FILTERS.filter((f) => this.opts.mySides().length === 1 || (f !== 'mine' && f !== 'theirs')).map((f) =>
        button(
          this.ctx.texts.t(`game.log.${f}`),
          () => {
            this.filter = f
            this.draw()
          },
          { class: 'chip', key: f, pressed: this.filter === f },
        ),
      ),
    )
  }

  /** @param {Step} step @param {boolean} cost */
  shows(step, cost) {
    if (this.filter === 'all') return true
    const mine = this.opts.mySides().includes(/** @type {string} */ (step.side))
    if (this.filter === 'mine') return mine
    if (this.filter === 'theirs') return Boolean(step.side) && !mine
    return kindsOf(step, cost).has(this.filter)
  }

  /** Newest first; a heading where turn or phase changes. */
  draw() {
    this.drawChips()
    const groups = this.groups(),
      { entries, seq } = this.ctx.store
    fill(
      this.list,
      groups.length
        ? groups.reverse().map(({ head, items }) => {
            const lines = items.filter(({ step, cost }) => this.shows(step, cost))
            return lines.length ? [h('li.when', {}, head), lines.reverse().map(({ entry, step }) => this.lineOf(entry, step))] : null
          })
        : entries.size || !seq // else the record is still to come
          ? h('li.empty', {}, this.ctx.texts.t('game.log.empty'))
          : null,
    )
  }

  /** @returns {{head: string, items: {entry: Entry, step: Step, cost: boolean}[]}[]} oldest first */
  groups() {
    const t = this.ctx.texts
    /** @type {{head: string, items: {entry: Entry, step: Step, cost: boolean}[]}[]} */
    const out = []
    const dead = new Dead(this.ctx.lost)
    let head = t.t('game.log.start')
    for (const entry of this.ctx.store.log()) {
      for (const step of entry.steps) {
        const turn = step.fragments?.turn
        if (turn) head = headOf(t, turn)
        if (out.at(-1)?.head !== head) out.push({ head, items: [] })
        if (!onlyPhase(step)) out.at(-1)?.items.push({ entry, step, cost: dead.grewBy(step) > 0 })
      }
    }
    return out
  }

  /** A line as it was drawn before, unless something in it has changed. @param {Entry} entry @param {Step} step */
  lineOf(entry, step) {
    const back = this.opts.takeBack(entry)
    const as = `${entry.seq} ${!!entry.retracted} ${this.mine(step)}`
    const old = this.kept.get(step)
    if (old?.as === as && !back) return old.line
    const line = this.line(entry, step, back)
    if (back) this.kept.delete(step)
    else this.kept.set(step, { line, as })
    return line
  }

  /** @param {Step} step */
  mine(step) {
    return this.opts.mySides().includes(/** @type {string} */ (step.side))
  }

  /** @param {Entry} entry @param {Step} step @param {Node | null} back */
  line(entry, step, back) {
    const { ctx, opts } = this,
      t = ctx.texts
    const mine = this.mine(step)
    const at = placeOf(step),
      odds = step.data?.odds
    const open = () => {
      if (at) ctx.focus(at)
      if (odds) opts.onodds({ rolled: step.data.roll, ...odds })
      opts.onentry(entry, step)
    }
    return h(
      'li.entry',
      {
        class: `${step.side ? `side-${step.side}` : ''} ${mine ? 'mine' : step.side ? 'theirs' : ''} ${entry.retracted ? 'retracted' : ''}`,
        data: { seq: entry.seq },
      },
      h(
        'div.what',
        { onclick: open },
        sentence(t, stepMessage(step), { onplace: ctx.focus }),
        ' ',
        step.clause ? ctx.clause(step.clause) : null,
        entry.forced && step === entry.steps[0] ? h('small', {}, ' ', t.t('game.log.forced')) : null,
        entry.retracted ? h('span.vh', {}, t.t('game.log.retracted')) : null,
      ),
      h(
        'time',
        { datetime: entry.at },
        h('span', {}, entry.at ? brief(entry.at, t.lang) : ''),
        h('a.link', { href: opts.linkTo(entry.seq), title: t.t('game.log.link') }, `#${entry.seq}`),
      ),
      h('div.more', {}, odds ? button(t.t('game.log.odds'), open, { class: 'small' }) : null, back),
    )
  }
}

/** @param {import('./texts.js').Texts} t @param {any} turn */
export function headOf(t, turn) {
  const phase = t.say(phaseOf(turn))
  return turn.turn ? t.t('game.log.when', { turn: roman(turn.turn), phase }) : phase
}

/** The phase as a message. @param {any} turn */
export const phaseOf = (turn) => turn.phase ?? turn.steps?.find((/** @type {any} */ s) => s.state === 'now')?.label

/** @param {number} n */
export function roman(n) {
  let out = ''
  for (const [value, sign] of /** @type {[number, string][]} */ ([
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ]))
    for (; n >= value; n -= value) out += sign
  return out
}
