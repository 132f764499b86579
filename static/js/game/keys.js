// @ts-check
// Keys of the whole page; the map looks after its own arrows.

const BARE = 'h'

/** @param {EventTarget | null} target */
const writing = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|range|button)$/.test(target.type)))

/**
 * @param {{escape: () => void, go: () => void, undo: () => void, redo: () => void, bare: (on: boolean) => void, letters: Record<string, () => void>}} on
 *   `bare` while its key is held; `letters` by key
 */
export function listenKeys(on) {
  addEventListener('keydown', (e) => {
    if (writing(e.target) || document.querySelector('dialog[open]')) return
    const key = e.key.toLowerCase()
    if ((e.ctrlKey || e.metaKey) && (key === 'z' || key === 'y')) {
      e.preventDefault()
      return key === 'y' || e.shiftKey ? on.redo() : on.undo()
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return
    const button = e.target instanceof HTMLElement && e.target.closest('button, a, input')
    if (e.key === 'Escape') on.escape()
    else if (key === BARE && !e.repeat) on.bare(true)
    else if (on.letters[key] && !e.repeat) {
      e.preventDefault()
      on.letters[key]()
    } else if (e.key === ' ' && !button) {
      e.preventDefault()
      on.go()
    }
  })
  addEventListener('keyup', (e) => {
    if (e.key.toLowerCase() === BARE) on.bare(false)
  })
  addEventListener('blur', () => on.bare(false))
}
