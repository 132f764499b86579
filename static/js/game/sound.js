// @ts-check
// Whether one wants to hear the game, and what of it; the tones themselves come when the first is heard.

const SHELF = 'mariscal.sound'

/** As chosen in this browser; before that, off where the system asks for calm. */
const soundOn = () => (localStorage.getItem(SHELF) ?? (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'off' : 'on')) === 'on'

/** @param {string[]} names of tones.js, one after the other */
async function play(names) {
  // before the first tap or key a browser lets no page sound, and would complain
  if (navigator.userActivation?.hasBeenActive !== false) (await import('./tones.js')).play(names)
}

/** What of these steps is heard: a die, losses. @param {any[]} steps @returns {string[]} */
function heard(steps) {
  const cost = (/** @type {any} */ step) => Object.entries(step.fragments ?? {}).some(([key, content]) => key.startsWith('pool:dead') && content?.units?.length)
  return [steps.some((s) => typeof s.data?.roll === 'number') ? 'die' : '', steps.some(cost) ? 'loss' : ''].filter(Boolean)
}

export class Sound {
  /** @param {any} request where the game stands @param {typeof play} [via] */
  constructor(request, via = play) {
    this.via = via
    this.asked = Boolean(request?.mine)
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
    const names = steps.length ? [...heard(steps), ...(begins ? ['turn'] : [])] : []
    if (names.length && this.on) this.via(names)
  }
}
