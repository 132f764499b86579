// @ts-check
// SHA-256, by the browser where it offers it; by hand on plain http in a home network, where it doesn't.

/** @param {number} n */
const primes = (n) => {
  /** @type {number[]} */
  const out = []
  for (let p = 2; out.length < n; p++) if (out.every((q) => p % q)) out.push(p)
  return out
}
/** First 32 bits of the fraction. @param {number} x */
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) >>> 0
const K = Uint32Array.from(primes(64), (p) => fraction(Math.cbrt(p)))
const START = Uint32Array.from(primes(8), (p) => fraction(Math.sqrt(p)))

/** @param {number} x @param {number} n */
const turn = (x, n) => (x >>> n) | (x << (32 - n))

/** FIPS 180-4, for short messages. @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
export function sha256Plain(bytes) {
  const blocks = Math.ceil((bytes.length + 9) / 64)
  const padded = new Uint8Array(blocks * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, bytes.length * 8)
  const hash = START.slice()
  const w = new Uint32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + i * 4)
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15],
        b = w[i - 2]
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
    }
    let [a, b, c, d, e, f, g, h] = hash
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    for (const [i, v] of [a, b, c, d, e, f, g, h].entries()) hash[i] += v
  }
  const out = new Uint8Array(32)
  const outView = new DataView(out.buffer)
  hash.forEach((v, i) => outView.setUint32(i * 4, v))
  return out
}

/** @param {Uint8Array} bytes */
export async function sha256(bytes) {
  if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (bytes)))
  return sha256Plain(bytes)
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')

/** @param {string} text */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (b) => parseInt(b, 16))
