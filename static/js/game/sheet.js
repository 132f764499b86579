// @ts-check
// The sheet under the map on a phone: drawn down it leaves the map the room, drawn up it shows more of what it holds.
import { byId } from './dom.js'

const SIZES = ['low', 'usual', 'high']
const PULL = 28 // pixels; less is a tap that trembled

/** The sheet is moved by its head, the prompt or the tabs. */
export function slideSheet() {
  const main = byId('main')
  /** @type {number | null} where the finger came down */
  let from = null
  for (const id of ['prompt', 'player', 'tabs']) {
    const head = byId(id)
    head.addEventListener('pointerdown', (e) => {
      from = e.clientY
    })
    head.addEventListener('pointermove', (e) => {
      const far = from === null ? 0 : e.clientY - from
      if (Math.abs(far) < PULL) return
      from = null
      head.setPointerCapture(e.pointerId) // what lies under the finger is no tap
      const now = SIZES.indexOf(main.dataset.sheet ?? 'usual')
      main.dataset.sheet = SIZES[Math.max(0, Math.min(SIZES.length - 1, now - Math.sign(far)))]
    })
    for (const name of ['pointerup', 'pointercancel'])
      head.addEventListener(name, () => {
        from = null
      })
  }
  byId('tabs').addEventListener('click', () => {
    if (main.dataset.sheet === 'low') main.dataset.sheet = 'usual'
  })
}
