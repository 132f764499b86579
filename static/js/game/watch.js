// @ts-check
// Battles that are over before they were seen: the last board stays, and the map waits, until one goes on.
import { ended, showEnd } from './battle.js'
import { button, byId } from './dom.js'
import { sentence, stepMessage } from './texts.js'
import { byItself } from './visit.js'

/** @typedef {import('./ctrl.js').Game} Game */
/** @typedef {import('./battle.js').End} End */

let line = Promise.resolve() // one board after the other
/** @type {WeakMap<object, Promise<void>>} what comes before the step with which a battle ends */
const gates = new WeakMap()

/** Of what was told: each battle that it ends. @param {Game} game @param {any[]} steps */
export function begin(game, steps) {
  const over = ended(game.store.log(), new Set(steps))
  for (const end of over) {
    line = line.then(() => show(game, end))
    gates.set(end.step, line)
  }
  const last = line
  line.then(() => {
    if (last === line) goOn(game)
  })
}

/** @param {object} step @returns {Promise<void> | undefined} */
export const before = (step) => gates.get(step)

/** The game as it is. @param {Game} game */
function goOn(game) {
  game.decision.hold(null)
  game.drawPanes()
}

/** The battle told last, as it stood at its end; none while another is fought. @param {Game} game */
export async function showLast(game) {
  const end = ended(game.store.log()).at(-1)
  if (!end || game.decision.held || game.store.fragments.battle) return
  await show(game, end)
  goOn(game)
}

/** @param {Game} game @param {End} end @returns {Promise<void>} when one goes on */
function show(game, end) {
  const { ctx, decision, texts: t } = game
  showEnd(ctx, byId('battle'), end)
  return new Promise((done) => {
    const go = () => done()
    const never = () => {
      byItself(true)
      done()
    }
    decision.hold({
      title: t.t('game.watch.over', { at: t.placeName(end.battle.target) }),
      ask: sentence(t, stepMessage(end.step)),
      hint: t.t('game.watch.hint'),
      acts: [
        button(t.t('game.watch.by_itself'), never, { class: 'quiet', key: 'by-itself', title: t.t('game.watch.by_itself_what') }),
        button(t.t('game.watch.go'), go, { class: 'go', key: 'go' }),
      ],
      go,
    })
  })
}
