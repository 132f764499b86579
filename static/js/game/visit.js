// @ts-check
// Who sits here and what they have seen: the mark of the last visit, and the curtain between two players at one screen.
import { button, h } from './dom.js'

/** The last entry a seat has seen of a game, kept in this browser. */
export class Seen {
  /** @param {string} game @param {string | null} seat */
  constructor(game, seat) {
    this.shelf = `mariscal.seen.${game}.${seat ?? 'public'}`
    const kept = localStorage.getItem(this.shelf)
    this.first = kept === null
    this.at = Number(kept ?? 0)
  }

  /** @param {number} seq */
  mark(seq) {
    this.first = false
    this.at = Math.max(this.at, seq)
    localStorage.setItem(this.shelf, String(this.at))
  }
}

/** One person plays both sides and hides nothing: remembered for the game. @param {string} game @param {boolean} [open] to be set */
export function openHands(game, open) {
  const shelf = `mariscal.open.${game}`
  if (open !== undefined) localStorage.setItem(shelf, open ? 'yes' : 'no')
  return localStorage.getItem(shelf) === 'yes'
}

/** Who sat here last, at a screen of two: remembered for the game. @param {string} game @param {string} [seat] who sits down */
export function sitter(game, seat) {
  const shelf = `mariscal.sits.${game}`
  if (seat) localStorage.setItem(shelf, seat)
  return localStorage.getItem(shelf)
}

/**
 * Cover everything until the next player sits down.
 * @param {import('./decision.js').Ctx} ctx @param {string} seat @param {{go: () => void, open: () => void}} then
 */
export function curtain(ctx, seat, { go, open }) {
  if (document.querySelector('dialog.curtain')) return
  const t = ctx.texts
  const box = /** @type {HTMLDialogElement} */ (
    h(
      'dialog.curtain',
      { class: `side-${seat}` },
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
