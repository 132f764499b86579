// @ts-check
/** Stacks and flags of control, one group a place, drawn again only where something changed. */
import { stack } from './counters.js'
import { svg } from './dom.js'

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./geometry.js').Places} Places */
/** @typedef {import('./layers.js').Layers} Layers */

export class Renderer {
  /**
   * @param {Layers} layers
   * @param {Places} places
   * @param {State} state
   * @param {(unit: string) => string} owner  nation of a unit
   * @param {(unit: string) => string} side  side of a unit
   */
  constructor(layers, places, state, owner, side) {
    this.layers = layers
    this.places = places
    this.state = state
    this.owner = owner
    this.side = side
    this.held = layers.group('under', 'control')
    /** @type {Map<string, {node: SVGElement, y: number}>} */
    this.stacks = new Map()
    /** @type {Map<string, SVGElement>} */
    this.flags = new Map()
    /** @type {Set<string> | null} places whose stacks are not drawn dull */
    this.active = null
    /** How much larger than printed stacks are drawn, to be seen from afar; 1 = as printed. */
    this.grown = 1
    /** @type {typeof import('./digest.js').digest | null} how they are drawn then; loaded when first wanted */
    this.digest = null
    /** Whether they are drawn so. */
    this.far = false
  }

  /** Stacks for a zoom: from afar each is one block. @param {number} grown */
  async setGrown(grown) {
    this.grown = grown
    if (grown > 1 && !this.digest) this.digest = (await import('./digest.js')).digest
    if (this.grown > 1 === this.far) return
    this.far = this.grown > 1
    for (const loc of this.state.spaces.keys()) if (this.places.has(loc)) this.drawStack(loc)
  }

  /** The room a stack takes on the sheet, or null. @param {string} loc @returns {import('./free.js').Rect | null} */
  boxOf(loc) {
    const node = /** @type {SVGGElement | undefined} */ (this.stacks.get(loc)?.node)
    if (!node) return null
    const { x, y, width, height } = node.getBBox()
    const at = this.places.centre(loc)
    const grown = this.far ? this.grown : 1
    const far = (/** @type {number} */ v, /** @type {number} */ from) => from + (v - from) * grown
    return { left: far(x, at.x), top: far(y, at.y), right: far(x + width, at.x), bottom: far(y + height, at.y) }
  }

  /** What stands on the sheet. @returns {Map<string, import('./free.js').Rect>} */
  boxes() {
    const all = new Map()
    for (const loc of this.stacks.keys()) all.set(loc, this.boxOf(loc))
    return all
  }

  /** @param {Set<string> | null} active */
  setActive(active) {
    this.active = active
    for (const [loc, { node }] of this.stacks) node.classList.toggle('dull', this.idle(loc))
  }

  /** The places whose counters are drawn at one: itself, from afar its cities too. @param {string} loc */
  together(loc) {
    return this.far && this.digest ? [loc, ...(this.places.cities?.(loc) ?? [])] : [loc]
  }

  /** Whether nobody there can do anything now. @param {string} loc */
  idle(loc) {
    const { active } = this
    return active !== null && !this.together(loc).some((at) => active.has(at))
  }

  /** @param {Iterable<string>} locs */
  draw(locs) {
    for (const loc of locs) {
      if (!this.places.has(loc)) continue
      this.drawStack(loc)
      this.drawControl(loc)
    }
  }

  /** @param {string} loc */
  drawStack(loc) {
    const { spaces, selected, away } = this.state
    const old = this.stacks.get(loc)
    const at = this.places.centre(loc)
    const gone = away.get(loc)
    const { camp, host, pile: near = stack } = this.places
    const afar = this.far ? this.digest : null
    const area = afar && host?.(loc)
    if (area) this.drawStack(area)
    const together = this.together(loc)
    const merged = (/** @type {(at: string) => Set<string> | undefined} */ of) => new Set(together.flatMap((at) => [...(of(at) ?? [])]))
    const how = { selected: merged((at) => selected.get(at)), away: merged((at) => away.get(at)?.units), less: gone?.count, owner: this.owner, side: this.side }
    const space = area ? null : afar && host ? joined(together.map((at) => spaces.get(at))) : spaces.get(loc)
    const node = space ? (afar ? afar(space, at, how) : camp ? camp(space, loc, how) : near(space, at, how)) : null
    this.layers.occupy(loc, Boolean(node))
    if (!node) {
      old?.node.remove()
      this.stacks.delete(loc)
      return
    }
    node.dataset.at = loc
    if (this.idle(loc)) node.classList.add('dull')
    if (old) old.node.replaceWith(node)
    else this.layers.of.counters.insertBefore(node, this.below(at.y))
    this.stacks.set(loc, { node, y: at.y })
  }

  /** The first stack that stands further down the sheet, so that lower ones overlap upper ones. @param {number} y */
  below(y) {
    let least = Infinity
    /** @type {SVGElement | null} */
    let next = null
    for (const s of this.stacks.values()) if (s.y > y && s.y < least) [least, next] = [s.y, s.node]
    while (next?.previousElementSibling && this.heightOf(next.previousElementSibling) > y) next = /** @type {SVGElement} */ (next.previousElementSibling)
    return next
  }

  /** @param {Element} node */
  heightOf(node) {
    return this.stacks.get(/** @type {SVGElement} */ (node).dataset.at ?? '')?.y ?? -Infinity
  }

  /** A flag stands where a side holds a place without standing there. @param {string} loc */
  drawControl(loc) {
    this.flags.get(loc)?.remove()
    this.flags.delete(loc)
    const control = this.state.spaces.get(loc)?.control
    if (!control || this.state.occupied(loc)) return
    const { x, y } = this.places.centre(loc)
    const node = svg('g', { class: `side-${control}`, transform: `translate(${x} ${y})` })
    const marker = this.places.clustered && document.getElementById(`control-${control}`)
    if (marker) node.append(svg('use', { href: `#control-${control}` }))
    else node.append(svg('path', { class: 'flag-pole', d: 'M-6 9V-11' }), svg('path', { class: 'flag', d: 'M-6-11q4-2.5 8 0t8 0v8q-4 2.5-8 0t-8 0z' }))
    this.held.append(node)
    this.flags.set(loc, node)
  }
}

/**
 * What stands in several places as if it stood in one: the seen units, and beside them what is closed.
 * @param {(import('./digest.js').Seen | undefined)[]} spaces @returns {import('./digest.js').Seen | null}
 */
function joined(spaces) {
  const piles = spaces.flatMap((space) => (space ? [space, ...(space.others ?? [])] : [])).filter((pile) => pile.count)
  const units = piles.flatMap((pile) => pile.units ?? [])
  const closed = piles.filter((pile) => !pile.units)
  if (!units.length) return closed.length ? { ...closed[0], others: closed.slice(1) } : null
  return { side: piles[0].side, count: units.length, units, others: closed, markers: piles.flatMap((pile) => pile.markers ?? []) }
}
