// @ts-check
// What lies over the view on the map: units of an unfinished answer.
import { sideOf } from './sides.js'

export const narrow = () => matchMedia('(max-width: 900px)').matches

export class Plan {
  /** @param {import('./store.js').Store} store @param {import('./decision.js').Board} board */
  constructor(store, board) {
    this.store = store
    this.board = board
    /** @type {Map<string, string>} spaces that show more than the view, and what */
    this.shown = new Map()
  }

  /** The board has been drawn anew from the view. */
  forget() {
    this.shown.clear()
  }

  /** @param {{units: Record<string, string[]>, boxes: Record<string, string>}} planned */
  show({ units, boxes }) {
    /** @type {Record<string, any>} */
    const changes = {}
    for (const loc of this.shown.keys()) {
      if (units[loc]) continue
      changes[`space:${loc}`] = this.store.space(loc) ?? null
      this.shown.delete(loc)
    }
    for (const [loc, ids] of Object.entries(units)) {
      const print = `${ids} ${boxes[loc] ?? ''}`
      if (this.shown.get(loc) === print) continue
      this.shown.set(loc, print)
      changes[`space:${loc}`] = this.over(loc, ids, boxes[loc])
    }
    if (Object.keys(changes).length) this.board.applyFragments(changes)
  }

  /** A space with more units in it. @param {string} loc @param {string[]} ids @param {string} [box] */
  over(loc, ids, box) {
    const base = this.store.space(loc) ?? {}
    const units = [...(base.units ?? []), ...ids.map((id) => ({ id, badges: [] }))]
    return { ...base, side: this.store.request ? sideOf(this.store.card, this.store.request.seat) : null, units, count: units.length, ...(box ? { box: Number(box) || box } : {}) }
  }
}
