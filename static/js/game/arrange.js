// @ts-check
// A form of kind `arrange`: which box stands for which of my spaces.

export class ArrangeDraft {
  /** @param {import('./protocol.js').ArrangeForm} form */
  constructor(form) {
    this.form = form
    /** @type {Record<string, string | null>} */
    this.boxes = { ...form.boxes }
    /** @type {string | null} */
    this.box = null
  }

  /** @param {string} box */
  pick(box) {
    this.box = this.box === box ? null : box
  }

  /** Put the picked box there, or the first free one. @param {string} loc */
  put(loc) {
    if (!this.form.where.includes(loc)) return false
    const box = this.box ?? Object.keys(this.boxes).find((b) => this.boxes[b] === null)
    if (!box) return false
    const other = this.at(loc)
    if (other) this.boxes[other] = null
    this.boxes[box] = loc
    this.box = null
    return true
  }

  /** Open a box: its units stand in the space again. @param {string} box */
  free(box) {
    this.boxes[box] = null
  }

  /** @param {string} loc */
  at(loc) {
    return Object.keys(this.boxes).find((b) => this.boxes[b] === loc) ?? null
  }

  get changed() {
    return Object.keys(this.boxes).some((b) => this.boxes[b] !== this.form.boxes[b])
  }

  clear() {
    this.boxes = { ...this.form.boxes }
    this.box = null
  }

  answer() {
    return { form: this.form.form, boxes: this.boxes }
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    for (const box of Object.keys(this.boxes)) if (answer.boxes?.[box] !== undefined) this.boxes[box] = answer.boxes[box]
  }
}
