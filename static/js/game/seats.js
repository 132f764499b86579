// @ts-check
// Who sits at this page: one player, or two by turns with a curtain between them.
import { button, h } from './dom.js'
import { sideOf, sidesOf } from './sides.js'
import { openHands, sitter } from './visit.js'
import { syncOf } from './wiring.js'

export class Seats {
  /** @param {import('./ctrl.js').Game} game */
  constructor(game) {
    this.game = game
  }

  /** Both seats at one screen: whoever is asked gets the page, behind a curtain. @returns {boolean} whether the page is being handed over */
  mustHandOver() {
    const { game } = this
    const { request, card } = game.store
    const mine = card?.your_seats ?? []
    if (!game.seat || mine.length < 2 || !request || request.mine) return false
    const next = mine.find((/** @type {string} */ s) => request.asked.includes(s))
    if (!next || next === game.seat) return false
    game.stage.held = true
    curtain(game.ctx, next, { go: () => this.change(next), open: () => this.change(null) })
    return true
  }

  /** The page was left with the other player at it: the curtain first. @returns {boolean} */
  otherSits() {
    const { parts, seat, aids, ctx } = this.game
    if (!seat || sidesOf(parts.first.card, parts.first.card.your_seats).length < 2) return false
    if ((sitter(parts.game) ?? seat) === seat) return !sitter(parts.game, seat)
    const sit = (/** @type {string | null} */ as) => this.change(as).then(() => aids.load())
    curtain(ctx, seat, { go: () => sit(seat), open: () => sit(null) })
    return true
  }

  /** @param {string | null} seat null = both, with open hands */
  async change(seat) {
    const { game } = this
    if (seat) sitter(game.parts.game, seat)
    openHands(game.parts.game, seat === null)
    game.sync.stop()
    game.seat = seat
    game.api.seat = seat
    game.recap.reset()
    game.redo.clear()
    game.stage.held = false
    game.store.entries.clear()
    game.showOdds(null, false)
    game.sync = syncOf(game)
    game.sync.start(await game.api.get('/view'))
    await Promise.all([game.sync.past(), game.aids.reset()])
    game.recap.offer()
  }
}

/**
 * Cover everything until the next player sits down.
 * @param {import('./decision.js').Ctx} ctx @param {string} seat @param {{go: () => void, open: () => void}} then
 */
function curtain(ctx, seat, { go, open }) {
  if (document.querySelector('dialog.curtain')) return
  const t = ctx.texts
  const box = /** @type {HTMLDialogElement} */ (
    h(
      'dialog.curtain',
      { class: `side-${sideOf(ctx.store.card, seat)}` },
      h(
        'div',
        {},
        h('h2', {}, t.t('game.curtain.title', { side: t.seat(seat) })),
        h('p', {}, t.t('game.curtain.text')),
        button(t.t('game.curtain.go', { side: t.seat(seat) }), () => leave(go), { class: 'go' }),
        h(
          'p',
          {},
          button(t.t('game.curtain.open'), () => leave(open), { class: 'small quiet' }),
        ),
      ),
    )
  )
  const leave = (/** @type {() => void} */ then) => {
    box.remove()
    then()
  }
  box.addEventListener('cancel', (e) => e.preventDefault())
  document.body.append(box)
  box.showModal()
}
