// @ts-check
// The spaces a card speaks of, lit on the map: while one points at the card, or until its button is pressed again;
// the other cards on the table make room meanwhile (cards.css).
import { button } from './dom.js'

/** The card whose spaces stay lit. */
let kept = { id: '', spaces: /** @type {string[]} */ ([]) }

/** @param {import('./decision.js').Ctx} ctx @param {HTMLElement} card its node @param {string} id @param {string[]} spaces */
export function offerShade(ctx, card, id, spaces) {
  const light = (/** @type {string[]} */ locs) => ctx.board.setShade(locs)
  const on = () => kept.id === id
  const press = button(
    ctx.texts.t('game.cards.on_map'),
    () => {
      kept = on() ? { id: '', spaces: [] } : { id, spaces }
      for (const other of document.querySelectorAll('.on-map')) other.setAttribute('aria-pressed', String(other === press && on()))
      light(kept.spaces).then(() => ctx.board.frame(kept.spaces))
    },
    { class: 'small quiet on-map', key: `map-${id}`, pressed: on() },
  )
  const go = card.querySelector('button.go')
  card.insertBefore(press, go)
  go?.addEventListener('click', () => {
    kept = { id: '', spaces: [] }
    light([])
  })
  card.addEventListener('pointerenter', () => {
    light(spaces)
    // not `pointerleave`: a card that is drawn anew under the pointer is never left
    const away = (/** @type {Event} */ e) => {
      if (card.isConnected && card.contains(/** @type {Node} */ (e.target))) return
      removeEventListener('pointerover', away)
      light(kept.spaces)
    }
    addEventListener('pointerover', away)
  })
}
