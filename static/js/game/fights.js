// @ts-check
// Where it was fought, shown on the map.
import { kindsOf, onlyPhase, placeOf } from './log.js'
import { toast } from './menu.js'

/** @typedef {import('./ctrl.js').Game} Game */

/** To one who comes back and decides freely: where the other side fought since, if there is something to be done there. @param {Game} game */
export function lookAtFight(game) {
  const { board, decision, sides, store } = game
  if (sides.length !== 1 || !store.request?.mine || decision.tools.some((tool) => tool.fights)) return
  // losses and supply spent in the other side's fight (`who`) are no doing of one's own
  const since = store
    .log()
    .flatMap((e) => (e.retracted ? [] : e.steps))
    .filter((s) => !onlyPhase(s))
  const mine = since.findLastIndex((s) => sides.includes(s.side ?? '') && !s.data?.odds && !s.data?.who)
  const fought = since.slice(mine + 1).findLast((s) => s.data?.odds && !sides.includes(s.side ?? ''))
  if (!fought) return
  board.focus(placeOf(fought) ?? '', { slowly: false })
  game.lookThere()
}

/** The fight told last, on the map and in the panel. @param {Game} game */
export function lastFight(game) {
  const { board, store, texts } = game
  const step = store
    .log()
    .flatMap((e) => (e.retracted ? [] : e.steps))
    .findLast((s) => kindsOf(s, false).has('fights'))
  if (!step) return toast(texts.t('game.no_fight'))
  const at = placeOf(step) ?? ''
  board.focus(at)
  board.flash(at)
  if (step.data.odds) game.showOdds({ rolled: step.data.roll, ...step.data.odds }, false)
  else void import('./watch.js').then(({ showLast }) => showLast(game))
}
