// @ts-check
/** The whole sheet, small: a thin copy of the ground, a dot for each stack, the window as a frame to drag. */
import { svg } from './dom.js'

/** @typedef {import('./camera.js').Camera} Camera */
/** @typedef {import('./geometry.js').Places} Places */
/** @typedef {import('./state.js').State} State */

const DOT = 26

export class Minimap {
  /** @param {HTMLElement} element @param {Camera} camera @param {Places} places @param {State} state */
  constructor(element, camera, places, state) {
    this.camera = camera
    this.places = places
    this.state = state
    const thumb = document.getElementById('thumb')?.querySelector('rect')
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => Number(thumb?.getAttribute(name)))
    this.root = svg('svg', { class: 'minimap-sheet', viewBox: `${x} ${y} ${width} ${height}`, 'aria-hidden': 'true' })
    this.dots = svg('g')
    this.frame = svg('rect', { class: 'minimap-frame' })
    this.root.append(svg('use', { href: '#thumb' }), this.dots, this.frame)
    element.replaceChildren(this.root)
    const go = (/** @type {PointerEvent} */ e) => {
      const box = this.root.getBoundingClientRect()
      const scale = Math.min(box.width / width, box.height / height)
      const left = box.left + (box.width - width * scale) / 2
      const top = box.top + (box.height - height * scale) / 2
      camera.goTo({ x: x + (e.clientX - left) / scale, y: y + (e.clientY - top) / scale })
    }
    this.root.addEventListener('pointerdown', (e) => {
      this.root.setPointerCapture(e.pointerId)
      go(e)
    })
    this.root.addEventListener('pointermove', (e) => {
      if (this.root.hasPointerCapture(e.pointerId)) go(e)
    })
    this.drawDots()
    this.drawFrame()
  }

  drawDots() {
    const dots = []
    for (const [loc, space] of this.state.spaces) {
      if (!this.places.has(loc) || !this.state.occupied(loc)) continue
      const { x, y } = this.places.centre(loc)
      dots.push(svg('circle', { class: `thumb-dot side-${space.side ?? ''}`, cx: x, cy: y, r: DOT }))
    }
    this.dots.replaceChildren(...dots)
  }

  drawFrame() {
    const { camera } = this
    const a = camera.toSheet({ x: 0, y: 0 })
    const size = { x: a.x, y: a.y, width: camera.width / camera.zoom, height: camera.height / camera.zoom }
    for (const [name, value] of Object.entries(size)) this.frame.setAttribute(name, String(value))
  }
}
