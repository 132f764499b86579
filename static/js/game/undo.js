// @ts-check
// Taking back: the button that says what it undoes, here and in the log.
import { button, h } from './dom.js'
import { sideOf, sidesOf } from './sides.js'
import { stepMessage } from './texts.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

/** Whether the other side is the same person, or a bot. @param {any} card */
export const nobodyToAsk = (card) =>
  Object.entries(card?.seats ?? {}).every(([seat, who]) => who.bot || card.your_seats.includes(seat) || sidesOf(card, card.your_seats).includes(who.side))

/** What one entry did, in one sentence. @param {Ctx} ctx @param {number} seq */
export function deed(ctx, seq) {
  const entry = ctx.store.entries.get(seq),
    t = ctx.texts
  const step = entry?.steps.find((s) => s.side === sideOf(ctx.store.card, entry.seat ?? '')) ?? entry?.steps[0]
  if (step) return t.say(stepMessage(step))
  const clause = entry?.clause ?? '',
    title = `clause.${clause}.title`
  return t.t('game.undo.entry', { n: seq, clause: t.has(title) ? `${clause}, ${t.t(title)}` : clause })
}

/**
 * The take-back button of the bar, or null.
 * @param {Ctx} ctx @param {(to: number) => void} takeBack
 */
export function undoButton(ctx, takeBack) {
  const { takeBack: offer, card } = ctx.store,
    t = ctx.texts
  if (!offer || card?.take_back) return null
  if (offer.free !== null) {
    const what = deed(ctx, offer.free)
    return h(
      'button.undo',
      { type: 'button', title: what, data: { key: 'undo' }, onclick: () => takeBack(offer.free) },
      h('span', {}, t.t('game.undo.free', { what })),
      h('small', {}, t.t('game.undo.no_consent')),
    )
  }
  const last = offer.consent.at(-1)
  if (last === undefined) return null
  const alone = nobodyToAsk(card)
  const what = deed(ctx, last)
  return h(
    'button.undo',
    { type: 'button', title: what, data: { key: 'undo' }, onclick: () => takeBack(last) },
    h('span', {}, t.t(alone ? 'game.undo.free' : 'game.undo.ask', { what })),
    h('small', {}, t.t(alone ? 'game.undo.no_consent' : 'game.undo.consent')),
  )
}

/**
 * Take back to a certain entry of the log, where that can be asked for.
 * @param {Ctx} ctx @param {any} entry @param {(to: number) => void} takeBack
 */
export function undoTo(ctx, entry, takeBack) {
  const offer = ctx.store.takeBack,
    t = ctx.texts
  if (!offer || entry.retracted) return null
  const free = offer.steps.includes(entry.seq)
  const asked = offer.consent.includes(entry.seq)
  if (!free && !asked) return null
  return button(t.t(free || nobodyToAsk(ctx.store.card) ? 'game.undo.to_here' : 'game.undo.ask_to_here'), () => takeBack(entry.seq), {
    class: 'small later',
  })
}
