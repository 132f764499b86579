// @ts-check
// What the page says of the dice: what was sealed, who began it anew, and whether all is as this browser saw it.
import { exchanged, hashOf, nonceKept, seedKept } from './dice.js'
import { h } from './dom.js'

/** @typedef {import('./protocol.js').Sealing} Sealing */

/** @param {any} ctx @param {any} card */
export function aboutDice(ctx, card) {
  const t = ctx.texts,
    /** @type {Sealing} */ dice = card.dice
  const changed = exchanged(card.id, card.your_seats, dice)
  return h(
    'section.sealed',
    {},
    h('h3', {}, t.t('game.about.dice')),
    h('p', {}, t.t(card.host_plays ? 'game.about.dice_host' : 'game.about.dice_what')),
    h('p.hash', {}, dice.seed_hash),
    changed ? h('p.wrong', {}, t.t('game.about.seed_changed', { hash: changed })) : null,
    dice.seed ? shown(t, card, dice, dice.seed) : card.your_seats.some((/** @type {string} */ seat) => seedKept(card.id, seat, dice)) && !changed ? h('p', {}, t.t('game.about.seed_same')) : null,
    dice.restarts ? h('p', {}, t.t('game.about.restarts', { n: dice.restarts })) : null,
    h('ol.plain', {}, (dice.restarted ?? []).map((r) => h('li', {}, r.by ? t.t('game.about.restart', { seat: t.seat(r.by) }) : t.t(`game.about.restart.${r.why}`)))),
    imported(t, card.imported),
  )
}

/** When the game is over: the seed, and beside what the record says what this browser kept. @param {any} t @param {any} card @param {Sealing} dice @param {string} seed */
function shown(t, card, dice, seed) {
  const line = (/** @type {string} */ name, /** @type {string} */ value) => [h('dt', {}, name), h('dd.hash', {}, value)]
  const word = h('p', {})
  hashOf(seed).then((hash) => {
    const fits = hash === dice.seed_hash
    word.classList.toggle('wrong', !fits)
    word.textContent = t.t(fits ? 'game.about.seed_fits' : 'game.about.seed_other')
  })
  return [
    h('dl', {}, line(t.t('game.about.seed'), seed)),
    word,
    card.your_seats.map((/** @type {string} */ seat) => {
      const hash = seedKept(card.id, seat, dice),
        nonce = nonceKept(card.id, seat, dice)
      const same = nonce === dice.seats[seat]?.nonce
      return [
        h('dl', {}, hash ? line(t.t('game.about.hash_seen'), hash) : null, nonce ? line(t.t('game.about.nonce'), nonce) : null),
        nonce ? h(same ? 'p' : 'p.wrong', {}, t.t(same ? 'game.about.nonce_same' : 'game.about.nonce_other')) : null,
        hash || nonce ? null : h('p', {}, t.t('game.about.nothing_kept', { seat: t.seat(seat) })),
      ]
    }),
  ]
}

/** Of a game that was taken in from a file: what of it was proved. @param {any} t @param {{faults: string[]} | null} proof */
const imported = (t, proof) =>
  !proof
    ? null
    : proof.faults.length
      ? h('p.wrong', {}, t.t('game.about.imported', { what: proof.faults.slice(0, 5).join('; ') }))
      : h('p', {}, t.t('game.about.imported_proved'))
