// @ts-check
// Who plays against a seat, by name.
import { sideOf } from './sides.js'

/** Seats of the other sides, as their catalogue names them: people who hold several once. @param {any} card @param {string} seat @returns {string[]} */
export const othersOf = (card, seat) => [
  ...new Set(
    Object.entries(card?.seats ?? {})
      .filter(([, who]) => who.side !== sideOf(card, seat))
      .map(([other, who]) => who.name ?? other),
  ),
]
