// @ts-check
// Whose side a seat is on: in a game for two each side has one seat of its own name, else partners have one each.

/** @typedef {Record<string, {side: string, name: string | null, bot: string | null, online?: boolean}>} SeatsOfCard */

/** The side of a seat; a side is its own. @param {{seats: SeatsOfCard} | null | undefined} card @param {string} seat */
export const sideOf = (card, seat) => card?.seats[seat]?.side ?? seat

/** The sides of some seats, each once, in order. @param {{seats: SeatsOfCard} | null | undefined} card @param {string[]} seats */
export const sidesOf = (card, seats) => [...new Set(seats.map((seat) => sideOf(card, seat)))]

/** Whether somebody else plays on the reader's side. @param {{seats: SeatsOfCard, your_seats: string[]} | null | undefined} card */
export const hasPartner = (card) =>
  Object.keys(card?.seats ?? {}).some(
    (seat) => !card?.your_seats.includes(seat) && card?.seats[seat].name && card.your_seats.some((own) => sideOf(card, own) === sideOf(card, seat)),
  )
