// @ts-check
// Questions between the players: what was asked to be taken back, and a draw.
import { button, h } from './dom.js'
import { deed } from './undo.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

const SHOWN = 6

/**
 * Questions between the players that wait for a word: take-back and draw.
 * @param {Ctx} ctx @param {{reply: (yes: boolean) => void, draw: (what: string) => void}} act
 * @returns {Node[]}
 */
export function offers(ctx, act) {
  const { card } = ctx.store,
    t = ctx.texts
  const mine = new Set(card?.your_seats ?? []),
    out = []
  const ask = card?.take_back
  if (ask) {
    const by = ask.seat
    const undone = ctx.store.log().filter((e) => e.seq >= ask.to && !e.retracted && e.steps.length)
    const lines = h(
      'ul',
      {},
      undone.slice(0, SHOWN).map((e) => h('li', {}, deed(ctx, e.seq))),
      undone.length > SHOWN ? h('li', {}, t.t('game.undo.and_more', { n: undone.length - SHOWN })) : null,
      ask.dice ? h('li', {}, t.t('game.undo.dice', { n: ask.dice })) : null,
      ask.reveals ? h('li', {}, t.t('game.undo.reveals')) : null,
    )
    const toMe = ask.asks.some((/** @type {string} */ seat) => mine.has(seat))
    out.push(
      h(
        'section.offer',
        { role: 'alert' },
        h('p', {}, h('b', {}, t.t(toMe ? 'game.undo.asked' : 'game.undo.waiting', { side: t.seat(by) }))),
        lines,
        toMe
          ? h(
              'div.acts',
              {},
              button(t.t('game.undo.refuse'), () => act.reply(false), { class: 'quiet' }),
              button(t.t('game.undo.grant'), () => act.reply(true), { class: 'go' }),
            )
          : null,
      ),
    )
  }
  const draw = card?.draw
  if (draw) {
    const toMe = card.draw_asks.some((/** @type {string} */ seat) => mine.has(seat))
    out.push(
      h(
        'section.offer',
        { role: 'alert' },
        h('p', {}, t.t(toMe ? 'game.draw.asked' : 'game.draw.waiting', { side: t.seat(draw) })),
        toMe
          ? h(
              'div.acts',
              {},
              button(t.t('game.draw.decline'), () => act.draw('decline'), { class: 'quiet' }),
              button(t.t('game.draw.accept'), () => act.draw('accept'), { class: 'go' }),
            )
          : null,
      ),
    )
  }
  return out
}
