// @ts-check
/**
 * What stands where, as last told: the contents of the fragments `space:LOC`, and who is selected or on the way.
 *
 * @typedef {import('./counters.js').Space} Space
 */

const PREFIX = 'space:'
const LAYER = 'layer:'

export class State {
  constructor() {
    /** @type {Map<string, Space>} */
    this.spaces = new Map()
    /** Where what covers a place begins: units that stand on several. @type {Map<string, string>} */
    this.covered = new Map()
    /** What a view lays over the map, by name. @type {Map<string, import('./map_layers.js').MapLayer>} */
    this.layers = new Map()
    /** Counts their changes. */
    this.laid = 0
    /** @type {Map<string, Set<string>>} */
    this.selected = new Map()
    /** @type {Map<string, {units: Set<string>, count: number}>} */
    this.away = new Map()
  }

  /**
   * Take changed fragments; other keys are passed over.
   * @param {Record<string, any>} fragments  null = gone
   * @param {boolean} whole  whether spaces not named are gone too
   * @returns {Set<string>} places to draw again
   */
  apply(fragments, whole) {
    const touched = new Set(whole ? this.spaces.keys() : [])
    if (whole) this.spaces.clear()
    if (whole && this.layers.size) {
      this.layers.clear()
      this.laid++
    }
    for (const [key, content] of Object.entries(fragments)) {
      if (key.startsWith(LAYER)) this.lay(key.slice(LAYER.length), content)
      if (!key.startsWith(PREFIX)) continue
      const loc = key.slice(PREFIX.length)
      if (content) this.spaces.set(loc, content)
      else this.spaces.delete(loc)
      touched.add(loc)
    }
    this.covered = new Map([...this.spaces.values()].flatMap((space) => (space.units ?? []).flatMap(({ on = [] }) => on.slice(1).map((loc) => [loc, on[0]]))))
    return touched
  }

  /** The place where what stands on a place is to be found: another one for the tail of a unit on several. @param {string} loc */
  homeOf(loc) {
    const begins = this.spaces.get(loc)?.units?.some(({ on = [loc] }) => on[0] === loc)
    return begins ? loc : (this.covered.get(loc) ?? loc)
  }

  /** @param {string} name @param {import('./map_layers.js').MapLayer | null} content */
  lay(name, content) {
    this.laid++
    if (content) this.layers.set(name, content)
    else this.layers.delete(name)
  }

  /** @param {Record<string, string[]>} selection  unit ids by place @returns {Set<string>} places to draw again */
  select(selection) {
    const before = [...this.selected.keys()]
    this.selected = new Map(Object.entries(selection).map(([loc, ids]) => [loc, new Set(ids)]))
    for (const [loc, ids] of Object.entries(selection)) {
      const home = this.homeOf(loc)
      if (home !== loc) this.selected.set(home, new Set([...(this.selected.get(home) ?? []), ...ids]))
    }
    return new Set([...before, ...this.selected.keys()])
  }

  /** @param {string} loc */
  occupied(loc) {
    const space = this.spaces.get(loc)
    return Boolean(space && (space.count || space.units?.length)) || this.covered.has(loc)
  }

  /** The unit on top as far as it is known. @param {string | null} loc @returns {string | null} */
  top(loc) {
    const home = loc && this.homeOf(loc)
    const space = home ? this.spaces.get(home) : undefined
    if (!home || !space) return null
    const chosen = this.selected.get(home)
    const lifted = space.units?.find((u) => chosen?.has(u.id))
    return lifted?.id ?? space.units?.[0]?.id ?? space.top?.id ?? null
  }
}
