// @ts-check
// How units stand where a planned move ends: formation and facing, each with what it costs.
import { degrees } from '../board/geometry.js'
import { button, h, s, styled } from './dom.js'
import { stance } from './stances.js'

styled('forms')

/**
 * How to stand at the goal of a move: its formations, and the ways to face in the chosen one.
 * @param {import('./move_tool.js').default} tool @param {string} goal @param {string} now
 */
export function stances(tool, goal, now) {
  const { ctx, draft } = tool
  const t = ctx.texts,
    all = draft.stancesAt(goal),
    chosen = stance(now)
  const pick = (/** @type {import('./stances.js').Stance} */ one) => () => {
    if (draft.stand(one.step)) tool.changed()
    ctx.redraw()
  }
  const formations = [...new Map(all.toReversed().map((one) => [one.formation, one])).values()].reverse()
  const facings = all.filter((one) => one.facing && one.formation === chosen.formation)
  const name = (/** @type {string} */ kind, /** @type {string} */ id) => (t.has(`${kind}.${id}`) ? t.t(`${kind}.${id}`) : id)
  return h(
    'div.stances',
    { role: 'group', 'aria-label': t.t('game.move.stance', { at: goal }) },
    formations.length > 1
      ? formations.map((one) =>
          button([name('formation', one.formation ?? ''), ' ', h('small', {}, one.cost)], pick(all.find((a) => a.formation === one.formation && a.facing === chosen.facing) ?? one), {
            key: `formation-${one.formation}`,
            pressed: one.formation === chosen.formation,
          }),
        )
      : null,
    facings.map((one) => {
      const label = t.t('game.move.facing', { facing: { key: `facing.${one.facing}` }, cost: one.cost })
      return h(
        'button.facing',
        { type: 'button', title: label, 'aria-label': label, 'aria-pressed': String(one.step === now), data: { key: `facing-${one.facing}` }, onclick: pick(one) },
        s('svg', { viewBox: '-12 -12 24 24', 'aria-hidden': 'true' }, s('path', { d: 'M0-9L6 4H2v5h-4V4h-4z', transform: `rotate(${degrees(one.facing ?? '')})` })),
        h('small', {}, one.cost),
      )
    }),
  )
}
