// @ts-check
// Taking back: the button that says what it undoes, the question to the other, and draw offers.
import { button, h } from './dom.js'
import { stepMessage } from './texts.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

const SHOWN = 6

/** Whether the other side is the same person, or a bot. @param {any} card */
const nobodyToAsk = (card) => Object.entries(card?.seats ?? {}).every(([seat, who]) => who.bot || card.your_seats.includes(seat))

/** What one entry did, in one sentence. @param {Ctx} ctx @param {number} seq */
export function deed(ctx, seq) {
  const entry = ctx.store.entries.get(seq),
    t = ctx.texts
  const step = entry?.steps.find((s) => s.side === entry.seat) ?? entry?.steps[0]
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
    const toMe = mine.size > 0 && !(mine.size === 1 && mine.has(by))
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
    const toMe = mine.size > 0 && !(mine.size === 1 && mine.has(draw))
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
