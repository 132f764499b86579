// @ts-check
// What the open decision wants shown on the map: gathered first, then laid on the board in one go.

export class Marks {
  constructor() {
    /** @type {string[]} */
    this.choices = []
    this.dim = false
    /** @type {string[]} */
    this.targets = []
    /** @type {{from: string, cost: Record<string, number>, via: Record<string, string>} | null} */
    this.reach = null
    /** @type {{at: string, cost: number | null}[]} */
    this.path = []
    /** @type {{target: string, from: string[], ratio: string | null} | null} */
    this.attack = null
    /** @type {Record<string, string[]>} */
    this.selected = {}
    /** @type {string[]} places whose stacks can be dragged */
    this.draggable = []
    /** @type {string[] | null} places whose stacks can do something; null = nothing is drawn dull */
    this.active = null
  }

  /** @param {string[]} locs the stacks of all others are drawn dull */
  setActive(locs) {
    this.active = locs
  }

  /** @param {string[]} locs @param {boolean} [dim] veil all others */
  setChoices(locs, dim = false) {
    this.choices = [...this.choices, ...locs]
    this.dim ||= dim
  }

  /** @param {string[]} locs */
  setDraggable(locs) {
    this.draggable = locs
  }

  /** @param {string[]} locs */
  setTargets(locs) {
    this.targets = locs
  }

  /** @param {{from: string, cost: Record<string, number>, via: Record<string, string>}} reach */
  setReach(reach) {
    this.reach = reach
  }

  /** @param {{at: string, cost: number | null}[]} steps */
  setPath(steps) {
    this.path = steps
  }

  /** @param {{target: string, from: string[], ratio: string | null}} attack */
  setAttack(attack) {
    this.attack = attack
  }

  /** @param {Record<string, string[]>} units by place */
  select(units) {
    this.selected = { ...this.selected, ...units }
  }

  /** What can be done with a space now, for the text view: `target`, `goal`, `choice` or null. @param {string} loc */
  verb(loc) {
    if (this.targets.includes(loc)) return 'target'
    if (this.reach && this.reach.cost[loc] !== undefined && loc !== this.reach.from) return 'goal'
    return this.choices.includes(loc) ? 'choice' : null
  }

  /** Spaces with something to do. @returns {string[]} */
  open() {
    return [...new Set([...this.targets, ...this.choices, ...Object.keys(this.reach?.cost ?? {})])].filter((loc) => this.verb(loc)).sort()
  }

  /** @param {import('./decision.js').Board} board @param {(loc: string) => string} name of a place */
  lay(board, name) {
    board.setReach(this.reach)
    board.setChoices(this.choices, { dim: this.dim })
    board.setTargets(this.targets)
    board.setAttack(
      this.attack && {
        target: this.attack.target,
        from: this.attack.from,
        label: this.attack.ratio?.replace(':', ' : '),
        name: name(this.attack.target),
      },
    )
    board.setPath(
      this.path.map((s) => s.at),
      this.path.map((s) => s.cost ?? undefined),
    )
    board.setDraggable(this.draggable)
    board.setActive(this.active)
    board.select(this.selected)
  }
}
