// @ts-check
// What the tools of all forms are: the default export of KIND_tool.js extends this, and nothing else knows the kinds.
import { button, h } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {import('./marks.js').Marks} Marks */
/** @typedef {{title: any, ask?: any, clause?: string | null, problem?: any, hint?: any, warn?: boolean, acts?: any[]}} Prompt `title` null: the request's own */
/** @typedef {{node: Node, at?: string}} Tray `at` the space whose stack it shows */
/** @typedef {{on?: boolean, bar?: string | null, key?: string, label?: string, size?: number, act: () => void, more?: Record<string, any>}} Piece a counter to press; `bar`: why it can't be chosen now */

/** @template {import('./protocol.js').Form} [F=any] */
export class Tool {
  /** @param {Ctx} ctx @param {F} form */
  constructor(ctx, form) {
    this.ctx = ctx
    this.form = form
    /** @type {import('./protocol.js').Preview | null} the server's word on what is begun */
    this.preview = null
    /** @type {Promise<void> | null} until the server has said what can be tapped */
    this.asking = null
  }

  // -- what it is among others: each kind says what differs ------------------------------------------------

  /** Its options are buttons in the bar, beside whatever tool is open. */
  get choice() {
    return false
  }

  /** It stays closed until its button is pressed: the map first belongs to the others. */
  get onDemand() {
    return false
  }

  /** It comes first, and takes up stacks: the one that was looked at, and those that are dragged. */
  get leads() {
    return false
  }

  /** It answers for one's part in a fight. */
  get fights() {
    return false
  }

  /** Nothing has been begun. */
  get idle() {
    return false
  }

  /** Spaces it is about. @returns {string[]} */
  places() {
    return []
  }

  /** Where to look as it opens. @returns {string | null} */
  about() {
    return this.ctx.store.fragments.battle?.target ?? null
  }

  /** Where the map opens when this is asked first. @returns {string | null} */
  opening() {
    return null
  }

  /** A space's card is open: with it what it leads to in sight. @param {string} _loc */
  lookAround(_loc) {}

  // -- what is done with it --------------------------------------------------------------------------------

  /** A space was tapped. @param {string} _loc @returns {boolean | void} whether it was for this tool */
  tap(_loc) {
    return false
  }

  /** A stack was dragged. @param {string} _from @param {string} _to @returns {void | Promise<void>} */
  drop(_from, _to) {}

  /** One step back. @returns {boolean} */
  back() {
    return false
  }

  /** Go on with a kept draft. @param {import('./protocol.js').Answer} _answer */
  restore(_answer) {}

  /** The answer as it stands, or null. @returns {import('./protocol.js').Answer | null} */
  answer() {
    return null
  }

  /** What is begun and not yet answered with, as the button that answers says it. @returns {{label: string, clause: string, answer: any} | null} */
  unsent() {
    return null
  }

  // -- what is shown of it ---------------------------------------------------------------------------------

  /** What the bar says; null while nothing is begun. @returns {Prompt | null} */
  prompt() {
    return null
  }

  /** What the bar hints while nothing is begun. @returns {string | null} */
  hint() {
    return null
  }

  /** @returns {Tray | null} */
  tray() {
    return null
  }

  /** @param {Marks} _marks */
  paint(_marks) {}

  /** What the map shows beside the view. @returns {{units: Record<string, string[]>, boxes: Record<string, string>} | null} */
  planned() {
    return null
  }

  /** Why nothing can be done there, if so. @param {string} _loc @returns {any} */
  reason(_loc) {
    return null
  }

  // -- parts of many ---------------------------------------------------------------------------------------

  /** Parts that not every form needs; without a line they stay away. @param {Promise<any>} part */
  async fetch(part) {
    await part.then(() => this.ctx.redraw()).catch(() => null)
  }

  /** Ask what the answer would do; `preview` is null until that is known. @param {import('./protocol.js').Answer | null} [answer] */
  async weigh(answer = this.answer()) {
    this.preview = null
    const said = await this.ctx.preview(answer)
    if (!said) return
    this.preview = said
    this.ctx.redraw()
  }

  /** A tray of a form: a heading, and what stands below it. @param {string} label @param {{kind?: string, name?: string, head?: any}} how @param {...any} parts @returns {Tray} */
  dock(label, { kind = '', name = label, head = null }, ...parts) {
    return {
      node: h('section.tray.dock', { class: kind, 'aria-label': name }, h('header', {}, h('h2', {}, label), head), ...parts),
    }
  }

  /** Counters in a row. @param {string[]} ids @param {(id: string) => Piece} of @param {(id: string) => any} [below] what stands under each */
  counters(ids, of, below = () => null) {
    return h('ul.counters', {}, ids.map((id) => h('li', {}, this.counter(id, of(id)), below(id))))
  }

  /** @param {string} id @param {Piece} piece */
  counter(id, { on, bar = null, key = `unit-${id}`, label, size = 44, act, more = {} }) {
    const name = this.ctx.texts.unit(id)
    return h(
      'button.counter',
      {
        type: 'button',
        ...(on === undefined ? {} : { 'aria-pressed': String(on) }),
        ...(bar === null ? {} : { 'aria-disabled': String(Boolean(bar)) }),
        title: bar ? `${name}: ${bar}` : name,
        'aria-label': label ?? name,
        data: { key },
        onclick: act,
        ...more,
      },
      this.ctx.mini(id, { size, selected: Boolean(on) }),
    )
  }

  /** The button that answers. @param {any} label @param {boolean} ready @param {{kind?: string, answer?: () => import('./protocol.js').Answer | null}} [how] */
  go(label, ready, { kind = '', answer = () => this.answer() } = {}) {
    return button(label, () => this.ctx.submit(answer()), { class: `go ${kind}`.trim(), key: 'go', disabled: !ready })
  }

  /** A name of a place, as a button that shows it. @param {string} loc @param {string} key */
  placeName(loc, key) {
    return h('button.place', { type: 'button', data: { key }, onclick: () => this.ctx.focus(loc) }, this.ctx.texts.place(loc))
  }
}
