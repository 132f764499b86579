// @ts-check
// Who sits here and what they have seen, kept in this browser.

/** The last entry a seat has seen of a game, kept in this browser. */
export class Seen {
  /** @param {string} game @param {string | null} seat */
  constructor(game, seat) {
    this.shelf = `mariscal.seen.${game}.${seat ?? 'public'}`
    const kept = localStorage.getItem(this.shelf)
    this.first = kept === null
    this.at = Number(kept ?? 0)
  }

  /** @param {number} seq */
  mark(seq) {
    this.first = false
    this.at = Math.max(this.at, seq)
    localStorage.setItem(this.shelf, String(this.at))
  }
}

/** One person plays both sides and hides nothing: remembered for the game. @param {string} game @param {boolean} [open] to be set */
export function openHands(game, open) {
  const shelf = `mariscal.open.${game}`
  if (open !== undefined) localStorage.setItem(shelf, open ? 'yes' : 'no')
  return localStorage.getItem(shelf) === 'yes'
}

/** Who sat here last, at a screen of two: remembered for the game. @param {string} game @param {string} [seat] who sits down */
export function sitter(game, seat) {
  const shelf = `mariscal.sits.${game}`
  if (seat) localStorage.setItem(shelf, seat)
  return localStorage.getItem(shelf)
}

/** Whether the page goes on by itself when a battle is over. @param {boolean} [on] to be set */
export function byItself(on) {
  const shelf = 'mariscal.by-itself'
  if (on !== undefined) localStorage.setItem(shelf, on ? 'yes' : 'no')
  return localStorage.getItem(shelf) === 'yes'
}
