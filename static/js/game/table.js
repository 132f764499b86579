// @ts-check
// What lies on the table beside the map: cards and the battle board, of the game as it is or as it was.
import { byId } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

/** @param {Ctx} ctx @param {string[]} mine @param {import('./menu.js').Tabs} tabs */
export async function drawTable(ctx, mine, tabs) {
  if (ctx.store.kind('hand').length) (await import('./cards.js')).showCards(ctx, byId('pane-cards'), mine, tabs)
  if (ctx.store.fragments.battle?.board || !byId('battle').hidden) (await import('./battle.js')).showBattle(ctx, byId('battle'))
}
