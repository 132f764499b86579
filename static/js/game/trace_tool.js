// @ts-check
// A form of kind `trace`: a way drawn over the map, space by space, or to a far one by the fewest steps.
import { button } from './dom.js'
import { Tool } from './tool.js'

/** @extends {Tool<import('./protocol.js').TraceForm>} */
export default class TraceTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').TraceForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    /** @type {string[]} */
    this.path = [...form.suggested]
    if (this.path.length) this.changed()
  }

  get last() {
    return this.path.at(-1) ?? null
  }

  places() {
    return [...this.form.starts, ...this.form.goals]
  }

  /** The middle of the way that is proposed: both its ends come into sight. */
  about() {
    const { suggested, starts } = this.form
    return suggested[Math.floor(suggested.length / 2)] ?? starts[0] ?? null
  }

  opening() {
    return this.about()
  }

  answer() {
    return this.path.length ? { form: this.form.form, path: this.path } : null
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    this.path = [...(answer.path ?? [])]
    this.changed()
  }

  changed() {
    if (this.path.length) this.weigh()
    else this.ctx.keep(null)
  }

  /** A start begins the way, a space on it cuts it back, any other lengthens it. @param {string} loc */
  tap(loc) {
    const on = this.path.indexOf(loc)
    if (on >= 0 && on < this.path.length - 1) this.path = this.path.slice(0, on + 1)
    else if (on >= 0) this.path.pop()
    else if (this.last && this.leg(this.last, loc)) this.path = [...this.path, .../** @type {string[]} */ (this.leg(this.last, loc))]
    else if (this.form.starts.includes(loc)) this.path = [loc]
    else return false
    this.changed()
    this.ctx.redraw()
    return true
  }

  /** The spaces from one to another by the fewest steps, none of those of the way again. @param {string} from @param {string} to @returns {string[] | null} */
  leg(from, to) {
    /** @type {Map<string, string | null>} */
    const back = new Map(this.path.map((loc) => [loc, null]))
    let rim = [from]
    while (rim.length && !back.has(to)) {
      const next = []
      for (const here of rim)
        for (const there of this.form.ways[here] ?? [])
          if (!back.has(there)) {
            back.set(there, here)
            next.push(there)
          }
      rim = next
    }
    if (!back.get(to)) return null
    const leg = [to]
    for (let before = back.get(to); before && before !== from; before = back.get(before)) leg.unshift(before)
    return leg
  }

  back() {
    if (!this.path.length) return false
    this.path.pop()
    this.changed()
    this.ctx.redraw()
    return true
  }

  prompt() {
    const t = this.ctx.texts,
      done = Boolean(this.last && this.form.goals.includes(this.last))
    const problem = done ? this.preview?.problems?.[0] : null
    const long = this.form.max !== null && this.path.length > this.form.max
    const set = (/** @type {string[]} */ path) => () => {
      this.path = path
      this.changed()
      this.ctx.redraw()
    }
    return {
      title: null,
      problem,
      hint: t.t(!this.path.length ? 'game.trace.start' : done ? 'game.trace.done' : 'game.trace.on', { n: this.path.length }),
      acts: [
        this.form.suggested.length ? button(t.t('game.place.suggested'), set([...this.form.suggested]), { class: 'quiet', key: 'suggest' }) : null,
        this.path.length ? button(t.t('game.place.clear'), set([]), { class: 'quiet', key: 'clear' }) : null,
        this.go(t.say(this.form.label), done && !long && !problem),
      ],
    }
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    const { starts, goals, ways } = this.form
    if (this.path.length > 1) marks.setPath(this.path.map((at) => ({ at, cost: null })))
    else if (this.last) marks.select({ [this.last]: [] })
    marks.setChoices(this.last ? (ways[this.last] ?? []).filter((/** @type {string} */ loc) => !this.path.includes(loc)) : starts)
    marks.setTargets(this.last ? goals.filter((/** @type {string} */ loc) => !this.path.includes(loc)) : [])
  }
}
