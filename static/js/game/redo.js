// @ts-check
// What was taken back, to be given once more: the answers of this page by the entry they made.

export class Redo {
  constructor() {
    /** @type {Map<number, any>} */
    this.given = new Map()
    /** @type {any[]} next one last */
    this.undone = []
  }

  /**
   * An answer was given, by hand or again. @param {number} seq its entry @param {any} answer @param {boolean} again
   * @param {boolean} gone it was taken back before this page heard that it had been given
   */
  gave(seq, answer, again, gone) {
    if (!again) this.undone = []
    if (gone) this.undone.push(answer)
    else this.given.set(seq, answer)
  }

  /** Everything from an entry on is undone. @param {number} to */
  tookBack(to) {
    const gone = [...this.given.keys()].filter((seq) => seq >= to).sort((a, b) => b - a)
    for (const seq of gone) {
      this.undone.push(this.given.get(seq))
      this.given.delete(seq)
    }
  }

  get next() {
    return this.undone.at(-1) ?? null
  }

  clear() {
    this.undone = []
  }
}
