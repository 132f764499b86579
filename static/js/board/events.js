// @ts-check
/**
 * Pointers, wheel and keys on the board, told as places: `tap`, `hover`, `longpress`, `drag`, `drop`, `key`.
 * A drag that begins where the game lets units be taken up is theirs; any other moves the sheet. A tap means what was
 * under the finger when it came down, wherever the sheet has glided since.
 *
 * @typedef {import('./geometry.js').Point} Point
 * @typedef {import('./camera.js').Camera} Camera
 * @typedef {(name: string, detail: {pointerType: string, point: Point, [key: string]: unknown}) => void} Tell
 */

const SLOP = 6 // pixels a tap may wander
const LONG = 450 // ms
const DOUBLE = 300 // ms
const WHEEL = 500 // pixels of wheel for a zoom by e
const STEP = 1.3 // zoom of one key press or double tap

/**
 * @param {HTMLElement} view
 * @param {Camera} camera
 * @param {{tell: Tell, draggable: (p: Point) => boolean, single: (p: Point) => boolean, moving: (on: boolean) => void, cursor: (key: string) => boolean,
 *          atCursor: () => Point | null}} board
 * @returns {() => void} stops listening
 */
export function listen(view, camera, board) {
  const ending = new AbortController()
  const { signal } = ending
  /** @type {Map<number, Point>} */
  const down = new Map()
  /** @type {{from: Point, at: Point, spot: Point, since: number, type: string, mode: 'tap' | 'pan' | 'drag' | 'pinch' | 'held', timer: number} | null} */
  let hold = null
  let lastTap = { time: 0, x: 0, y: 0 }

  /** @param {MouseEvent} e @returns {Point} */
  const local = (e) => {
    const box = view.getBoundingClientRect()
    return { x: e.clientX - box.left, y: e.clientY - box.top }
  }
  const pinch = () => {
    const [a, b] = [...down.values()]
    return { length: Math.hypot(a.x - b.x, a.y - b.y), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } }
  }
  const release = () => {
    if (hold) clearTimeout(hold.timer)
    hold = null
    board.moving(false)
  }

  // What is pressed elsewhere between two taps gives the second its own meaning: a counter taken up is put down with it.
  for (const name of ['pointerdown', 'keydown'])
    document.addEventListener(name, (e) => {
      if (e.type === 'keydown' || !(e.target instanceof Node && view.contains(e.target))) lastTap.time = 0
    }, { signal, capture: true })

  view.addEventListener('pointerdown', (e) => {
    if (e.pointerType === 'mouse' && e.button !== 0) return
    if (e.target instanceof Element && e.target.closest('button, a, input')) return
    const point = local(e)
    view.setPointerCapture(e.pointerId)
    down.set(e.pointerId, point)
    if (down.size === 2) {
      if (hold) {
        if (hold.mode === 'drag') board.tell('drag', { pointerType: hold.type, point, from: hold.from, phase: 'cancel' })
        clearTimeout(hold.timer)
      }
      hold = { from: point, at: point, spot: point, since: 0, type: e.pointerType, mode: 'pinch', timer: 0 }
      board.moving(true)
      return
    }
    if (down.size > 2) return
    const timer = setTimeout(() => {
      if (hold?.mode !== 'tap') return
      if (e.pointerType !== 'mouse' && board.draggable(point)) navigator.vibrate?.(10)
      hold.mode = 'held'
      board.tell('longpress', { pointerType: e.pointerType, point })
    }, LONG)
    hold = { from: point, at: point, spot: camera.under(point), since: e.timeStamp, type: e.pointerType, mode: 'tap', timer }
  }, { signal })

  view.addEventListener('pointermove', (e) => {
    const point = local(e)
    if (!down.has(e.pointerId)) {
      if (e.pointerType === 'mouse') board.tell('hover', { pointerType: 'mouse', point })
      return
    }
    if (hold?.mode === 'pinch') {
      if (down.size < 2) return
      const before = pinch()
      down.set(e.pointerId, point)
      const after = pinch()
      camera.pan(after.middle.x - before.middle.x, after.middle.y - before.middle.y)
      if (before.length > 0) camera.zoomBy(after.length / before.length, after.middle)
      return
    }
    down.set(e.pointerId, point)
    if (!hold) return
    const far = Math.hypot(point.x - hold.from.x, point.y - hold.from.y) > SLOP
    if ((hold.mode === 'tap' || hold.mode === 'held') && far) {
      clearTimeout(hold.timer)
      const grab = board.draggable(hold.from) && (hold.type === 'mouse' || hold.mode === 'held')
      if (hold.mode === 'held' && !grab) return
      hold.mode = grab ? 'drag' : 'pan'
      if (grab) board.tell('drag', { pointerType: hold.type, point, from: hold.from, phase: 'start' })
      else board.moving(true)
    }
    if (hold.mode === 'pan') camera.pan(point.x - hold.at.x, point.y - hold.at.y)
    if (hold.mode === 'drag') board.tell('drag', { pointerType: hold.type, point, from: hold.from, phase: 'over' })
    hold.at = point
  }, { signal })

  view.addEventListener('pointerup', (e) => {
    if (!down.delete(e.pointerId) || !hold) return
    const point = local(e)
    if (hold.mode === 'pinch') {
      const [rest] = down.values()
      if (rest) hold = { ...hold, from: rest, at: rest, mode: 'pan' }
      else release()
      return
    }
    const { mode, from, type, spot, since } = hold
    release()
    if (mode === 'drag') board.tell('drop', { pointerType: type, point, from })
    // A mouse has its own way to look, by resting; and a busy page may take a quick tap for a long one.
    if (mode !== 'tap' && !(mode === 'held' && (type === 'mouse' || e.timeStamp - since < LONG))) return
    const double = e.timeStamp - lastTap.time < DOUBLE && Math.hypot(point.x - lastTap.x, point.y - lastTap.y) < 24
    lastTap = double ? { time: 0, x: 0, y: 0 } : { time: e.timeStamp, ...point }
    if (double && !board.single(point) && !board.draggable(point)) camera.zoomBy(STEP * STEP, point)
    else board.tell('tap', { pointerType: type, point, spot })
  }, { signal })

  view.addEventListener('pointercancel', (e) => {
    down.delete(e.pointerId)
    if (hold?.mode === 'drag') board.tell('drag', { pointerType: hold.type, point: hold.at, from: hold.from, phase: 'cancel' })
    release()
  }, { signal })

  view.addEventListener('pointerleave', (e) => {
    if (e.pointerType === 'mouse' && !down.size) board.tell('hover', { pointerType: 'mouse', point: { x: -1, y: -1 } })
  }, { signal })

  view.addEventListener('wheel', (e) => {
    e.preventDefault()
    camera.zoomBy(Math.exp(-(e.deltaMode ? e.deltaY * 24 : e.deltaY) / WHEEL), local(e))
  }, { signal, passive: false })

  view.addEventListener('keydown', (e) => {
    if (e.target !== view || e.ctrlKey || e.metaKey || e.altKey) return
    const far = 80
    const pans = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [far, 0], ArrowRight: [-far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] })
    const point = board.atCursor() ?? { x: camera.width / 2, y: camera.height / 2 }
    if (e.shiftKey && pans[e.key]) camera.pan(...pans[e.key])
    else if (e.key === '+' || e.key === '=') camera.zoomBy(STEP, point)
    else if (e.key === '-') camera.zoomBy(1 / STEP, point)
    else if (e.key === '0') camera.fit()
    else if (pans[e.key]) board.cursor(e.key)
    else if (e.key === 'Enter') {
      if (!board.atCursor()) board.cursor('')
      else board.tell('tap', { pointerType: 'keyboard', point })
    } else {
      board.tell('key', { pointerType: 'keyboard', point, key: e.key, event: e })
      return
    }
    e.preventDefault()
  }, { signal })

  return () => ending.abort()
}
