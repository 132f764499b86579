// @ts-check
// The map's menu of layers: what a view lays over it, each to be shown or hidden; kept in this browser.
import { button, fill, h } from './dom.js'

/** @typedef {import('./decision.js').Board} Board */

const KEY = 'mariscal.layers'

/** @returns {Record<string, boolean>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}

/**
 * A button over the map while there are layers; it opens the list of them.
 * @param {Board} board @param {HTMLElement} host @param {import('./texts.js').Texts} texts
 */
export function layersMenu(board, host, texts) {
  const list = h('ul', {})
  const pop = h('div.menu-pop.layers-pop', { popover: 'auto', id: 'layers-pop' }, h('h2', {}, texts.t('game.layers')), list)
  const open = button(texts.t('game.layers'), () => pop.togglePopover(), { class: 'fit', title: texts.t('game.layers_what') })
  open.id = 'layers'
  const draw = () => {
    const layers = board.layers()
    open.hidden = !layers.length
    fill(list, layers.map(({ name, title, shown }) => h('li', {}, h('label', {}, tick(name, shown), ' ', texts.t(title.key, title.args)))))
  }
  /** @param {string} name @param {boolean} shown */
  const tick = (name, shown) => {
    const box = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox' }))
    box.checked = shown
    box.addEventListener('change', () => {
      board.showLayer(name, box.checked)
      localStorage.setItem(KEY, JSON.stringify({ ...kept(), [name]: box.checked }))
    })
    return box
  }
  for (const [name, shown] of Object.entries(kept())) board.showLayer(name, shown)
  pop.addEventListener('beforetoggle', () => {
    const at = open.getBoundingClientRect()
    pop.style.top = `${at.bottom + 6}px`
    pop.style.left = `${Math.max(8, Math.min(at.left, innerWidth - 280))}px`
    pop.style.right = 'auto'
  })
  host.append(open, pop)
  board.on('layers', draw)
  draw()
}
