// @ts-check
// Questions between the players: what was asked to be taken back, and a draw.
import { button, h } from './dom.js'
import { othersOf } from './others.js'
import { deed } from './undo.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

/** The seed of the dice is another than this browser saw: why it sends nothing more. @param {Ctx} ctx @param {string} hash that was seen @param {() => void} open what tells more */
export const seedNotice = (ctx, hash, open) =>
  h(
    'section.offer',
    { role: 'alert' },
    h('p.wrong', {}, ctx.texts.t('game.about.seed_changed', { hash })),
    h('div.acts', {}, button(ctx.texts.t('game.tab.about'), open, { class: 'quiet' })),
  )

const SHOWN = 6

/** Ask to take back, once it is seen what would be undone, with a word to go with it. @param {Ctx} ctx @param {number} to @param {(word: string) => void} send */
export function askBack(ctx, to, send) {
  const t = ctx.texts
  const word = /** @type {HTMLInputElement} */ (h('input', { maxlength: 200, 'aria-label': t.t('game.back.word'), placeholder: t.t('game.back.word') }))
  const ask = (/** @type {Event} */ e) => {
    e.preventDefault()
    box.close()
    send(word.value.trim())
  }
  const box = /** @type {HTMLDialogElement} */ (
    h(
      'dialog.ask-box',
      {},
      h('h2', {}, t.t('game.back.title')),
      h('ul.undone', {}, undone(ctx, to)),
      h('p', {}, t.t('game.back.text', { who: othersOf(ctx.store.card, ctx.store.card?.your_seats[0] ?? '') })),
      h(
        'form',
        { onsubmit: ask },
        h('p.write', {}, word),
        h('div.acts', {}, button(t.t('game.cancel'), () => box.close(), { class: 'quiet' }), h('button.go', { type: 'submit', data: { key: 'ask-back' } }, t.t('game.back.ask'))),
      ),
    )
  )
  box.addEventListener('close', () => box.remove())
  document.body.append(box)
  box.showModal()
  word.focus()
}

/** What going back to an entry undoes, in a few lines. @param {Ctx} ctx @param {number} to */
function undone(ctx, to) {
  const all = ctx.store.log().filter((e) => e.seq >= to && !e.retracted && e.steps.length)
  return [
    all.slice(0, SHOWN).map((e) => h('li', {}, deed(ctx, e.seq))),
    all.length > SHOWN ? h('li', {}, ctx.texts.t('game.undo.and_more', { n: all.length - SHOWN })) : null,
  ]
}

/**
 * Questions between the players that wait for a word: take-back and draw.
 * @param {Ctx} ctx @param {{reply: (yes: boolean) => void, draw: (what: string) => void, said: (message?: number) => string | undefined}} act
 * @returns {Node[]}
 */
export function offers(ctx, act) {
  const { card } = ctx.store,
    t = ctx.texts
  const mine = new Set(card?.your_seats ?? []),
    out = []
  const ask = card?.take_back
  if (ask) {
    const by = ask.seat,
      said = act.said(ask.message)
    const lines = h(
      'ul',
      {},
      undone(ctx, ask.to),
      ask.dice ? h('li', {}, t.t('game.undo.dice', { n: ask.dice })) : null,
      ask.reveals ? h('li', {}, t.t('game.undo.reveals')) : null,
    )
    const toMe = ask.asks.some((/** @type {string} */ seat) => mine.has(seat))
    out.push(
      h(
        'section.offer',
        { role: 'alert' },
        h('p', {}, h('b', {}, t.t(toMe ? 'game.undo.asked' : 'game.undo.waiting', { side: t.seat(by) }))),
        said ? h('blockquote', {}, said) : null,
        lines,
        mine.has(by) ? h('div.acts', {}, button(t.t('game.back.withdraw'), () => act.reply(false), { class: 'quiet', key: 'withdraw-back' })) : null,
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
