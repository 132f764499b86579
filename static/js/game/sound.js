// @ts-check
// Whether one wants to hear the game, and what of it; the tones themselves come when the first is heard.
import { Dead } from './dead.js'

const SHELF = 'mariscal.sound'

/** As chosen in this browser; before that, off where the system asks for calm. */
const soundOn = () => (localStorage.getItem(SHELF) ?? (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'off' : 'on')) === 'on'

/** @param {string[]} names of tones.js, one after the other */
async function play(names) {
  // before the first tap or key a browser lets no page sound, and would complain
  if (navigator.userActivation?.hasBeenActive !== false) (await import('./tones.js')).play(names)
}

export class Sound {
  /** @param {{request: any, fragments: Record<string, any>}} store where the game stands @param {string} lost how the keys of pools of the eliminated begin @param {typeof play} [via] */
  constructor({ request, fragments }, lost, via = play) {
    this.via = via
    this.asked = Boolean(request?.mine)
    this.dead = new Dead(lost, fragments)
  }

  get on() {
    return soundOn()
  }

  /** The other way round, and kept; what is switched on is heard. */
  turn() {
    localStorage.setItem(SHELF, this.on ? 'off' : 'on')
    if (this.on) this.via(['turn'])
  }

  /** The game stands at another question. @param {any} request @param {any[]} [steps] that led to it */
  tell(request, steps = []) {
    const begins = Boolean(request?.mine) && !this.asked
    this.asked = Boolean(request?.mine)
    const names = steps.length ? [...this.heard(steps), ...(begins ? ['turn'] : [])] : []
    if (names.length && this.on) this.via(names)
  }

  /** What of these steps is heard: a die, losses. @param {any[]} steps @returns {string[]} */
  heard(steps) {
    const lost = steps.reduce((sum, step) => sum + this.dead.grewBy(step), 0)
    return [steps.some((s) => typeof s.data?.roll === 'number') ? 'die' : '', lost ? 'loss' : ''].filter(Boolean)
  }
}
