// @ts-check
// What this eye knows of the game: fragments, request, card and the entries told so far.
import { fragmentCrc } from './digest.js'

/** @typedef {import('./protocol.js').Step} Step */
/** @typedef {import('./protocol.js').Dice} Dice */
/** @typedef {import('./protocol.js').Entry} Entry */

export class Store {
  constructor() {
    /** @type {Record<string, any>} */
    this.fragments = {}
    /** @type {Map<string, number>} */
    this.crcs = new Map()
    this.digest = 0
    this.seq = 0
    this.eye = 'public'
    /** @type {import('./protocol.js').Request | null} what the game waits for */
    this.request = null
    /** @type {any} */
    this.card = null
    /** @type {any} */
    this.takeBack = null
    /** @type {Map<number, Entry>} by seq */
    this.entries = new Map()
  }

  /** Replace everything by a whole view. @param {any} view */
  setView(view) {
    this.fragments = {}
    this.crcs.clear()
    this.digest = 0
    this.apply(view.fragments)
    this.seq = view.seq
    this.eye = view.eye
  }

  /** @param {Record<string, any>} fragments null content = gone */
  apply(fragments) {
    for (const [key, content] of Object.entries(fragments)) {
      const old = this.crcs.get(key)
      if (old !== undefined) this.digest = (this.digest ^ old) >>> 0
      if (content === null) {
        delete this.fragments[key]
        this.crcs.delete(key)
      } else {
        const crc = fragmentCrc(key, content)
        this.fragments[key] = content
        this.crcs.set(key, crc)
        this.digest = (this.digest ^ crc) >>> 0
      }
    }
  }

  /**
   * Take in entries as they are told; one already known is only updated.
   * @param {Entry[]} entries @returns {Entry[]} the new ones
   */
  addEntries(entries) {
    const fresh = entries.filter((e) => !this.entries.has(e.seq))
    for (const entry of entries) this.entries.set(entry.seq, entry)
    return fresh
  }

  /** Entries from one on are taken back. @param {number} to @param {number} by the entry that did it */
  retract(to, by) {
    for (const entry of this.entries.values()) if (entry.seq >= to && entry.seq < by) entry.retracted = true
  }

  /** Entries in order. @returns {Entry[]} */
  log() {
    return [...this.entries.values()].sort((a, b) => a.seq - b.seq)
  }

  get lastEntry() {
    return Math.max(0, ...this.entries.keys())
  }

  /** Fragments of a kind, by the part after the colon. @param {string} kind @returns {[string, any][]} */
  kind(kind) {
    const prefix = `${kind}:`
    return Object.entries(this.fragments)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, v]) => [key.slice(prefix.length), v])
  }

  /** @param {string} loc */
  space(loc) {
    return this.fragments[`space:${loc}`]
  }

  /** What a unit that this eye can see bears, such as `reduced`. @param {string} id @returns {string[]} */
  badges(id) {
    for (const kind of ['space', 'pool'])
      for (const [, f] of this.kind(kind)) {
        const found = f.units?.find((/** @type {any} */ u) => u.id === id)
        if (found) return found.badges ?? []
      }
    return []
  }
}
