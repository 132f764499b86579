// @ts-check
/**
 * Pan and zoom. The sheet is a layer of its own moved by a CSS transform, so a pan frame paints nothing; while zooming
 * (`zooming` on the sheet, with `will-change`) it is only stretched, and drawn sharp again once the zoom rests.
 *
 * @typedef {import('./geometry.js').Point} Point
 */
import { calm } from './dom.js'

const LEAST = 0.25
const MOST = 3
const REST = 140 // ms without zoom until the sheet is drawn sharp
const GLIDE = 220 // ms
const BESIDE = 90 // pixels that may be seen beside the sheet, so that its rim clears the panels

export class Camera {
  /**
   * @param {HTMLElement} view  the window on the sheet
   * @param {HTMLElement} block  the sheet
   * @param {{x: number, y: number, width: number, height: number}} bounds  the whole sheet, in its units
   * @param {(zoom: number) => void} redraw  called when the zoom has come to rest
   * @param {() => void} changed  called after every change
   */
  constructor(view, block, bounds, redraw, changed) {
    this.view = view
    this.block = block
    this.bounds = bounds
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

  /** The window's size has changed; at first the whole sheet is shown. */
  measure() {
    this.width = this.view.clientWidth
    this.height = this.view.clientHeight
    if (this.drawn) this.apply()
    else if (this.width && this.height) this.fit()
  }

  /** The least useful zoom: the whole sheet is seen. */
  get least() {
    if (!this.width || !this.height) return LEAST
    return Math.min(LEAST, this.width / this.bounds.width, this.height / this.bounds.height)
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
    this.middle = { x: this.middle.x - dx / this.zoom, y: this.middle.y - dy / this.zoom }
    this.later()
  }

  /** Zoom by a factor; the point of the sheet under `at` (in the window) stays. @param {number} factor @param {Point} [at] */
  zoomBy(factor, at = { x: this.width / 2, y: this.height / 2 }) {
    this.stop()
    const before = this.toSheet(at)
    this.zoom = Math.min(MOST, Math.max(this.least, this.zoom * factor))
    const after = this.toSheet(at)
    this.middle = { x: this.middle.x + before.x - after.x, y: this.middle.y + before.y - after.y }
    this.later()
  }

  /** @param {Point} middle @param {number} [zoom] @param {boolean} [slowly] */
  goTo(middle, zoom = this.zoom, slowly = false) {
    this.stop()
    const from = { ...this.middle, zoom: this.zoom }
    const target = Math.min(MOST, Math.max(this.least, zoom))
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

  /** The whole sheet. */
  fit() {
    const { x, y, width, height } = this.bounds
    this.goTo({ x: x + width / 2, y: y + height / 2 }, Math.min(this.width / width, this.height / height))
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
    const { bounds } = this
    this.middle = { x: this.held(this.middle.x, bounds.x, bounds.width, this.width), y: this.held(this.middle.y, bounds.y, bounds.height, this.height) }
    if (this.drawn && this.zoom !== this.drawn) {
      this.block.classList.add('zooming')
      clearTimeout(this.resting)
      this.resting = setTimeout(() => this.settle(), REST)
    }
    this.place()
    this.changed()
  }

  /** The middle kept so that the window shows little beside the sheet. @param {number} v @param {number} from @param {number} size @param {number} window */
  held(v, from, size, window) {
    const half = window / 2 / this.zoom - BESIDE / this.zoom
    return 2 * half > size ? from + size / 2 : Math.min(from + size - half, Math.max(from + half, v))
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
