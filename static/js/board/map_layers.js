// @ts-check
/**
 * What a view lays over the map: arcs, zones, fields of fire, ranges of command, lines of supply. Each is a fragment
 * `layer:NAME` (docs/protocol.md, section 2) that its viewer may hide.
 *
 * @typedef {{key: string, args?: Record<string, any>}} Said
 * @typedef {object} Part  spaces with a ground and an outline, a line along a path, or words at a place
 * @property {string} [colour]  red, gold, blue, green, violet or grey
 * @property {string[]} [spaces]
 * @property {string} [fill]  tint or hatch; beyond: all of the sheet but these spaces
 * @property {string} [line]  solid, dash or dots; trench or fort around each of its spaces
 * @property {string} [sign]  well, trail, depot, siege or blockade, in a corner of the place; the text is then told, not shown
 * @property {string[]} [path]
 * @property {boolean} [arrow]
 * @property {string} [at]
 * @property {Said} [text]
 * @typedef {{title: Said, shown?: boolean, parts: Part[]}} MapLayer
 */
import { svg } from './dom.js'
import { heading, pathLine, pathText, shorten, stanceOf } from './geometry.js'

const COLOURS = ['red', 'gold', 'blue', 'green', 'violet', 'grey']
const LETTER = 6.7 // width of a letter on a tag, units
const WORKS = ['trench', 'fort'] // lines drawn within each space, with teeth
const WITHIN = 0.85 // of the size of the space
const CORNER = { x: 26, y: 17 } // where a sign stands, from the middle of its place
const BOXED = { size: 1.2, corner: { x: -29, y: -29 } } // of a box in an area lines run outside its frame, a sign stands on it
/** @type {Record<string, string>} */
const SIGNS = {
  well: 'M-5-2.4q2.5-2.6 5 0t5 0M-5 2.4q2.5-2.6 5 0t5 0',
  trail: 'M-5 5Q-4 0 0 0T5-5M-2.4 5.6Q-1 2.6 1.4 2.2T6-2',
  siege: 'M-5 4.6V-4.4h2.2v2.2h1.7v-2.2h2.2v2.2h1.7v-2.2H5v9z',
  blockade: 'M0-5.4V4.8M-5 .8Q-4.4 4.8 0 4.8T5 .8M-2.6-2.4h5.2M-6.2 5.6 6.2-6',
  depot: 'M-5-.6 0-5 5-.6V4.6H1.6V1H-1.6V4.6H-5z',
}

export class MapLayers {
  /**
   * @param {import('./layers.js').Layers} layers @param {import('./geometry.js').Places} places
   * @param {(said: Said) => string} say
   */
  constructor(layers, places, say) {
    this.places = places
    this.say = say
    /** @type {Map<string, SVGElement[]>} */
    this.drawn = new Map()
    this.ground = svg('g', { class: 'b-layers' })
    const { x, y, width, height } = layers.map.viewBox.baseVal
    this.sheet = `M${x} ${y}h${width}v${height}h${-width}z`
    layers.of.under.prepend(this.ground)
    this.words = layers.group('over', 'layer-words')
    layers.map.querySelector('defs')?.append(...COLOURS.map(hatch))
  }

  /** Draw what is shown of all layers. @param {Map<string, MapLayer>} all @param {(name: string) => boolean} shown */
  draw(all, shown) {
    this.ground.replaceChildren()
    this.words.replaceChildren()
    for (const [name, { parts }] of all) {
      if (shown(name)) for (const part of parts) this.part(part)
    }
  }

  /** @param {Part} part */
  part(part) {
    const colour = `lay-${COLOURS.includes(part.colour ?? '') ? part.colour : 'grey'}`
    if (part.spaces) this.spaces(part, colour)
    if (part.path) this.path(part, colour)
    const at = part.at ?? part.spaces?.find(this.places.has)
    if (!at || !this.places.has(at)) return
    if (part.sign && SIGNS[part.sign]) this.words.append(this.sign(at, part.sign, colour))
    else if (part.text && !WORKS.includes(part.line ?? '')) this.words.append(this.tag(at, this.say(part.text), colour))
  }

  /** @param {string} at @param {string} sign @param {string} colour */
  sign(at, sign, colour) {
    const { x, y } = this.places.centre(at)
    const corner = this.boxed(at) ? BOXED.corner : CORNER
    const disc = svg('g', { class: `layer-sign grow ${colour}` }, svg('circle', { r: 9.4 }), svg('path', { d: SIGNS[sign] }))
    return svg('g', { transform: `translate(${x + corner.x} ${y + corner.y})` }, disc)
  }

  /** Whether a place is a box in an area, whose plate hides what is drawn under it. @param {string} loc */
  boxed(loc) {
    return Boolean(this.places.host?.(loc))
  }

  /** The outline of a space, larger or smaller than it is. @param {string} loc @param {number} size */
  scaled(loc, size) {
    const { x, y } = this.places.centre(loc)
    return { d: this.places.outline([loc]), transform: `translate(${x} ${y})scale(${size})translate(${-x} ${-y})` }
  }

  /** Works around what stands in a space. @param {string} loc @param {string} line @param {string} colour */
  works(loc, line, colour) {
    const place = this.scaled(loc, this.boxed(loc) ? BOXED.size : WITHIN)
    for (const what of ['lay-teeth', 'lay-bank']) this.ground.append(svg('path', { class: `lay ${colour} lay-${line} ${what}`, ...place }))
  }

  /** @param {Part} part @param {string} colour */
  spaces({ spaces = [], fill, line }, colour) {
    const here = spaces.filter(this.places.has)
    if (!here.length) return
    if (WORKS.includes(line ?? '')) return here.forEach((loc) => this.works(loc, line ?? '', colour))
    const d = this.places.outline(here)
    if (fill === 'beyond') this.ground.append(...['', 'fill'].map((hatched) => svg('path', { class: `lay ${colour} lay-beyond`, d: this.sheet + d, ...(hatched ? { fill: `url(#${colour}-hatch)` } : {}) })))
    else if (fill) this.ground.append(svg('path', { class: `lay ${colour} lay-${fill}`, d, ...(fill === 'hatch' ? { fill: `url(#${colour}-hatch)` } : {}) }))
    if (!line) return
    const rim = `lay ${colour} lay-rim lay-${line}`
    for (const loc of here.filter((loc) => this.boxed(loc))) this.ground.append(svg('path', { class: rim, ...this.scaled(loc, BOXED.size) }))
    if (here.some((loc) => !this.boxed(loc))) this.ground.append(svg('path', { class: rim, d }))
  }

  /** @param {Part} part @param {string} colour */
  path({ path = [], line = 'solid', arrow }, colour) {
    const points = pathLine(this.places, path.map((step) => stanceOf(step).at).filter(this.places.has))
    if (points.length < 2) return
    const short = arrow ? shorten(points, 8) : points
    const d = pathText(short)
    this.ground.append(svg('path', { class: 'lay lay-case', d }), svg('path', { class: `lay ${colour} lay-way lay-${line}`, d }))
    if (!arrow) return
    const tip = points[points.length - 1]
    const turn = heading(short[short.length - 1], tip).toFixed(1)
    this.ground.append(svg('path', { class: `lay ${colour} lay-head`, transform: `translate(${tip.x} ${tip.y})rotate(${turn})`, d: 'M4 0-11-7Q-8 0-11 7z' }))
  }

  /** @param {string} at @param {string} text @param {string} colour */
  tag(at, text, colour) {
    const { x, y } = this.places.centre(at)
    const wide = text.length * LETTER + 14
    const tag = svg('g', { class: `layer-tag grow ${colour}` }, svg('rect', { x: -wide / 2, y: -10, width: wide, height: 20, rx: 2 }), svg('text', { y: 4.4 }, text))
    return svg('g', { transform: `translate(${x} ${y - 38})` }, tag)
  }
}

/** @param {string} colour */
function hatch(colour) {
  const lines = svg('path', { class: `lay lay-${colour} lay-hatching`, d: 'M0 4h8' })
  return svg('pattern', { id: `lay-${colour}-hatch`, width: 8, height: 8, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(-50)' }, lines)
}
