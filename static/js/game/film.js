// @ts-check
// The steps of a game as frames: what the map showed after any of them.

/** @typedef {import('./store.js').Entry} Entry */
/** @typedef {import('./store.js').Step} Step */
/** @typedef {{entry: Entry, step: Step}} Frame */

const KEEP_EVERY = 64

/** @param {Record<string, any>} into @param {Record<string, any>} [changes] */
export function fold(into, changes = {}) {
  for (const [key, content] of Object.entries(changes)) {
    if (content === null) delete into[key]
    else into[key] = content
  }
  return into
}

/** @param {Entry[]} entries in order @returns {Frame[]} */
export const framesOf = (entries) => entries.flatMap((entry) => entry.steps.map((step) => ({ entry, step })))

export class Film {
  /** @param {Frame[]} frames @param {Record<string, any>} [start] fragments before the first frame */
  constructor(frames, start = {}) {
    this.frames = frames
    /** @type {Record<string, any>[]} every so many frames, what was shown */
    this.kept = [{ ...start }]
  }

  get length() {
    return this.frames.length
  }

  /** Fragments after the first `n` frames. @param {number} n */
  at(n) {
    let k = Math.min(Math.floor(n / KEEP_EVERY), this.kept.length - 1)
    let now = { ...this.kept[k] }
    for (let i = k * KEEP_EVERY; i < n; i++) {
      fold(now, this.frames[i].step.fragments)
      if ((i + 1) % KEEP_EVERY === 0 && this.kept.length === (i + 1) / KEEP_EVERY) this.kept.push({ ...now })
    }
    return now
  }

  /** How many frames run up to an entry, that one included. @param {number} seq */
  upTo(seq) {
    const i = this.frames.findIndex((f) => f.entry.seq > seq)
    return i < 0 ? this.frames.length : i
  }
}
