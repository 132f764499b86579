// @ts-check
// What if: a board of the game, made of what this reader knows of it.
import { GameApi, request } from './api.js'

/** @param {string} game @param {string | null} seat @param {number | null} [seq] a moment of a game that is over */
export async function whatIf(game, seat, seq = null) {
  const { id } = await request(new GameApi(game, seat).url('/what-if', seq === null ? {} : { seq }), { method: 'POST', body: {} })
  location.assign(`/boards/${id}`)
}
