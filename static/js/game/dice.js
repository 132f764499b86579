// @ts-check
// This seat's share in the dice: a secret number whose hash goes out first, the number when both hashes are in.
import { GameApi } from './api.js'
import { hex, sha256, unhex } from './sha256.js'

/** The seat's nonce in hex, kept in this browser; a new one each time the sealing starts over. @param {string} game @param {string} seat @param {number} restarts */
function nonceOf(game, seat, restarts) {
  const shelf = `mariscal.nonce.${game}.${seat}.${restarts}`
  const kept = localStorage.getItem(shelf)
  if (kept) return kept
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)))
  localStorage.setItem(shelf, nonce)
  return nonce
}

/**
 * The hash of the server's seed as this browser saw it first, under this sealing: kept beside the nonce, where a host
 * can't exchange it. @param {string} game @param {string} seat @param {any} dice
 */
export function seedSeen(game, seat, dice) {
  const shelf = `mariscal.seed.${game}.${seat}.${dice.restarts ?? 0}`
  const kept = localStorage.getItem(shelf)
  if (kept) return kept
  localStorage.setItem(shelf, dice.seed_hash)
  return dice.seed_hash
}

/** @param {string} nonce in hex */
const hashOf = async (nonce) => hex(await sha256(unhex(nonce)))

/**
 * What this seat owes the dice now, or null: first its hash, then, when every hash is in, its nonce.
 * @param {any} dice the card's `{seed_hash, seats: {SEAT: {hash, nonce}}}` @param {string} seat
 * @returns {'hash' | 'nonce' | null}
 */
export function owed(dice, seat) {
  const seats = dice?.seats
  if (!seats?.[seat]) return null
  if (!seats[seat].hash) return 'hash'
  if (seats[seat].nonce) return null
  return Object.values(seats).every((/** @type {any} */ s) => s.hash) ? 'nonce' : null
}

/**
 * Do what the seats of this reader owe, until nothing more can be done now.
 * @param {string} game @param {string[]} seats @param {any} dice
 */
export async function payDice(game, seats, dice) {
  for (const seat of [...seats, ...seats]) {
    const what = owed(dice, seat)
    if (!what || seedSeen(game, seat, dice) !== dice.seed_hash) continue // nothing more for a seed that was exchanged
    const nonce = nonceOf(game, seat, dice.restarts ?? 0)
    dice = await new GameApi(game, seat).post('/dice', what === 'hash' ? { hash: await hashOf(nonce) } : { nonce })
  }
}
