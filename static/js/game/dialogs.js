// @ts-check
// Questions and lists that stand before the page until they are closed.
import { button, h } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {import('./menu.js').Keys} Keys */

/** A question before something that can't be undone. @param {Ctx} ctx @param {string} key @param {() => void} yes @param {Record<string, any>} [args] */
export function ask(ctx, key, yes, args = {}) {
  const t = ctx.texts
  const box = /** @type {HTMLDialogElement} */ (
    h(
      'dialog.ask-box',
      {},
      h('h2', {}, t.t(`game.ask.${key}.title`, args)),
      h('p', {}, t.t(`game.ask.${key}.text`, args)),
      h(
        'div.acts',
        {},
        button(t.t('game.cancel'), () => box.close(), { class: 'quiet' }),
        button(
          t.t(`game.ask.${key}.yes`, args),
          () => {
            box.close()
            yes()
          },
          { class: 'go fight' },
        ),
      ),
    )
  )
  box.addEventListener('close', () => box.remove())
  document.body.append(box)
  box.showModal()
}

const KEYS = /** @type {Keys} */ ([
  ['← → ↑ ↓', 'arrows'],
  ['Tab', 'tab'],
  ['Enter', 'enter'],
  ['B', 'bend'],
  ['Esc', 'escape'],
  ['Space', 'go'],
  ['Ctrl+Z', 'undo'],
  ['Ctrl+Shift+Z', 'redo'],
  ['+ − 0', 'zoom'],
  ['H', 'bare'],
  ['F', 'find'],
  ['L', 'fight'],
  ['N', 'open'],
  ['D', 'sketch'],
  ['T', 'text'],
  ['?', 'help'],
])

/** The list of keys. @param {Ctx} ctx @param {Keys} [rows] those of another page than the game's */
export function showKeys(ctx, rows = KEYS) {
  const t = ctx.texts
  const box = /** @type {HTMLDialogElement} */ (
    h(
      'dialog.ask-box.keys',
      {},
      h('h2', {}, t.t('game.keys.title')),
      h(
        'table',
        {},
        h(
          'tbody',
          {},
          rows.map(([key, what]) => h('tr', {}, h('td', {}, h('kbd', {}, key)), h('td', {}, t.t(`game.keys.${what}`)))),
        ),
      ),
      h(
        'div.acts',
        {},
        button(t.t('game.close'), () => box.close(), { class: 'go' }),
      ),
    )
  )
  box.addEventListener('close', () => box.remove())
  document.body.append(box)
  box.showModal()
}
