// @ts-check
// This seat's share in the dice: a secret number whose hash goes out first, the number when both hashes are in. What a
// browser saw and made is kept in it, where a host can't exchange it (docs/protocol.md section 9).
import { GameApi } from './api.js'
import { hex, sha256, unhex } from './sha256.js'

/** @typedef {import('./protocol.js').Sealing} Sealing */

/** @param {'nonce' | 'seed'} what @param {string} game @param {string} seat @param {number} n */
const shelf = (what, game, seat, n) => `mariscal.${what}.${game}.${seat}.${n}`

/** This browser's secret number for a seat, in hex, if it made one; another each time the sealing starts over. @param {string} game @param {string} seat @param {Sealing} dice */
export const nonceKept = (game, seat, dice) => localStorage.getItem(shelf('nonce', game, seat, dice.restarts))

/** @param {string} game @param {string} seat @param {Sealing} dice */
function nonceOf(game, seat, dice) {
  const kept = nonceKept(game, seat, dice)
  if (kept) return kept
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)))
  localStorage.setItem(shelf('nonce', game, seat, dice.restarts), nonce)
  return nonce
}

/** The seeds of a game in their order, the last the present one. Only the site gives it another, and shows the old. @param {Sealing} dice */
const seeds = (dice) => [...(dice.before ?? []), dice]

/** The hash of the present seed as this browser saw it first. @param {string} game @param {string} seat @param {Sealing} dice */
export const seedKept = (game, seat, dice) => localStorage.getItem(shelf('seed', game, seat, seeds(dice).length - 1))

/** @param {string} game @param {string} seat @param {Sealing} dice */
function keepSeed(game, seat, dice) {
  if (!seedKept(game, seat, dice)) localStorage.setItem(shelf('seed', game, seat, seeds(dice).length - 1), dice.seed_hash)
}

/** A hash that this browser saw and that is another now, or null. @param {string} game @param {string[]} seats @param {Sealing} dice */
export function exchanged(game, seats, dice) {
  for (const seat of seats)
    for (const [n, { seed_hash }] of seeds(dice).entries()) {
      const seen = localStorage.getItem(shelf('seed', game, seat, n))
      if (seen && seen !== seed_hash) return seen
    }
  return null
}

/** @param {string} number in hex */
export const hashOf = async (number) => hex(await sha256(unhex(number)))

/**
 * What this seat owes the dice now, or null: first its hash, then, when every hash is in, its nonce.
 * @param {Sealing} dice @param {string} seat
 * @returns {'hash' | 'nonce' | null}
 */
export function owed(dice, seat) {
  const seats = dice?.seats
  if (!seats?.[seat]) return null
  if (!seats[seat].hash) return 'hash'
  if (seats[seat].nonce) return null
  return Object.values(seats).every((s) => s.hash) ? 'nonce' : null
}

/**
 * Do what the seats of this reader owe, until nothing more can be done now; nothing for a seed that was exchanged. Who
 * comes when the seed is shown has seen nothing before.
 * @param {string} game @param {string[]} seats @param {Sealing} dice
 */
export async function payDice(game, seats, dice) {
  if (!dice.seed) for (const seat of seats) keepSeed(game, seat, dice)
  for (const seat of [...seats, ...seats]) {
    const what = owed(dice, seat)
    if (!what || exchanged(game, seats, dice)) continue
    const nonce = nonceOf(game, seat, dice)
    dice = await new GameApi(game, seat).post('/dice', what === 'hash' ? { hash: await hashOf(nonce) } : { nonce })
  }
}
