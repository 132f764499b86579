// @ts-check
// Days and times as the server writes them, in the reader's zone: "Sun, Nov 29, 17:40 (Madrid)".

const { zone, place } = document.documentElement.dataset
const known = zone && zone !== 'UTC' ? zone : undefined // of one whom the server doesn't know yet: the browser's own
/** @type {Map<string, Intl.DateTimeFormat>} they take long to make */
const formats = new Map()

/** @param {string} lang @param {Intl.DateTimeFormatOptions} how */
function format(lang, how) {
  const key = lang + Object.keys(how)
  const made = formats.get(key) ?? new Intl.DateTimeFormat(lang, { ...how, timeZone: known })
  formats.set(key, made)
  return made
}

/** @param {Date} at @param {string} lang */
const hour = (at, lang) => format(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)

/** @param {Date} at @param {string} lang */
const day = (at, lang) => format(lang, { weekday: 'short', day: 'numeric', month: 'short' }).format(at)

/** A day and time; `whose` with the zone. @param {string} at @param {string} lang @param {boolean} [whose] */
export function moment(at, lang, whose = false) {
  const then = new Date(at)
  return `${day(then, lang)}, ${hour(then, lang)}${whose && known ? ` (${place})` : ''}`
}

/** The hour for today, else the day. @param {string} at @param {string} lang */
export function brief(at, lang) {
  const then = new Date(at)
  return day(then, lang) === day(new Date(), lang) ? hour(then, lang) : day(then, lang)
}
