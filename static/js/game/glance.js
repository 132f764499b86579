// @ts-check
// A stack opened on the map of a film: what stood there at its moment, and so on as the film goes.
import { byId, fill } from './dom.js'
import { lookTray } from './tray.js'

export class Glance {
  /** @param {import('./decision.js').Board} board @param {() => import('./decision.js').Ctx} moment the page's tools, with the game as it was @param {() => any} [why] nothing can be done there */
  constructor(board, moment, why) {
    this.board = board
    this.moment = moment
    this.why = why
    this.tray = byId('tray')
    /** @type {string | null} the space whose stack is open */
    this.at = null
  }

  /** null puts it away. @param {string | null} loc @returns {boolean} whether there is something to see */
  open(loc) {
    const { tray, board } = this,
      was = this.at,
      held = tray.contains(document.activeElement)
    this.at = loc && this.moment().store.space(loc) ? loc : null
    if (!this.at && !was) return false
    fill(tray, this.at && lookTray(this.moment(), this.at, () => this.open(null), this.why?.()))
    tray.hidden = !this.at
    if (held && tray.hidden) board.enter()
    return this.at !== null
  }

  /** The film has gone on, or back. */
  draw() {
    if (this.at) this.open(this.at)
  }
}
