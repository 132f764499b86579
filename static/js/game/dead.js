// @ts-check
// Keeps count of the eliminated, to tell which steps cost lives.

/** @typedef {import('./store.js').Step} Step */

export class Dead {
  /** @param {string} lost how the keys of their pools begin, by the title @param {Record<string, any>} [fragments] where the count begins */
  constructor(lost, fragments = {}) {
    this.lost = lost
    /** @type {Map<string, number>} */
    this.sizes = new Map()
    this.grewBy({ fragments })
  }

  /** @param {{fragments?: Record<string, any>}} step */
  grewBy({ fragments = {} }) {
    let more = 0
    for (const [key, content] of Object.entries(fragments)) {
      if (!key.startsWith(this.lost)) continue
      const size = content?.units?.length ?? 0
      more += Math.max(0, size - (this.sizes.get(key) ?? 0))
      this.sizes.set(key, size)
    }
    return more
  }
}
