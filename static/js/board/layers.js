// @ts-check
/** The drawn sheet in the page: its layers to fill, and what of its lettering is shown at which zoom. */
import { parse, svg } from './dom.js'

const LEGIBLE = 11 // least size of text on screen, CSS pixels
const KEY_TOWNS_FROM = 0.3
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
    /** @type {Record<string, SVGGElement>} */
    this.of = {}
    for (const name of FILLED) this.of[name] = this.find(`.l-${name}`)
    this.of.counters.classList.add('counters')
    /** @type {{node: SVGElement, size: number, key: boolean}[]} */
    this.labels = [...this.map.querySelectorAll('.l-names text, .l-towns text, .l-frame text[font-size]')].map((node) => ({
      node: /** @type {SVGElement} */ (node.closest('.legend-item, .prize') ?? node),
      size: Number(node.getAttribute('font-size')),
      key: node.classList.contains('big'),
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

  /** Level of detail and legible lettering for a zoom. @param {number} zoom @param {HTMLElement} view */
  draw(zoom, view) {
    const level = LEVELS.find(([, from]) => zoom >= from)?.[0]
    for (const [name] of LEVELS) view.classList.toggle(`lod-${name}`, name === level)
    for (const { node, size, key } of this.labels) {
      const grown = key && zoom >= KEY_TOWNS_FROM ? Math.max(size, LEGIBLE / zoom) : size
      if (key) node.style.fontSize = grown > size ? `${grown}px` : ''
      node.style.display = grown * zoom < LEGIBLE - 0.05 ? 'none' : ''
    }
  }

  /** Hide or show the printed name of a place. @param {string} loc @param {boolean} shown */
  name(loc, shown) {
    for (const { node } of this.labels) {
      if (node.dataset.at === loc) node.style.visibility = shown ? '' : 'hidden'
    }
  }
}
