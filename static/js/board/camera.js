// @ts-check
/**
 * Pan and zoom. The sheet is a layer of its own moved by a CSS transform, so a pan frame paints nothing; while zooming
 * (`zooming` on the sheet, with `will-change`) it is only stretched, and drawn sharp again once the zoom rests.
 *
 * @typedef {import('./geometry.js').Point} Point
 * @typedef {import('./free.js').Rect} Rect
 */
import { calm } from './dom.js'
import { coversOf, freeRect, inSight } from './free.js'

const LEAST = 0.25
const MOST = 3
const REST = 140 // ms without zoom until the sheet is drawn sharp
const GLIDE = 220 // ms
const BESIDE = 90 // pixels that may be seen beside the sheet, so that its rim clears the panels
const INNER = 72 // pixels that what is brought into sight keeps from the rim of what is free
const CRAMPED = 0.6 // of what the sheet could measure: then what lies over it only for a while is passed over

export class Camera {
  /**
   * @param {HTMLElement} view  the window on the sheet
   * @param {HTMLElement} block  the sheet
   * @param {{x: number, y: number, width: number, height: number}} bounds  the whole sheet, in its units
   * @param {{x: number, y: number, width: number, height: number}} core  what is to be seen of it when it is fitted
   * @param {() => {fixed: Iterable<Element>, passing: Iterable<Element>}} covers  what of the page may lie over the window,
   *     all the time or for a while
   * @param {(zoom: number) => void} redraw  called when the zoom has come to rest
   * @param {() => void} changed  called after every change
   */
  constructor(view, block, bounds, core, covers, redraw, changed) {
    this.view = view
    this.block = block
    this.bounds = bounds
    this.core = core
    this.covers = covers
    /** @type {(() => void) | null} brings again into view what was asked for last, until one looks elsewhere */
    this.again = null
    /** Whether that is the whole sheet. */
    this.fitted = false
    /** The least useful zoom: the whole sheet is seen. */
    this.least = LEAST
    /** @type {Rect} what may be seen beside the sheet, in pixels from each side */
    this.beside = { left: BESIDE, top: BESIDE, right: BESIDE, bottom: BESIDE }
    this.redraw = redraw
    this.changed = changed
    this.zoom = 1
    this.drawn = 0
    /** The point of the sheet in the middle of the window. */
    this.middle = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }
    /** What the page shows: a pan or zoom is seen only with the next frame. */
    this.shown = { middle: this.middle, zoom: 1 }
    this.width = 0
    this.height = 0
    /** @type {number | undefined} */
    this.resting = undefined
    this.gliding = 0
    this.queued = 0
    // Chromium hands a new transform straight to its compositor only while an animation holds it; else it sorts all of the
    // sheet into layers again, every frame. This one stands still and adds nothing.
    block.animate({ transform: ['none', 'none'] }, { duration: 1e8, composite: 'add' }).pause()
  }

  /** The window's size has changed: what was asked for last is kept in it; at first the whole sheet. */
  measure() {
    this.width = this.view.clientWidth
    this.height = this.view.clientHeight
    if (!this.width || !this.height) return
    if (!this.drawn) this.fit()
    else if (this.again) this.again()
    else this.apply()
  }

  /** The zoom next to the one wanted that can be had. @param {number} zoom */
  within(zoom) {
    return Math.min(MOST, Math.max(this.least, zoom))
  }

  /** The zoom at which a rectangle holds what is to be seen of the sheet. @param {number} width @param {number} height */
  filling(width, height) {
    return Math.min(width / this.core.width, height / this.core.height)
  }

  /** @param {Point} p  in the window @returns {Point} on the sheet */
  toSheet(p) {
    return { x: this.middle.x + (p.x - this.width / 2) / this.zoom, y: this.middle.y + (p.y - this.height / 2) / this.zoom }
  }

  /** What a pointer is over, as the sheet is shown now. @param {Point} p  in the window @returns {Point} on the sheet */
  under(p) {
    const { middle, zoom } = this.shown
    return { x: middle.x + (p.x - this.width / 2) / zoom, y: middle.y + (p.y - this.height / 2) / zoom }
  }

  /** @param {Point} p  on the sheet @returns {Point} in the window */
  toWindow(p) {
    return { x: (p.x - this.middle.x) * this.zoom + this.width / 2, y: (p.y - this.middle.y) * this.zoom + this.height / 2 }
  }

  /** @param {number} dx @param {number} dy  CSS pixels */
  pan(dx, dy) {
    this.stop()
    this.leave()
    this.middle = { x: this.middle.x - dx / this.zoom, y: this.middle.y - dy / this.zoom }
    this.later()
  }

  /** Zoom by a factor; the point of the sheet under `at` (in the window) stays. @param {number} factor @param {Point} [at] */
  zoomBy(factor, at = { x: this.width / 2, y: this.height / 2 }) {
    this.stop()
    const before = this.toSheet(at)
    this.zoom = this.within(this.zoom * factor)
    this.leave()
    const after = this.toSheet(at)
    this.middle = { x: this.middle.x + before.x - after.x, y: this.middle.y + before.y - after.y }
    this.later()
  }

  /** @param {Point} middle @param {number} [zoom] @param {boolean} [slowly] */
  goTo(middle, zoom = this.zoom, slowly = false) {
    this.stop()
    this.leave()
    const from = { ...this.middle, zoom: this.zoom }
    const target = this.within(zoom)
    const begun = performance.now()
    const glide = slowly && !calm()
    const frame = (/** @type {number} */ now) => {
      const t = glide ? Math.min(1, Math.max(0, (now - begun) / GLIDE)) : 1
      const ease = t * t * (3 - 2 * t)
      this.zoom = from.zoom * (target / from.zoom) ** ease
      this.middle = { x: from.x + (middle.x - from.x) * ease, y: from.y + (middle.y - from.y) * ease }
      this.apply()
      this.gliding = t < 1 ? requestAnimationFrame(frame) : 0
    }
    frame(begun)
    if (!glide && this.width) this.settle()
  }

  /** The whole sheet, where nothing lies over it. */
  fit() {
    const worth = (/** @type {number} */ width, /** @type {number} */ height) => this.filling(width, height)
    const { fixed, passing } = this.covers()
    const lasting = coversOf(this.view, fixed)
    const wide = freeRect(this.width, this.height, lasting, worth)
    const clear = freeRect(this.width, this.height, [...lasting, ...coversOf(this.view, passing)], worth)
    const size = (/** @type {Rect} */ r) => worth(r.right - r.left, r.bottom - r.top)
    const into = size(clear) < CRAMPED * size(wide) ? wide : clear
    const { x, y, width, height } = this.core
    this.least = Math.min(LEAST, size(into))
    const beside = { left: BESIDE + into.left, top: BESIDE + into.top, right: BESIDE + this.width - into.right, bottom: BESIDE + this.height - into.bottom }
    this.bring({ x: x + width / 2, y: y + height / 2 }, size(into), false, into, beside)
    this.again = () => this.fit()
    this.fitted = true
  }

  /** One looks elsewhere. */
  leave() {
    this.again = null
    this.fitted = false
  }

  /** A point of the sheet into the middle of what nothing lies over, but for the sheet's rim: the window stays filled. @param {Point} p @param {number} [zoom] @param {boolean} [slowly] @param {Rect} [into] @param {Rect} [beside] */
  bring(p, zoom = this.zoom, slowly = false, into = this.roomy(), beside = undefined) {
    const { width, height } = this
    const off = { x: (into.left + into.right - width) / 2, y: (into.top + into.bottom - height) / 2 }
    const reached = this.within(zoom)
    this.beside = beside ?? this.needed(p, reached, into)
    this.goTo({ x: p.x - off.x / reached, y: p.y - off.y / reached }, reached, slowly)
    this.again = () => this.bring(p, zoom)
  }

  /** How much must be seen beside the sheet for a point to come into a rectangle of the window. @param {Point} p @param {number} zoom @param {Rect} into @returns {Rect} */
  needed(p, zoom, into) {
    const { x, y, width, height } = this.bounds
    const inner = { x: Math.min(INNER, (into.right - into.left) / 2), y: Math.min(INNER, (into.bottom - into.top) / 2) }
    return {
      left: Math.max(BESIDE, into.left + inner.x - (p.x - x) * zoom),
      top: Math.max(BESIDE, into.top + inner.y - (p.y - y) * zoom),
      right: Math.max(BESIDE, this.width - into.right + inner.x - (x + width - p.x) * zoom),
      bottom: Math.max(BESIDE, this.height - into.bottom + inner.y - (y + height - p.y) * zoom),
    }
  }

  /** What lay over the window is gone: back to the sheet. */
  tidy() {
    this.beside = { left: BESIDE, top: BESIDE, right: BESIDE, bottom: BESIDE }
    this.apply()
  }

  /** The largest rectangle that nothing lies over. */
  roomy() {
    return freeRect(this.width, this.height, this.covered(), (width, height) => width * height)
  }

  /** What lies over the window now. @returns {Rect[]} */
  covered() {
    const { fixed, passing } = this.covers()
    return coversOf(this.view, [...fixed, ...passing])
  }

  /** Whether these points of the sheet are seen, none within `edge` pixels of the rim. @param {Point[]} points @param {number} edge */
  sees(points, edge) {
    const covers = this.covered()
    return points.every((p) => inSight(this.toWindow(p), this.width, this.height, edge, covers))
  }

  stop() {
    if (this.gliding) cancelAnimationFrame(this.gliding)
    this.gliding = 0
  }

  /** Many changes in one frame are shown once. */
  later() {
    this.queued ||= requestAnimationFrame(() => this.apply())
  }

  apply() {
    if (this.queued) cancelAnimationFrame(this.queued)
    this.queued = 0
    if (!this.width) return
    const { bounds, beside } = this
    this.middle = {
      x: this.held(this.middle.x, bounds.x, bounds.width, this.width, beside.left, beside.right),
      y: this.held(this.middle.y, bounds.y, bounds.height, this.height, beside.top, beside.bottom),
    }
    if (this.drawn && this.zoom !== this.drawn) {
      this.block.classList.add('zooming')
      clearTimeout(this.resting)
      this.resting = setTimeout(() => this.settle(), REST)
    }
    this.place()
    this.changed()
  }

  /**
   * The middle kept so that the window shows little beside the sheet, and a sheet that is smaller lies in its middle.
   * @param {number} v @param {number} from @param {number} size @param {number} window @param {number} before @param {number} after  pixels beside it
   */
  held(v, from, size, window, before, after) {
    const first = from + (window / 2 - before) / this.zoom
    const last = from + size - (window / 2 - after) / this.zoom
    return first > last ? (first + last) / 2 : Math.min(last, Math.max(first, v))
  }

  /** The zoom has come to rest: level of detail and lettering follow, and the layer is drawn sharp. */
  settle() {
    clearTimeout(this.resting)
    this.drawn = this.zoom
    this.redraw(this.zoom)
    this.block.classList.remove('zooming')
  }

  place() {
    this.shown = { middle: this.middle, zoom: this.zoom }
    const at = this.toWindow({ x: this.bounds.x, y: this.bounds.y })
    this.block.style.transform = `translate3d(${Math.round(at.x)}px, ${Math.round(at.y)}px, 0) scale(${this.zoom})`
  }
}
