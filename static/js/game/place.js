// @ts-check
// A form of kind `place`: units of several groups onto spaces, within limits and budgets.

/** @typedef {import('./protocol.js').Group} Group */

export class PlaceDraft {
  /** @param {import('./protocol.js').PlaceForm} form */
  constructor(form) {
    this.form = form
    /** @type {Map<string, Group>} */
    this.groupOf = new Map()
    for (const group of form.groups) for (const unit of group.units) this.groupOf.set(unit, group)
    /** @type {Map<string, string>} unit to place */
    this.placed = new Map()
    /** @type {Map<string, string>} box to place */
    this.boxes = new Map()
    /** @type {Set<string>} */
    this.picked = new Set()
    /** @type {string | null} */
    this.box = null
  }

  /** @param {string} id */
  toggle(id) {
    this.box = null
    if (this.picked.has(id)) this.picked.delete(id)
    else this.picked.add(id)
  }

  /** @param {string[]} ids */
  pick(ids) {
    this.box = null
    this.picked = new Set(ids)
  }

  /** @param {string} box */
  pickBox(box) {
    this.picked.clear()
    this.box = this.box === box ? null : box
  }

  /** Spaces where all that is picked may go and there is room for it. @returns {string[]} */
  legal() {
    if (this.box) return [...new Set(this.placed.values())]
    const groups = new Set([...this.picked].map((u) => this.groupOf.get(u)))
    if (!groups.size) return []
    const [first, ...rest] = [...groups]
    const wheres = rest.map((g) => new Set(g?.where))
    return (first?.where ?? []).filter((loc) => wheres.every((w) => w.has(loc)) && this.room(loc) >= this.incoming(loc))
  }

  /** Why what is picked can't go there: the server's own sentence. @param {string} loc @returns {import('./protocol.js').Reason} */
  shut(loc) {
    for (const unit of this.picked) {
      const group = /** @type {Group} */ (this.groupOf.get(unit))
      if (!group.where.includes(loc)) return group.barred?.[loc] ?? { key: 'refusal.not_there', args: { unit }, clause: group.clause }
    }
    return { key: 'refusal.no_room', args: { n: Math.max(0, this.most(loc) - this.standing(loc)) }, clause: this.form.limit_clause }
  }

  /** How many more of a group can be placed: what is left of it, room where it may go, what its budget pays; less what is picked, if that is to go too. @param {Group} group @param {Group[]} [picked] */
  capacity(group, picked = []) {
    const waiting = group.units.filter((u) => !this.placed.has(u)),
      mine = picked.filter((g) => g === group).length,
      near = picked.filter((g) => g.where.some((loc) => group.where.includes(loc))).length,
      room = group.where.reduce((n, loc) => n + Math.max(0, this.room(loc)), 0) + waiting.filter((u) => !this.counts(u)).length,
      paid = picked.reduce((n, g) => n + (g.pool === group.pool ? (g.cost ?? 0) : 0), 0),
      budget = group.pool && group.cost ? Math.floor((Number(this.form.pools[group.pool]) - this.spent()[group.pool] - paid) / group.cost) : Infinity,
      most = (group.most ?? Infinity) - (group.units.length - waiting.length)
    return Math.max(0, Math.min(waiting.length - mine, room - near, budget, most - mine))
  }

  /** How many more of it may be picked beside what is picked. @param {Group} group */
  more(group) {
    return this.capacity(group, [...this.picked].map((u) => /** @type {Group} */ (this.groupOf.get(u))))
  }

  /** @param {string} loc */
  incoming(loc) {
    return [...this.picked].filter((u) => this.placed.get(u) !== loc && this.counts(u)).length
  }

  /** Units in a space, with those that stood there. @param {string} loc */
  count(loc) {
    let n = this.form.standing?.[loc] ?? 0
    for (const [unit, at] of this.placed) if (at === loc && this.counts(unit)) n++
    return n
  }

  /** Whether a unit takes up room. @param {string} unit @returns {boolean} */
  counts(unit) {
    return !this.form.free?.includes(unit)
  }

  /** How many units may stand there. @param {string} loc @returns {number} */
  most(loc) {
    return this.form.limits?.[loc] ?? this.form.limit
  }

  /** Units that stood there before. @param {string} loc */
  standing(loc) {
    return this.form.standing?.[loc] ?? 0
  }

  /** @param {string} loc */
  room(loc) {
    return this.most(loc) - this.count(loc)
  }

  /** Put what is picked there. @param {string} loc @returns {boolean} */
  drop(loc) {
    if (!this.legal().includes(loc)) return false
    if (this.box) {
      for (const [box, at] of this.boxes) if (at === loc) this.boxes.delete(box)
      this.boxes.set(this.box, loc)
      this.box = null
      return true
    }
    for (const unit of this.picked) this.placed.set(unit, loc)
    this.picked.clear()
    return true
  }

  /** Back into the tray. @param {string[]} ids */
  lift(ids) {
    for (const id of ids) this.placed.delete(id)
    const held = new Set(this.placed.values())
    for (const [box, at] of this.boxes) if (!held.has(at)) this.boxes.delete(box)
  }

  /** @param {string} loc @returns {string[]} */
  at(loc) {
    return [...this.placed].filter(([, at]) => at === loc).map(([id]) => id)
  }

  /** @param {string} loc */
  boxAt(loc) {
    for (const [box, at] of this.boxes) if (at === loc) return box
    return null
  }

  /** Everything as the form suggests. */
  suggest() {
    this.placed = new Map(Object.entries(this.form.suggested ?? {}))
    this.boxes = new Map(Object.entries(this.form.suggested_boxes ?? {}))
    this.picked.clear()
    this.box = null
  }

  clear() {
    this.placed.clear()
    this.boxes.clear()
    this.picked.clear()
    this.box = null
  }

  /** Spent of each budget. @returns {Record<string, number>} */
  spent() {
    /** @type {Record<string, number>} */
    const out = Object.fromEntries(Object.keys(this.form.pools ?? {}).map((k) => [k, 0]))
    for (const unit of this.placed.keys()) {
      const group = this.groupOf.get(unit)
      if (group?.pool) out[group.pool] = (out[group.pool] ?? 0) + (group.cost ?? 0)
    }
    return out
  }

  /** Units that have still to be placed. */
  missing() {
    return this.form.groups
      .filter((g) => g.must)
      .flatMap((g) => g.units)
      .filter((u) => !this.placed.has(u)).length
  }

  get empty() {
    return !this.placed.size && !this.boxes.size
  }

  answer() {
    return {
      form: this.form.form,
      placed: Object.fromEntries([...this.placed].sort(([a], [b]) => (a < b ? -1 : 1))),
      boxes: Object.fromEntries(this.boxes),
    }
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    this.placed = new Map(Object.entries(answer.placed ?? {}).filter(([u]) => this.groupOf.has(u)))
    this.boxes = new Map(Object.entries(answer.boxes ?? {}).flatMap(([box, at]) => (at ? [[box, at]] : [])))
  }
}
