// @ts-check
// Keys of the whole page; the map looks after its own arrows.

const BARE = 'h'
const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const IDLE = 'body, #prompt, #prompt button' // where an arrow has nothing else to do
const CLOSER = 1.3

/** @param {EventTarget | null} target */
const writing = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|range|button)$/.test(target.type)))

/**
 * @param {import('./decision.js').Board} board
 * @param {{escape: () => void, go: () => void, undo: () => void, redo: () => void, letters: Record<string, () => void>}} on `letters` by key
 */
export function listenKeys(board, on) {
  /** @type {Record<string, () => void>} */
  const letters = { '+': () => board.zoomBy(CLOSER), '=': () => board.zoomBy(CLOSER), '-': () => board.zoomBy(1 / CLOSER), 0: () => board.fit(), ...on.letters }
  addEventListener('keydown', (e) => {
    if (e.defaultPrevented || writing(e.target) || document.querySelector('dialog[open]')) return
    const key = e.key.toLowerCase()
    if ((e.ctrlKey || e.metaKey) && (key === 'z' || key === 'y')) {
      e.preventDefault()
      return key === 'y' || e.shiftKey ? on.redo() : on.undo()
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return
    const el = e.target instanceof Element ? e.target : document.body
    if (e.key === 'Escape') on.escape()
    else if (key === BARE && !e.repeat) board.setBare(true)
    else if (ARROWS.includes(e.key) && !e.shiftKey && el.matches(IDLE)) {
      e.preventDefault()
      board.enter(e.key)
    } else if (letters[key] && !e.repeat) {
      e.preventDefault()
      letters[key]()
    } else if (e.key === ' ' && !el.closest('button, a, input')) {
      e.preventDefault()
      on.go()
    }
  })
  addEventListener('keyup', (e) => {
    if (e.key.toLowerCase() === BARE) board.setBare(false)
  })
  addEventListener('blur', () => board.setBare(false))
}
