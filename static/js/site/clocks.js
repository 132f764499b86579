// @ts-check
// Counts down the times left on a page. Without this module they stay as they were when it was made.
import { span } from './left.js'

const EVERY = 1000 // ms

function tick() {
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-left]'))) {
    const left = Date.parse(el.dataset.left ?? '') - Date.now()
    el.textContent = left > 0 ? span(left, document.documentElement.lang) : (el.dataset.up ?? '')
  }
}

setInterval(tick, EVERY)
