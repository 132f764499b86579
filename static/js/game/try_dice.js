// @ts-check
// Dice laid by hand: one die after another, by its face.
import { button, fill, h } from './dom.js'

/**
 * @param {import('./decision.js').Ctx} ctx @param {{kind: string, why: string, clause: string, low: number, high: number, dice: number, of: string[]}} due
 * @returns {Promise<number[] | null>} the faces; null when one thinks better of it
 */
export function layDice(ctx, due) {
  const t = ctx.texts
  return new Promise((resolve) => {
    /** @type {number[]} */
    const laid = []
    const box = /** @type {HTMLDialogElement} */ (h('dialog.dice-box', {}))
    const done = (/** @type {number[] | null} */ faces) => {
      box.close()
      box.remove()
      resolve(faces)
    }
    const lay = (/** @type {number} */ face) => {
      laid.push(face)
      if (laid.length === due.dice) done(laid)
      else draw()
    }
    const word = (/** @type {number} */ face) => (due.of.length ? t.word(due.of[face]) : String(face))
    const draw = () =>
      fill(box, [
        h('h2', {}, t.t('boards.lay', { n: laid.length + 1, of: due.dice })),
        h('p', {}, t.has(`roll.${due.why}`) ? t.t(`roll.${due.why}`) : '', ' ', ctx.clause(due.clause)),
        h(
          'div.faces-to-lay',
          {},
          Array.from({ length: due.high - due.low + 1 }, (_, n) => button(word(due.low + n), () => lay(due.low + n))),
        ),
        button(t.t('boards.lay_none'), () => done(null), { class: 'quiet' }),
      ])
    box.addEventListener('cancel', () => done(null))
    draw()
    document.body.append(box)
    box.showModal()
  })
}
