// @ts-check
// Drawing on the map for oneself: arrows, rings and notes, kept for the seat on the server.
import { button, fill, h } from './dom.js'

/** @typedef {import('../board/plans.js').Plans} Plans */

const TOOLS = /** @type {const} */ (['arrow', 'ring', 'note', 'erase'])
const SAVE_AFTER = 400 // ms

export class Sketch {
  /**
   * @param {import('./decision.js').Ctx} ctx @param {HTMLElement} bar where the tools go
   * @param {{load: () => Promise<any>, save: (plans: Plans) => Promise<any>, onclose: () => void}} opts
   */
  constructor(ctx, bar, opts) {
    this.ctx = ctx
    this.bar = bar
    this.opts = opts
    /** @type {Plans} */
    this.plans = { arrows: [], rings: [], notes: {} }
    /** @type {typeof TOOLS[number]} */
    this.tool = 'arrow'
    /** @type {string[]} an arrow that is being drawn */
    this.path = []
    this.active = false
    this.timer = 0
  }

  async load() {
    this.plans = await this.opts.load()
    this.show()
  }

  /** @returns {boolean} whether anything is drawn */
  get any() {
    const { arrows, rings, notes } = this.plans
    return arrows.length + rings.length + Object.keys(notes).length > 0
  }

  open() {
    this.active = true
    this.ctx.board.setSingleTaps(true)
    this.draw()
  }

  close() {
    this.finish()
    this.active = false
    this.ctx.board.setSingleTaps(false)
    if (this.bar.contains(document.activeElement)) this.ctx.board.enter()
    this.bar.hidden = true
    this.opts.onclose()
  }

  /** One step back, by Escape. */
  back() {
    if (!this.path.length) return this.close()
    this.path.pop()
    this.changed(false)
  }

  show() {
    const arrows = this.path.length > 1 ? [...this.plans.arrows, this.path] : this.plans.arrows
    const rings = this.path.length === 1 ? [...this.plans.rings, this.path[0]] : this.plans.rings
    this.ctx.board.setPlans({ ...this.plans, arrows, rings }).catch(() => undefined)
  }

  /** More of it, from elsewhere on the page. @param {Plans} more */
  keep({ arrows, rings, notes }) {
    const { plans } = this
    this.plans = { arrows: [...plans.arrows, ...arrows], rings: [...new Set([...plans.rings, ...rings])], notes: { ...plans.notes, ...notes } }
    this.changed()
  }

  /** @param {boolean} save */
  changed(save = true) {
    this.show()
    this.draw()
    if (!save) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.opts.save(this.plans).catch(() => this.ctx.toast(this.ctx.texts.t('game.sketch.not_saved'))), SAVE_AFTER)
  }

  /** The arrow begun is kept as it is. */
  finish() {
    const done = this.path.length > 1
    if (done) this.plans.arrows.push(this.path)
    this.path = []
    this.changed(done)
  }

  /** @param {string | null} loc */
  tap(loc) {
    if (!loc) return
    const { plans } = this
    if (this.tool === 'arrow') return this.lead(loc)
    if (this.tool === 'note') return this.note(loc)
    if (this.tool === 'ring') plans.rings = plans.rings.includes(loc) ? plans.rings.filter((r) => r !== loc) : [...plans.rings, loc]
    else {
      plans.rings = plans.rings.filter((r) => r !== loc)
      plans.arrows = plans.arrows.filter((path) => !path.includes(loc))
      delete plans.notes[loc]
    }
    this.changed()
  }

  /** The next point of the arrow; its last one again ends it. @param {string} loc */
  lead(loc) {
    if (this.path.at(-1) === loc) return this.finish()
    this.path.push(loc)
    this.changed(false)
  }

  /** @param {string} loc */
  note(loc) {
    const t = this.ctx.texts
    const input = /** @type {HTMLInputElement} */ (
      h('input', { type: 'text', maxlength: 500, value: this.plans.notes[loc] ?? '', 'aria-label': t.t('game.sketch.note_on', { at: loc }) })
    )
    const box = /** @type {HTMLDialogElement} */ (
      h(
        'dialog.ask-box',
        {},
        h('h2', {}, t.t('game.sketch.note_on', { at: loc })),
        h(
          'form.write',
          {
            method: 'dialog',
            onsubmit: () => {
              const text = input.value.trim()
              if (text) this.plans.notes[loc] = text
              else delete this.plans.notes[loc]
              this.changed()
            },
          },
          input,
          h('button.go', { type: 'submit' }, t.t('game.sketch.keep')),
        ),
      )
    )
    box.addEventListener('close', () => box.remove())
    document.body.append(box)
    box.showModal()
  }

  draw() {
    if (!this.active) return
    const t = this.ctx.texts
    this.bar.hidden = false
    fill(
      this.bar,
      h('b', {}, t.t('game.sketch.title')),
      h(
        'span.chips',
        { role: 'group', 'aria-label': t.t('game.sketch.title') },
        TOOLS.map((tool) => button(t.t(`game.sketch.${tool}`), () => this.pick(tool), { class: 'chip', pressed: tool === this.tool, key: `sketch-${tool}` })),
      ),
      h('small', {}, t.t(this.path.length ? 'game.sketch.arrow_on' : `game.sketch.${this.tool}_how`)),
      button(t.t('game.sketch.clear'), () => this.clear(), { class: 'small quiet', key: 'sketch-clear', disabled: !this.any }),
      button(t.t('game.sketch.done'), () => this.close(), { class: 'small', key: 'sketch-done' }),
    )
  }

  /** @param {typeof TOOLS[number]} tool */
  pick(tool) {
    this.finish()
    this.tool = tool
    this.draw()
  }

  clear() {
    this.path = []
    this.plans = { arrows: [], rings: [], notes: {} }
    this.changed()
  }
}
