// @ts-check
// What stands in a space, shown while the mouse rests on it.
import { fill, h } from './dom.js'

const REST = 380 // ms
const GAP = 18

export class Peek {
  /** @param {() => import('./decision.js').Ctx} shown the page's tools, with the game as the map shows it @param {HTMLElement} host @param {() => boolean} quiet while something else is open */
  constructor(shown, host, quiet) {
    this.shown = shown
    this.box = h('div.peek', { hidden: true, 'aria-hidden': 'true' })
    this.quiet = quiet
    this.host = host
    this.timer = 0
    host.append(this.box)
    const { board } = shown()
    board.on('hover', ({ loc, pointerType, point }) => this.over(pointerType === 'mouse' ? loc : null, point))
    for (const name of ['tap', 'drag', 'view']) board.on(name, () => this.over(null))
  }

  /** @param {string | null} loc @param {{x: number, y: number}} [point] */
  over(loc, point = { x: 0, y: 0 }) {
    clearTimeout(this.timer)
    this.box.hidden = true
    const space = loc && this.shown().store.space(loc)
    if (space?.count > 1) this.timer = setTimeout(() => this.show(/** @type {string} */ (loc), point), REST)
  }

  /** @param {string} loc @param {{x: number, y: number}} point */
  show(loc, point) {
    const ctx = this.shown(),
      { box } = this,
      t = ctx.texts,
      space = ctx.store.space(loc)
    if (!space || this.quiet()) return
    const seen = space.units ?? (space.top ? [space.top] : [])
    const hidden = space.count - seen.length
    fill(
      box,
      h('b', {}, t.place(loc), space.box ? ` · ${t.t('game.in_box', { box: space.box })}` : ''),
      h(
        'div',
        {},
        seen.map((/** @type {any} */ u) => ctx.mini(u.id, { size: 44, badges: u.badges })),
      ),
      hidden > 0 ? h('small', {}, t.t('game.tray.hidden', { n: hidden })) : null,
    )
    box.hidden = false
    const { clientWidth: width, clientHeight: height } = this.host
    const right = point.x + GAP + box.offsetWidth < width
    box.style.left = `${right ? point.x + GAP : Math.max(6, point.x - GAP - box.offsetWidth)}px`
    box.style.top = `${Math.max(6, Math.min(point.y + GAP, height - box.offsetHeight - 100))}px`
  }
}
