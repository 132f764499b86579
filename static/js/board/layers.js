// @ts-check
/** The drawn sheet in the page: its layers to fill, and what of its lettering is shown at which zoom. */
import { parse, svg } from './dom.js'

const LEGIBLE = 11 // least size of text on screen, CSS pixels
const STACK = 18 // least size of a stack on screen, CSS pixels, as far as there is room
const COUNTER = 44
const NUMBER = 41 // of units, on the blocks of digest.js
const CROWDED = 4 // times its room a block may take where its number could not be read otherwise
/** Zoom from which a level of detail holds, nearest first. */
const LEVELS = /** @type {[string, number][]} */ ([
  ['close', 1.3],
  ['near', 1.05],
  ['mid', 0.82],
  ['far', 0.62],
  ['tiny', 0],
])
const FILLED = ['reach', 'under', 'counters', 'over']

export class Layers {
  /** @param {HTMLElement} block @param {string} mapText @param {string} symbolsText */
  constructor(block, mapText, symbolsText) {
    this.map = parse(mapText)
    const box = this.map.viewBox.baseVal
    this.bounds = { x: box.x, y: box.y, width: box.width, height: box.height }
    block.append(parse(symbolsText), this.map)
    /** The map without the strip below it. */
    this.core = boxOf(this.map.querySelector('.l-frame .neat.wide')) ?? this.bounds
    /** @type {Record<string, SVGGElement>} */
    this.of = {}
    for (const name of FILLED) this.of[name] = this.find(`.l-${name}`)
    this.of.counters.classList.add('counters')
    /** Numbers printed where a stack would cut them in two, by place. @type {Map<string, SVGElement>} */
    this.cut = new Map()
    for (const node of /** @type {NodeListOf<SVGElement>} */ (this.map.querySelectorAll('.l-numbers text[x]'))) {
      if (Math.abs(Number(node.getAttribute('x'))) > COUNTER / 2) this.cut.set(node.textContent ?? '', node)
    }
    /** @type {import('./names.js').Names | null} loaded when names are first to be grown */
    this.names = null
    const towns = [...this.map.querySelectorAll('.l-towns .town[data-at]')]
    /** Printed size of the smallest name of a place. */
    this.least = Math.min(...towns.map((node) => Number(node.getAttribute('font-size'))))
    const others = '.l-names text, .l-towns text:not(.town[data-at]), .l-frame text[font-size]'
    /** @type {{node: SVGElement, size: number}[]} */
    this.labels = [...this.map.querySelectorAll(others)].map((node) => ({
      node: /** @type {SVGElement} */ (node.closest('.legend-item, .prize') ?? node),
      size: Number(node.getAttribute('font-size')),
    }))
  }

  /** @param {string} selector */
  find(selector) {
    const node = this.map.querySelector(selector)
    if (!node) throw new Error(`the map has no ${selector}`)
    return /** @type {SVGGElement} */ (node)
  }

  /** One group of its own in a layer. @param {string} layer @param {string} name @returns {SVGElement} */
  group(layer, name) {
    const node = svg('g', { class: `b-${name}` })
    this.of[layer].append(node)
    return node
  }

  /**
   * Level of detail and legible lettering for a zoom; names of places are the board's (`names`), which knows what stands there.
   * @param {number} zoom @param {HTMLElement} view @param {number} room  how large a stack may be, sheet units
   * @returns {number} how much larger than printed stacks are drawn, to be seen from afar
   */
  draw(zoom, view, room) {
    const level = LEVELS.find(([, from]) => zoom >= from)?.[0]
    for (const [name] of LEVELS) view.classList.toggle(`lod-${name}`, name === level)
    for (const { node, size } of this.labels) node.style.display = size * zoom < LEGIBLE - 0.05 ? 'none' : ''
    const least = (LEGIBLE * COUNTER) / NUMBER / zoom
    const grown = Math.max(1, Math.min(STACK / zoom, least > room && least <= CROWDED * room ? least : room) / COUNTER)
    this.map.classList.toggle('nameless', !this.names && !this.readable(zoom))
    view.classList.toggle('numberless', NUMBER * grown * zoom < LEGIBLE - 0.05)
    view.style.setProperty('--grow', grown.toFixed(3))
    return grown
  }

  /**
   * Names of places for a zoom.
   * @param {() => number} zoom @param {(loc: string) => import('./geometry.js').Point | null} centre
   * @param {() => Map<string, import('./free.js').Rect> | null} boxes  what stands there
   */
  async letter(zoom, centre, boxes) {
    if (!this.names) {
      if (this.readable(zoom())) return
      const { Names } = await import('./names.js')
      this.names ??= new Names(this.map, boxOf(this.map.querySelector('.l-frame .neat')) ?? this.core)
      this.map.classList.remove('nameless')
    }
    this.names.place(zoom(), LEGIBLE, this.readable(zoom()), centre, boxes)
  }

  /** Whether every name can be read as printed. @param {number} zoom */
  readable(zoom) {
    return this.least * zoom >= LEGIBLE - 0.05
  }

  /** A stack has come to a place, or left it. @param {string} loc @param {boolean} taken */
  occupy(loc, taken) {
    this.cut.get(loc)?.classList.toggle('no-room', taken)
  }

  /** Hide or show the printed name of a place. @param {string} loc @param {boolean} shown */
  name(loc, shown) {
    for (const line of this.map.querySelectorAll(`.l-towns [data-at="${CSS.escape(loc)}"]`)) /** @type {SVGElement} */ (line).style.visibility = shown ? '' : 'hidden'
  }
}

/** @param {Element | null} rect */
function boxOf(rect) {
  if (!rect) return null
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => Number(rect.getAttribute(name)))
  return { x, y, width, height }
}
