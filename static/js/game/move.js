// @ts-check
// A form of kind `move`: pick units of one stack, see their reach, tap a goal, bend the path, go.
import { byPlace, flat, placeOf } from './stances.js'

/** @typedef {import('./protocol.js').Mover} Mover */
/** @typedef {import('./protocol.js').Reach} Reach */

/** What of a carrier's room a unit takes. @param {Mover} ship @param {string} cargo */
export const weight = (ship, cargo) => ship.weighs?.[cargo] ?? 1

/** What is free on a carrier, one unit left out of account. @param {Mover} ship @param {Record<string, string>} aboard @param {string} [but] */
export function roomOf(ship, aboard, but) {
  const there = Object.keys(aboard).filter((c) => aboard[c] === ship.id && c !== but)
  return (ship.holds ?? Infinity) - there.reduce((n, c) => n + weight(ship, c), 0)
}

/** What the player has picked so far. No rules: reach and costs come from the server. */
export class MoveDraft {
  /** @param {import('./protocol.js').MoveForm} form @param {(loc: string) => string[]} neighbours spaces next to a space, for bending a path */
  constructor(form, neighbours) {
    this.form = form
    this.neighbours = neighbours
    this.clear()
  }

  clear() {
    /** @type {string | null} */
    this.from = null
    /** @type {Set<string>} */
    this.units = new Set()
    /** @type {Record<string, string>} cargo to ship */
    this.aboard = {}
    this.keepBox = false
    this.settle()
  }

  /** Forget what hung on the choice of units. */
  settle() {
    /** @type {Reach | null} by place */
    this.reach = null
    /** @type {Reach | null} where steps are stances: by stance */
    this.fine = null
    this.dropGoal()
  }

  /** Forget the goal, keep stack and reach. */
  dropGoal() {
    /** @type {string | null} */
    this.goal = null
    /** @type {string | null} where steps are stances: the one at the goal */
    this.stance = null
    /** @type {string[]} places the path must pass */
    this.bends = []
  }

  /** What the server said. @param {Reach | null} reach */
  take(reach) {
    this.fine = this.form.stances ? reach : null
    this.reach = this.fine ? flat(this.fine) : reach
  }

  /** How one could stand at a place, the cheapest first. @param {string} loc @returns {import('./stances.js').Stance[]} */
  stancesAt(loc) {
    return this.fine ? (byPlace(this.fine).get(loc) ?? []) : []
  }

  /** @param {string} loc @returns {Mover[]} */
  movers(loc) {
    return this.form.stacks[loc] ?? []
  }

  /** Start with a stack; at first all that go at the first one's pace are in. @param {string} loc @param {(id: string) => string} family */
  pick(loc, family) {
    this.clear()
    const movers = this.movers(loc)
    if (!movers.length) return false
    this.from = loc
    const first = family(movers[0].id)
    for (const m of movers) if (family(m.id) === first) this.units.add(m.id)
    return true
  }

  /** @param {string[]} ids */
  setUnits(ids) {
    this.units = new Set(ids)
    for (const [cargo, ship] of Object.entries(this.aboard)) if (!this.units.has(ship)) this.land(cargo)
    this.settle()
  }

  /** @param {string} id */
  toggle(id) {
    const next = new Set(this.units)
    if (next.has(id)) {
      next.delete(id)
      delete this.aboard[id]
    } else next.add(id)
    this.setUnits([...next])
  }

  /** Chosen ships that could take a unit, with the room they have left. @param {string} cargo @returns {{ship: string, room: number}[]} */
  carriers(cargo) {
    if (!this.from) return []
    return this.movers(this.from)
      .filter((m) => this.units.has(m.id) && m.takes?.includes(cargo))
      .map((m) => ({
        ship: m.id,
        room: roomOf(m, this.aboard, cargo),
      }))
  }

  /** Units that could go aboard one of the chosen ships. @returns {string[]} */
  cargo() {
    if (!this.from) return []
    return [
      ...new Set(
        this.movers(this.from)
          .filter((m) => this.units.has(m.id))
          .flatMap((m) => m.takes ?? []),
      ),
    ]
  }

  /** @param {string} cargo @param {string | null} ship */
  board(cargo, ship) {
    if (ship) {
      this.aboard[cargo] = ship
      this.units.add(cargo)
    } else this.land(cargo)
    this.settle()
  }

  /** @param {string} cargo */
  land(cargo) {
    delete this.aboard[cargo]
    this.units.delete(cargo)
  }

  /** @param {string} loc @returns {boolean} whether one can go there */
  aim(loc) {
    const [best] = this.stancesAt(loc)
    if (!this.reach || this.reach.cost[loc] === undefined || (loc === this.from && !best)) return false
    this.goal = loc
    this.stance = best?.step ?? null
    this.bends = []
    return true
  }

  /** Stand there in another way. @param {string} step */
  stand(step) {
    if (this.fine?.cost[step] === undefined) return false
    this.goal = placeOf(step)
    this.stance = step
    return true
  }

  /** Add a place the path must pass, or take it out again. @param {string} loc */
  bend(loc) {
    if (!this.reach || this.reach.cost[loc] === undefined || loc === this.from) return false
    if (!this.goal || loc === this.goal || this.fine) return false
    this.bends = this.bends.includes(loc) ? this.bends.filter((b) => b !== loc) : [...this.bends, loc]
    return true
  }

  /** The whole path, from where they stand to the goal. @returns {string[]} */
  path() {
    if (!this.from || !this.goal || !this.reach) return []
    if (this.fine) return this.stance ? chain(this.fine, this.stance) : []
    const stops = [...this.bends, this.goal]
    let path = chain(this.reach, stops[0])
    for (const next of stops.slice(1)) path = [...path, ...this.leg(/** @type {string} */ (path.at(-1)), next).slice(1)]
    return path
  }

  /** Fewest spaces between two places of the reach, by its own ways where it can. @param {string} a @param {string} b @returns {string[]} */
  leg(a, b) {
    const reach = /** @type {Reach} */ (this.reach)
    const inside = (/** @type {string} */ loc) => loc === this.from || reach.cost[loc] !== undefined
    const linked = (/** @type {string} */ x, /** @type {string} */ y) => reach.via[x] === y || reach.via[y] === x
    /** @type {Map<string, number>} */
    const far = new Map([[a, 0]])
    /** @type {Map<string, string>} */
    const back = new Map()
    const queue = new Set([a])
    while (queue.size) {
      const here = [...queue].reduce((m, x) => (/** @type {number} */ (far.get(x)) < /** @type {number} */ (far.get(m)) ? x : m))
      if (here === b) break
      queue.delete(here)
      for (const next of this.neighbours(here)) {
        if (!inside(next)) continue
        const d = /** @type {number} */ (far.get(here)) + (linked(here, next) ? 2 : 3)
        if (d < (far.get(next) ?? Infinity)) {
          far.set(next, d)
          back.set(next, here)
          queue.add(next)
        }
      }
    }
    const path = [b]
    while (path[0] !== a) {
      const prev = back.get(path[0])
      if (prev === undefined) return [a, b]
      path.unshift(prev)
    }
    return path
  }

  /** @returns {any} the question for the server's `reach`, or null */
  question() {
    return this.units.size ? { form: this.form.form, units: [...this.units].sort(), aboard: this.aboard } : null
  }

  /** @returns {any} the answer, or null while it has no goal */
  answer() {
    const path = this.path()
    if (!path.length) return null
    /** @type {any} */
    const answer = { form: this.form.form, units: [...this.units].sort(), path, aboard: this.aboard }
    if (this.keepBox) answer.keep_box = true
    return answer
  }

  /** Take up a kept draft; the reach has to be asked for again. @param {any} answer @returns {string | null} its goal */
  restore(answer) {
    const from = answer.path && placeOf(answer.path[0])
    if (!from || !this.movers(from).length) return null
    this.clear()
    this.from = from
    this.units = new Set(answer.units)
    this.aboard = { ...answer.aboard }
    this.keepBox = Boolean(answer.keep_box)
    return answer.path.at(-1)
  }
}

/** @param {Reach} reach @param {string} to @returns {string[]} */
function chain(reach, to) {
  const path = [to]
  while (reach.via[path[0]] !== undefined && path.length < 500) path.unshift(reach.via[path[0]])
  return path
}
