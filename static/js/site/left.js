// @ts-check
// How much time is left, in the reader's language.

const UNITS = /** @type {const} */ ([
  ['day', 86400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
])

/**
 * A time by its two largest parts, `2 days 4 hr`; of the last hour minutes and seconds as on a clock.
 * @param {number} ms @param {string} lang @param {boolean} [narrow] as short as can be
 */
export function span(ms, lang, narrow = false) {
  let rest = Math.max(0, Math.floor(ms / 1000))
  if (rest < 3600) return `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, '0')}`
  const first = UNITS.findIndex(([, size]) => rest >= size)
  const parts = []
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const n = Math.floor(rest / size)
    rest %= size
    const unitDisplay = narrow ? 'narrow' : unit === 'day' ? 'long' : 'short'
    if (n) parts.push(new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay }).format(n))
  }
  return parts.join(' ')
}
