// @ts-check
// What lies on the table beside the map: cards, the battle board and the steps of a combat, of the game as it is or as it was.
import { byId, shown } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

/** @param {Ctx} ctx @param {string[]} mine @param {import('./menu.js').Tabs} tabs */
export async function drawTable(ctx, mine, tabs) {
  if (ctx.store.fragments.battle?.board || !byId('battle').hidden) (await import('./battle.js')).showBattle(ctx, byId('battle'))
  if (ctx.store.fragments.combat || !byId('strip').hidden) (await import('./strip.js')).showStrip(ctx, byId('strip'))
  if (!ctx.store.kind('hand').length) return
  tabs.add('cards')
  await shown // they lie behind their tab
  ;(await import('./cards.js')).drawCards(ctx, byId('pane-cards'), mine)
}
