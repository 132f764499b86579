// @ts-check
// Keys of the whole page; the map looks after its own arrows.

/** @param {EventTarget | null} target */
const writing = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|range|button)$/.test(target.type)))

/** @param {{escape: () => void, go: () => void, undo: () => void, text: () => void, help: () => void}} on */
export function listenKeys(on) {
  addEventListener('keydown', (e) => {
    if (writing(e.target) || document.querySelector('dialog[open]')) return
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'z' && !e.shiftKey) {
      e.preventDefault()
      return on.undo()
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return
    const button = e.target instanceof HTMLElement && e.target.closest('button, a, input')
    if (e.key === 'Escape') on.escape()
    else if (e.key === '?') on.help()
    else if (e.key === 't' || e.key === 'T') on.text()
    else if (e.key === ' ' && !button) {
      e.preventDefault()
      on.go()
    }
  })
}
