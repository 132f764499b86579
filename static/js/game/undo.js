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
  return t.has(title) ? t.t('game.undo.entry', { what: { key: title }, clause }) : t.t('game.undo.last')
}

/**
 * The take-back button of the bar, or null.
 * @param {Ctx} ctx @param {(to: number) => void} takeBack
 */
export function undoButton(ctx, takeBack) {
  const { takeBack: offer, card } = ctx.store,
    t = ctx.texts
  if (!offer || card?.take_back) return null
  const to = offer.free ?? offer.consent.at(-1)
  if (to === undefined) return null
  const free = offer.free !== null || nobodyToAsk(card),
    what = deed(ctx, to)
  return h(
    'button.undo',
    { type: 'button', title: `${what} (${t.t(free ? 'game.undo.no_consent' : 'game.undo.consent')})`, data: { key: 'undo' }, onclick: () => takeBack(to) },
    h('span', {}, t.t(free ? 'game.undo.free' : 'game.undo.ask')),
    h('small', {}, what),
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
