// @ts-check
// A form of kind `allocate`: so many units out of each lot, some only when no others are left.

/** @typedef {import('./protocol.js').Lot} Lot */

export class AllocateDraft {
  /** @param {import('./protocol.js').AllocateForm} form */
  constructor(form) {
    this.form = form
    /** @type {Map<string, Set<string>>} */
    this.taken = new Map(form.lots.map((/** @type {Lot} */ lot) => [lot.id, new Set()]))
  }

  /** @param {string} id @returns {Lot} */
  lot(id) {
    return /** @type {Lot} */ (this.form.lots.find((l) => l.id === id))
  }

  /** @param {string} lotId @returns {Set<string>} */
  of(lotId) {
    return /** @type {Set<string>} */ (this.taken.get(lotId))
  }

  /** Why a unit can't be taken now: `full`, `last`, or null. @param {string} lotId @param {string} unit */
  bar(lotId, unit) {
    const lot = this.lot(lotId),
      taken = this.of(lotId)
    if (taken.has(unit)) return null
    if (taken.size >= lot.max) return 'full'
    const last = new Set(lot.last ?? [])
    if (last.has(unit) && lot.units.some((u) => !last.has(u) && !taken.has(u))) return 'last'
    return null
  }

  /** @param {string} lotId @param {string} unit @returns {boolean} whether anything changed */
  toggle(lotId, unit) {
    const lot = this.lot(lotId),
      taken = this.of(lotId)
    if (taken.has(unit)) {
      taken.delete(unit)
      const last = new Set(lot.last ?? [])
      if (!last.has(unit)) for (const u of last) taken.delete(u)
      return true
    }
    if (this.bar(lotId, unit)) return false
    if (this.form.one) this.keep(lotId)
    taken.add(unit)
    return true
  }

  /** All of a lot that may be taken, or none of it any more. @param {string} lotId */
  toggleLot(lotId) {
    const lot = this.lot(lotId)
    const all = this.of(lotId).size === Math.min(lot.max, lot.units.length)
    if (this.form.one) this.keep(lotId)
    this.taken.set(lotId, new Set(all ? [] : lot.units.slice(0, lot.max)))
  }

  /** Nothing of any other lot. @param {string} lotId */
  keep(lotId) {
    for (const [id, set] of this.taken) if (id !== lotId) set.clear()
  }

  /** Fill every lot, cheapest first. @param {(unit: string) => number} worth @param {(lot: Lot) => number} [size] of each lot; its least */
  fill(worth, size = (lot) => lot.min) {
    for (const lot of /** @type {Lot[]} */ (this.form.lots)) {
      const last = new Set(lot.last ?? [])
      const order = [...lot.units].sort((a, b) => Number(last.has(a)) - Number(last.has(b)) || worth(a) - worth(b) || (a < b ? -1 : 1))
      this.taken.set(lot.id, new Set(order.slice(0, size(lot))))
    }
  }

  /** All that may be taken, dearest left out where not all may. @param {(unit: string) => number} worth */
  fillMost(worth) {
    this.fill(worth, (lot) => lot.max)
  }

  clear() {
    for (const set of this.taken.values()) set.clear()
  }

  /** @param {Lot} lot */
  done(lot) {
    const n = this.of(lot.id).size
    return n >= lot.min && n <= lot.max
  }

  get complete() {
    return this.form.lots.every((l) => this.done(l))
  }

  get total() {
    return [...this.taken.values()].reduce((n, s) => n + s.size, 0)
  }

  answer() {
    return {
      form: this.form.form,
      lots: Object.fromEntries([...this.taken].filter(([, s]) => s.size).map(([id, s]) => [id, [...s].sort()])),
    }
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    for (const lot of /** @type {Lot[]} */ (this.form.lots))
      this.taken.set(lot.id, new Set((answer.lots?.[lot.id] ?? []).filter((u) => lot.units.includes(u))))
  }
}
