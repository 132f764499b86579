// @ts-check
/** What is drawn over and under the counters to help a player: reach, path, targets, attack, last moves, cursor. */
import { svg } from './dom.js'
import { degrees, heading, pathLine, pathText, shorten, stanceOf } from './geometry.js'

/** @typedef {import('./geometry.js').Places} Places */
/** @typedef {import('./layers.js').Layers} Layers */
/** @typedef {import('./geometry.js').Point} Point */

const TINT = [0.24, 0.1] // strongest (next to the start) and weakest

/** @param {string} text @param {string} cls @param {number} x @param {number} y */
function label(text, cls, x, y) {
  const node = svg('text', { class: cls, x, y })
  node.textContent = text
  return node
}

export class Overlay {
  /**
   * @param {Layers} layers
   * @param {Places} places
   * @param {(loc: string) => boolean} taken  whether a counter covers the middle of a place
   */
  constructor(layers, places, taken) {
    this.layers = layers
    this.places = places
    this.taken = taken
    this.tint = layers.group('reach', 'reach')
    this.veil = layers.group('under', 'veil')
    this.choices = layers.group('under', 'choices')
    this.targets = layers.group('under', 'targets')
    this.last = layers.group('under', 'last')
    this.way = layers.group('under', 'path')
    this.costs = layers.group('over', 'costs')
    this.steps = layers.group('over', 'steps')
    this.attack = layers.group('over', 'attack')
    this.ring = layers.group('over', 'cursor')
    this.flashes = layers.group('over', 'flashes')
    /** @type {Record<string, number>} */
    this.reached = {}
    /** @type {string[]} */
    this.path = []
    /** @type {string | null} */
    this.tagged = null
    /** Places that are offered: as a goal, a choice or a target. @type {Set<string>[]} */
    this.offered = [new Set(), new Set(), new Set()]
    /** @type {string | null} the place under attack */
    this.attacked = null
  }

  /** @param {Record<string, number> | null} cost  by place, or by step of a path: the least of a place counts @param {Record<string, string>} [via]  the place before each */
  setReach(cost, via = {}) {
    this.reached = {}
    for (const [step, c] of Object.entries(cost ?? {})) {
      const { at } = stanceOf(step)
      this.reached[at] = Math.min(c, this.reached[at] ?? Infinity)
    }
    this.offered[0] = new Set(Object.keys(this.reached))
    this.tint.replaceChildren()
    if (this.places.line) {
      for (const [loc, before] of Object.entries(via)) {
        if (!this.reached[loc] || !this.places.has(before)) continue
        this.tint.append(svg('path', { class: 'reach-way', d: pathText(this.places.line([before, loc])) }))
      }
    }
    /** @type {Map<number, string[]>} */
    const levels = new Map()
    for (const [loc, c] of Object.entries(this.reached)) {
      if (this.places.has(loc)) levels.set(c, [...(levels.get(c) ?? []), loc])
    }
    const most = Math.max(1, ...levels.keys())
    for (const [c, locs] of levels) {
      if (!c) continue
      const opacity = TINT[0] + ((TINT[1] - TINT[0]) * (c - 1)) / Math.max(1, most - 1)
      this.tint.append(svg('path', { class: 'reach', 'fill-opacity': opacity.toFixed(3), d: this.places.outline(locs) }))
    }
    if (levels.size) this.tint.append(svg('path', { class: 'reach-rim', d: this.places.outline([...levels.values()].flat()) }))
    this.drawCosts()
  }

  drawCosts() {
    this.costs.replaceChildren()
    const onPath = new Set(this.path)
    for (const [loc, c] of Object.entries(this.reached)) {
      if (!c || onPath.has(loc) || !this.places.has(loc)) continue
      const { x, y } = this.places.centre(loc)
      const [dx, dy] = this.places.clustered ? [0, -26] : this.taken(loc) ? [30, 24] : [0, 5]
      this.costs.append(label(String(c), 'cost', x + dx, y + dy))
    }
  }

  /** @param {string[]} steps @param {(number | undefined)[]} costs  one for each step of the path */
  setPath(steps, costs) {
    const known = steps.map(stanceOf).filter(({ at }) => this.places.has(at))
    this.path = known.map(({ at }) => at)
    this.way.replaceChildren()
    this.steps.replaceChildren()
    const line = pathLine(this.places, this.path)
    if (line.length > 1) {
      const goal = this.path[this.path.length - 1]
      const short = shorten(line, 6)
      const d = pathText(shorten(line, 12))
      this.way.append(svg('path', { class: 'goal', d: this.places.outline([goal]) }), svg('path', { class: 'path-case', d }))
      this.way.append(svg('path', { class: 'path-dots', d }), head(short, 'path-head', 11))
      this.path.forEach((loc, i) => {
        if (!i || costs[i] == null) return
        const { x, y } = this.places.centre(loc)
        const [dx, dy] = this.places.clustered ? [24, -24] : loc === goal ? [29, 23] : [31, 16]
        const disc = svg('g', { class: 'step grow' }, svg('circle', { r: 9 }), label(String(costs[i]), 'step-cost', 0, 4.6))
        this.steps.append(svg('g', { transform: `translate(${x + dx} ${y + dy})` }, disc))
      })
    }
    for (const { at, facing } of known) {
      const { x, y } = this.places.centre(at)
      if (facing) this.steps.append(svg('path', { class: 'step-facing', transform: `translate(${x} ${y})rotate(${degrees(facing)})`, d: 'M-8-23 0-31 8-23' }))
    }
    this.drawCosts()
  }

  /** @param {string[]} locs */
  setTargets(locs) {
    this.offered[2] = new Set(locs)
    this.targets.replaceChildren(...locs.filter(this.places.has).map((loc) => svg('path', { class: 'target', d: this.places.outline([loc]) })))
  }

  /** @param {string[]} locs @param {boolean} dim  put a veil over all else */
  setChoices(locs, dim) {
    const here = locs.filter(this.places.has)
    this.offered[1] = new Set(here)
    this.choices.replaceChildren(...(here.length ? [svg('path', { class: 'choice-area', d: this.places.outline(here) })] : []))
    const { x, y, width, height } = this.layers.bounds
    const d = `M${x} ${y}h${width}v${height}h${-width}z${this.places.outline(here)}`
    this.veil.replaceChildren(...(dim && here.length ? [svg('path', { class: 'veil', 'fill-rule': 'evenodd', d })] : []))
  }

  /** @param {{target: string, from: string[], label?: string, name?: string} | null} attack */
  setAttack(attack) {
    if (this.tagged) this.layers.name(this.tagged, true)
    this.tagged = null
    this.attack.replaceChildren()
    this.attacked = attack?.target ?? null
    if (!attack || !this.places.has(attack.target)) return
    const to = this.places.centre(attack.target)
    for (const loc of attack.from.filter(this.places.has)) {
      const from = this.places.centre(loc)
      const at = `translate(${(from.x + to.x) / 2} ${(from.y + to.y) / 2})rotate(${heading(from, to).toFixed(1)})`
      const d = 'M-10.5-4.5H-1V-10.5L10.5 0-1 10.5V4.5H-10.5l4-4.5z'
      this.attack.append(svg('path', { class: 'attack-arrow', transform: at, d }))
    }
    if (attack.label) {
      const width = Math.max(52, (attack.name?.length ?? 0) * 6.6 + 14)
      const height = attack.name ? 36 : 22
      const tag = svg('g', { class: 'odds-tag grow' }, svg('rect', { x: -width, y: attack.name ? -19 : -11, width, height }))
      if (attack.name) {
        tag.append(label(attack.name, 'tag-name', -width / 2, -6))
        this.layers.name(attack.target, false)
        this.tagged = attack.target
      }
      tag.append(label(attack.label, 'tag-odds', -width / 2, attack.name ? 11 : 5.5))
      this.attack.append(svg('g', { transform: `translate(${to.x - 34} ${to.y - 6})` }, tag))
    }
  }

  /** @param {{path: string[]}[]} moves */
  setLastMoves(moves) {
    this.last.replaceChildren()
    for (const { path } of moves) {
      const line = shorten(pathLine(this.places, path.map((step) => stanceOf(step).at).filter(this.places.has)), 30)
      if (line.length < 2) continue
      const d = pathText(shorten(line, 5))
      this.last.append(svg('path', { class: 'last-case', d }), svg('path', { class: 'last-move', d }), head(line, 'last-head', 9))
    }
  }

  /** Whether a place is offered. @param {string} loc */
  offers(loc) {
    return this.offered.some((locs) => locs.has(loc))
  }

  /** @param {string | null} loc */
  setCursor(loc) {
    const d = loc && this.places.has(loc) ? this.places.outline([loc]) : null
    this.ring.replaceChildren(...(d ? [svg('path', { class: 'cursor-case', d }), svg('path', { class: 'cursor-ring', d })] : []))
  }

  /** @param {string} loc @param {string} [cls] @returns {SVGElement} */
  mark(loc, cls = 'place-flash') {
    const node = svg('path', { class: cls, d: this.places.outline([loc]) })
    this.flashes.append(node)
    return node
  }
}

/** The head of an arrow at the end of a line. @param {Point[]} line @param {string} cls @param {number} size */
function head(line, cls, size) {
  const tip = line[line.length - 1]
  const before = line[Math.max(0, line.length - 3)]
  const at = `translate(${tip.x.toFixed(1)} ${tip.y.toFixed(1)})rotate(${heading(before, tip).toFixed(1)})`
  const wing = size * 0.62
  return svg('path', { class: cls, transform: at, d: `M4 0l${-size} ${-wing}q3 ${wing} 0 ${2 * wing}z` })
}
