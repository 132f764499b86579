// @ts-check
// What lies over the view on the map: units of an unfinished answer, and the tray beside its space.
import { byId } from './dom.js'
import { sideOf } from './sides.js'

const GAP = 16,
  EDGE = 14,
  ASIDE = 66, // beside the buttons for zooming
  RADIUS = 40 // pixels; a space at zoom 1

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

/**
 * Hang the tray beside its space, or beside the one it hung at before; on the side where it covers less that matters, or at an
 * edge of the map where it covers still less.
 * @param {import('./decision.js').Board} board @param {HTMLElement} tray @param {string[]} clear spaces better not covered @param {string | null} [at]
 */
export function hang(board, tray, clear, at = tray.dataset.at ?? null) {
  if (at) tray.dataset.at = at
  else delete tray.dataset.at
  tray.classList.toggle('hung', Boolean(at))
  if (!at || narrow()) return tray.removeAttribute('style')
  const spot = board.pointOf(at),
    size = RADIUS * board.zoom
  const { clientWidth: width, clientHeight: height } = byId('map')
  const right = spot.x + size + GAP,
    wide = tray.offsetWidth
  const foot = Math.max(byId('prompt').offsetHeight, byId('player').offsetHeight) + 2 * EDGE // the bar below
  const top = Math.max(10, Math.min(spot.y - 110, height - tray.offsetHeight - foot))
  const covered = (/** @type {number} */ from) =>
    clear.map(board.pointOf).filter((p) => p.x > from && p.x < from + wide && p.y > top && p.y < top + tray.offsetHeight).length
  const other = spot.x - size - wide - GAP
  const far = [width - wide - EDGE, ASIDE].filter((from) => from > spot.x + size || from + wide < spot.x - size)
  const free = [right, other].filter((from) => from >= GAP && from + wide + GAP < width)
  const usual = free[0] ?? Math.max(8, Math.min(right, width - wide - 8))
  const left = [...free, ...far].reduce((best, from) => (covered(from) < covered(best) ? from : best), usual)
  const rightward = left > spot.x
  tray.style.left = `${left}px`
  tray.style.top = `${top}px`
  tray.style.setProperty('--point', `${Math.max(10, Math.min(spot.y - top - 7, tray.offsetHeight - 24))}px`)
  tray.classList.toggle('leftward', !rightward)
  tray.classList.toggle('apart', far.includes(left))
}
