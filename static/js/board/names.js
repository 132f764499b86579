// @ts-check
/**
 * Names of places where their printed size is too small to read: grown to it, beside their place where there is room, the
 * foremost first (of equals in the order of the sheet), and the foremost even over something else; the rest goes. Nothing printed is moved once all can be read.
 *
 * @typedef {import('./geometry.js').Point} Point
 * @typedef {import('./free.js').Rect} Rect
 * @typedef {{loc: string, lines: SVGTextElement[], size: number, big: boolean}} Name
 */

const BIG = 1.12 // of the least legible size, for places that count most
const GAP = 2 // pixels between a place and its name, and between names
const SIGNED_FROM = 0.62 // zoom below which a name stands without the signs of its worth, as board.css has it
const SIGN = 15 // sheet units from the middle of a place to the rim of its sign
/** Where a name may stand if not where it is printed: which way from its place. The first that is free is taken. */
const WAYS = [
  [0, 1],
  [1, 0],
  [-1, 0],
  [0, -1],
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
]

export class Names {
  /** @param {SVGSVGElement} map @param {{x: number, y: number, width: number, height: number}} core  room for names */
  constructor(map, core) {
    this.core = { left: core.x, top: core.y, right: core.x + core.width, bottom: core.y + core.height }
    /** @type {Map<string, Name>} */
    this.all = new Map()
    for (const line of /** @type {NodeListOf<SVGTextElement>} */ (map.querySelectorAll('.l-towns .town[data-at]'))) {
      const loc = line.dataset.at ?? ''
      const name = this.all.get(loc) ?? { loc, lines: [], size: Number(line.getAttribute('font-size')), big: line.classList.contains('big') }
      name.lines.push(line)
      this.all.set(loc, name)
    }
    /** Whether signs of their worth stand beside names. */
    this.signed = map.querySelector('.prize') !== null
  }

  /**
   * @param {number} zoom @param {number} legible  least size on screen, pixels
   * @param {boolean} printed  whether all can be read as printed
   * @param {(loc: string) => Point | null} centre
   * @param {() => Map<string, Rect> | null} boxes  what stands at places, on the sheet; null where names have rooms of their own
   */
  place(zoom, legible, printed, centre, boxes) {
    const stacks = printed ? null : boxes()
    /** @type {Rect[]} */
    const taken = [...(stacks?.values() ?? [])]
    /** @type {[Name, string | null][]} read first, written after: each look after a change would lay all out again */
    const changes = []
    for (const name of [...this.all.values()].sort((a, b) => Number(b.big) - Number(a.big))) {
      const at = centre(name.loc)
      const found = printed || !at ? '' : this.room(name, at, zoom, legible, stacks, taken)
      changes.push([name, found])
    }
    for (const [name, transform] of changes) {
      for (const line of name.lines) {
        line.classList.toggle('no-room', transform === null)
        if (transform) line.setAttribute('transform', transform)
        else line.removeAttribute('transform')
      }
    }
  }

  /**
   * The transform that puts a name where there is room, or null. What it takes is added to what is taken.
   * @param {Name} name @param {Point} at @param {number} zoom @param {number} legible @param {Map<string, Rect> | null} stacks @param {Rect[]} taken
   */
  room(name, at, zoom, legible, stacks, taken) {
    const box = bounds(name.lines)
    const grown = Math.max(1, (legible * (name.big ? BIG : 1)) / (name.size * zoom))
    const gap = GAP / zoom
    const own = stacks?.get(name.loc)
    const around = own ?? { left: at.x - SIGN, top: at.y - SIGN, right: at.x + SIGN, bottom: at.y + SIGN }
    const aside = stacks ? WAYS.map((way) => beside(box, around, way, grown, gap, this.core)) : []
    const printed = this.signed && zoom < SIGNED_FROM ? [] : [inPlace(box, at, grown)]
    const inside = [...printed, ...aside].filter((r) => within(r, this.core))
    const free = inside.find((r) => !taken.some((other) => meet(r, other, other === own ? 0 : gap / 2)))
    const here = free ?? (name.big && stacks ? leastOver(inside, taken) : null)
    if (!here) return null
    taken.push(here)
    return `translate(${(here.left - grown * box.left).toFixed(1)} ${(here.top - grown * box.top).toFixed(1)})scale(${grown.toFixed(3)})`
  }
}

/** A name grown where it is printed, away from its place. @param {Rect} box @param {Point} at @param {number} grown @returns {Rect} */
function inPlace(box, at, grown) {
  const x = Math.min(box.right, Math.max(box.left, at.x))
  const y = Math.min(box.bottom, Math.max(box.top, at.y))
  const far = (/** @type {number} */ v, /** @type {number} */ from) => from + (v - from) * grown
  return { left: far(box.left, x), top: far(box.top, y), right: far(box.right, x), bottom: far(box.bottom, y) }
}

/** A grown name on one side of its place, moved along it where the map ends. @param {Rect} box @param {Rect} own  what is there @param {number[]} way @param {number} grown @param {number} gap @param {Rect} core @returns {Rect} */
function beside(box, own, [dx, dy], grown, gap, core) {
  const [wide, high] = [(box.right - box.left) * grown, (box.bottom - box.top) * grown]
  const inside = (/** @type {number} */ v, /** @type {number} */ from, /** @type {number} */ to) => Math.min(to, Math.max(from, v))
  const left = dx < 0 ? own.left - gap - wide : dx > 0 ? own.right + gap : inside((own.left + own.right - wide) / 2, core.left, core.right - wide)
  const top = dy < 0 ? own.top - high : dy > 0 ? own.bottom : inside((own.top + own.bottom - high) / 2, core.top, core.bottom - high)
  return { left, top, right: left + wide, bottom: top + high }
}

/** The room of some lines as printed; letters leave some of their lines' height free. @param {SVGTextElement[]} lines @returns {Rect} */
function bounds(lines) {
  const boxes = lines.map((line) => line.getBBox())
  const spare = boxes[0].height * 0.16
  return {
    left: Math.min(...boxes.map((b) => b.x)),
    top: Math.min(...boxes.map((b) => b.y)) + spare,
    right: Math.max(...boxes.map((b) => b.x + b.width)),
    bottom: Math.max(...boxes.map((b) => b.y + b.height)) - spare,
  }
}

/** That which lies over least. @param {Rect[]} rects @param {Rect[]} taken @returns {Rect | null} */
function leastOver(rects, taken) {
  const over = (/** @type {Rect} */ r) =>
    taken.reduce((sum, t) => sum + Math.max(0, Math.min(r.right, t.right) - Math.max(r.left, t.left)) * Math.max(0, Math.min(r.bottom, t.bottom) - Math.max(r.top, t.top)), 0)
  return rects.length ? rects.reduce((best, r) => (over(r) < over(best) ? r : best)) : null
}

/** @param {Rect} a @param {Rect} b */
const within = (a, b) => a.left >= b.left && a.top >= b.top && a.right <= b.right && a.bottom <= b.bottom

/** @param {Rect} a @param {Rect} b @param {number} gap */
const meet = (a, b, gap) => a.left < b.right + gap && a.right > b.left - gap && a.top < b.bottom + gap && a.bottom > b.top - gap
