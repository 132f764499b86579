// @ts-check
// The few sounds of a game, made as they are heard: a bugle call, a die on the table, a muffled drum.

const LOUD = 0.16 // of what the machine can do
const GAP = 0.1 // seconds between two sounds

/**
 * A tone that comes at once and dies away, from one pitch to another.
 * @param {BaseAudioContext} audio @param {number} at seconds @param {{from: number, to?: number, type?: OscillatorType, long: number, loud?: number}} how hertz, seconds, 0 to 1
 */
function note(audio, at, { from, to = from, type = 'triangle', long, loud = 1 }) {
  const voice = new OscillatorNode(audio, { type, frequency: from })
  voice.frequency.exponentialRampToValueAtTime(to, at + long)
  voice.connect(fading(audio, at, long, loud))
  voice.start(at)
  voice.stop(at + long)
}

/** A knock: noise of one colour. @param {BaseAudioContext} audio @param {number} at @param {{hertz: number, long: number, loud?: number}} how */
function knock(audio, at, { hertz, long, loud = 1 }) {
  const noise = new AudioBuffer({ length: Math.ceil(audio.sampleRate * long), sampleRate: audio.sampleRate })
  noise.getChannelData(0).forEach((_, i, all) => {
    all[i] = Math.random() * 2 - 1
  })
  const source = new AudioBufferSourceNode(audio, { buffer: noise })
  const filter = new BiquadFilterNode(audio, { type: 'bandpass', frequency: hertz, Q: 2 })
  source.connect(filter).connect(fading(audio, at, long, loud))
  source.start(at)
}

/** @param {BaseAudioContext} audio @param {number} at @param {number} long @param {number} loud */
function fading(audio, at, long, loud) {
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.setValueAtTime(0.0001, at)
  gain.gain.exponentialRampToValueAtTime(LOUD * loud, at + 0.008)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long)
  gain.connect(audio.destination)
  return gain
}

/** Each sound: sets itself off and says how long it takes. @type {Record<string, (audio: BaseAudioContext, at: number) => number>} */
export const TONES = {
  turn: (audio, at) => {
    ;[392, 523.25, 659.25].forEach((from, i) => note(audio, at + i * 0.11, { from, long: i === 2 ? 0.36 : 0.16, loud: 0.8 }))
    return 0.58
  },
  die: (audio, at) => {
    ;[0, 0.06, 0.13, 0.23].forEach((after, i) => knock(audio, at + after, { hertz: 1900 - i * 180, long: 0.05, loud: 2 - i * 0.3 }))
    return 0.28
  },
  loss: (audio, at) => {
    note(audio, at, { from: 130, to: 48, type: 'sine', long: 0.34, loud: 1.8 })
    knock(audio, at, { hertz: 260, long: 0.12 })
    return 0.34
  },
}

/** @type {AudioContext | null} */
let audio = null

/** One after the other; nothing where the browser lets nothing sound. @param {string[]} names */
export async function play(names) {
  audio ??= new AudioContext()
  await audio.resume()
  let at = audio.currentTime + 0.02
  for (const name of names) at += TONES[name](audio, at) + GAP
}
