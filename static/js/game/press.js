// @ts-check
// A press is not lost where the page draws anew between finger down and up: the browser gives no click to a control that
// was replaced meanwhile. It is given to the one that means the same: under the finger, else to the only one elsewhere, as
// rows of a list move up. Nor does a tap on the map, which is answered as the finger goes up, press what the page then
// lays under it.

const CONTROLS = 'button, a[href], label, input, summary'
const SLOP = 20 // pixels; more is a drag

/** What a control does: another question's button is another, whatever its words; a tab is the same, whatever is new in it. @param {HTMLElement} el */
const meaning = (el) =>
  [
    el.tagName,
    el.dataset.key,
    el.role === 'tab' ? '' : (el.getAttribute('aria-label') ?? el.textContent),
    el.ariaPressed ?? /** @type {HTMLInputElement} */ (el).checked,
    /** @type {HTMLElement | null} */ (el.closest('[data-question]'))?.dataset.question,
    el.closest('[id]')?.id,
  ].join('\n')

/** Whether a control has left the place where it was pressed. @param {{el: HTMLElement, place: DOMRect}} down */
const moved = ({ el, place }) => {
  const { x, y } = el.getBoundingClientRect()
  return x !== place.x || y !== place.y
}

/** @param {EventTarget | Element | null} target @returns {HTMLElement | null} */
const controlOf = (target) => (target instanceof Element ? target.closest(CONTROLS) : null)

/** Presses of mouse, finger and space bar reach what they meant. */
export function keepPresses() {
  /** @type {{el: HTMLElement, means: string, x: number, y: number, place: DOMRect} | null} */
  let down = null
  let ours = false // the click of this press: what the browser makes of it is none
  let onMap = false
  /** @type {HTMLElement | null} pressed from down to up: a page that moves meanwhile lets the click fall beside it */
  let pressed = null
  const map = (/** @type {EventTarget | null} */ target) => target instanceof Element && Boolean(target.closest('.board-view'))

  /** @param {EventTarget | null} target @param {{clientX?: number, clientY?: number}} e */
  const press = (target, { clientX = 0, clientY = 0 }) => {
    const el = controlOf(target)
    down = el && { el, means: meaning(el), x: clientX, y: clientY, place: el.getBoundingClientRect() }
    ours = false
  }
  /** @param {HTMLElement | null} now what stands there @returns {boolean} whether what was pressed has gone */
  const release = (now) => {
    const was = down
    down = null
    if (!was || was.el.isConnected) return false
    const alike = now && meaning(now) === was.means ? [now] : [...document.querySelectorAll(CONTROLS)].filter((el) => meaning(/** @type {HTMLElement} */ (el)) === was.means)
    const [meant] = /** @type {HTMLElement[]} */ (alike)
    if (alike.length === 1 && !meant.matches(':disabled')) meant.click()
    return true
  }
  const hear = (/** @type {string} */ name, /** @type {(e: any) => void} */ heard) => document.addEventListener(name, heard, true)

  hear('pointerdown', (e) => {
    onMap = map(e.target)
    if (e.isPrimary && e.button === 0) press(e.target, e)
  })
  hear('pointerup', (e) => {
    const near = down && Math.hypot(e.clientX - down.x, e.clientY - down.y) < SLOP
    const now = near ? controlOf(document.elementFromPoint(e.clientX, e.clientY)) : null
    pressed = down && near && (now === down.el || moved(down)) ? down.el : null
    if (near) ours = release(now)
    down = null
  })
  for (const name of ['pointercancel', 'contextmenu']) hear(name, () => (down = null))
  hear('click', (e) => {
    const meant = pressed
    if (e.isTrusted) pressed = null
    if (e.isTrusted && e.detail && meant?.isConnected && !meant.contains(e.target)) {
      e.preventDefault()
      e.stopImmediatePropagation()
      return meant.click()
    }
    if (!e.isTrusted || !e.detail || !(ours || (onMap && !map(e.target)))) return
    ours = onMap = false
    e.preventDefault()
    e.stopImmediatePropagation()
  })
  hear('keydown', (e) => {
    if (e.key === ' ' && !e.repeat) press(e.target, e)
  })
  hear('keyup', (e) => {
    if (e.key === ' ' && release(controlOf(document.activeElement))) e.preventDefault()
  })
}
