// @ts-check
// A form of kind `declare`: a target and its attackers, all of them at first.

export class DeclareDraft {
  /** @param {import('./protocol.js').DeclareForm} form */
  constructor(form) {
    this.form = form
    /** @type {string | null} */
    this.target = null
    /** @type {Set<string>} */
    this.units = new Set()
  }

  /** Who could attack the target, by place. @returns {Record<string, string[]>} */
  sources() {
    return this.target ? this.form.targets[this.target].from : {}
  }

  /** @param {string} loc */
  aim(loc) {
    if (!this.form.targets[loc]) return false
    this.target = loc
    this.units = new Set(Object.values(this.sources()).flat())
    return true
  }

  /** @param {string} id */
  toggle(id) {
    if (this.units.has(id)) this.units.delete(id)
    else this.units.add(id)
  }

  /** All of one place in, or all out when all were in. @param {string} loc */
  toggleAll(loc) {
    const ids = this.sources()[loc] ?? []
    const all = ids.every((id) => this.units.has(id))
    for (const id of ids) {
      if (all) this.units.delete(id)
      else this.units.add(id)
    }
  }

  /** Those of one place only, the most there are; whether there were others. */
  alone() {
    const [first = [], ...others] = Object.values(this.sources()).sort((a, b) => b.length - a.length)
    this.units = new Set(first)
    return others.length > 0
  }

  /** Places that take part. @returns {string[]} */
  from() {
    return Object.entries(this.sources())
      .filter(([, ids]) => ids.some((id) => this.units.has(id)))
      .map(([loc]) => loc)
  }

  clear() {
    this.target = null
    this.units.clear()
  }

  answer() {
    return this.target && this.units.size ? { form: this.form.form, target: this.target, units: [...this.units].sort() } : null
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    if (!answer.target || !this.form.targets[answer.target]) return
    this.target = answer.target
    const able = new Set(Object.values(this.sources()).flat())
    this.units = new Set((answer.units ?? []).filter((u) => able.has(u)))
  }
}
