// @ts-check
// Catalogues of sentences, rendered late in the reader's language.
import { h } from './dom.js'

/** @typedef {{key: string, args?: Record<string, any>, clause?: string}} Message */
/** @typedef {string | {loc: string, label: string} | {unit: string, label: string}} Part */

/** Where the plain language is one country's, as on the server. @type {Record<string, string>} */
const LOCALES = { pt: 'pt-PT' }

const MONTH = /^\d{4}-\d{2}$/
const RANGE = /^\d+-\d+$/ // of a table; it stays on its line

/** What a catalogue needs to know of the title to name its things. */
export class Names {
  /** @param {Record<string, any>} units @param {any} map @param {string[]} seats */
  constructor(units, map, seats) {
    this.units = units
    this.seats = new Set(seats)
    /** @type {Map<string, {name: string | null, terrain: string, country?: string}>} */
    this.places = new Map()
    for (const [id, space] of Object.entries({ ...map?.spaces, ...map?.areas, ...map?.boxes })) this.places.set(id, { name: space.name, terrain: '', country: space.country })
    for (const [id, hex] of Object.entries(map?.hexes ?? {})) this.places.set(id, { name: hex.name ?? null, terrain: hex.terrain, country: hex.country })
  }
}

export class Texts {
  /**
   * @param {string} lang `en`, `es`, `it`, `pt`
   * @param {Record<string, string | Record<string, string>>} catalogue
   * @param {Names} [names]
   */
  constructor(lang, catalogue, names) {
    this.lang = lang
    this.catalogue = catalogue
    this.names = names ?? new Names({}, null, [])
    const locale = LOCALES[lang] ?? lang
    this.rules = new Intl.PluralRules(locale)
    this.months = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })
    this.lists = new Intl.ListFormat(locale, { style: 'long', type: 'conjunction' })
    this.numbers = new Intl.NumberFormat(locale)
  }

  /** @param {string} key */
  has(key) {
    return Object.hasOwn(this.catalogue, key)
  }

  /** The sentence of a key as plain text; an unknown key shows itself. @param {string} key @param {Record<string, any>} [args] */
  t(key, args = {}) {
    return this.parts(key, args)
      .map((p) => (typeof p === 'string' ? p : p.label))
      .join('')
  }

  /** A named text; a bare key counts as one without arguments. @param {Message | string | null | undefined} message */
  say(message) {
    if (!message) return ''
    return typeof message === 'string' ? this.t(message) : this.t(message.key, message.args ?? {})
  }

  /** One argument as plain text. @param {any} value */
  word(value) {
    return this.value(value)
      .map((p) => (typeof p === 'string' ? p : p.label))
      .join('')
  }

  /**
   * The sentence in pieces, so that places and units in it can be links.
   * @param {string} key @param {Record<string, any>} [args]
   * @returns {Part[]}
   */
  parts(key, args = {}) {
    const all = withDerived(args)
    let pattern = this.catalogue[key]
    if (pattern === undefined) return [key]
    if (typeof pattern === 'object') {
      const n = all.n === '½' ? 1 : Number(all.n ?? 0)
      pattern = pattern[this.rules.select(n)] ?? pattern.other ?? key
    }
    return pattern
      .split(/(\{\w+\})/)
      .filter(Boolean)
      .flatMap((piece) => {
        const name = /^\{(\w+)\}$/.exec(piece)?.[1]
        if (!name) return [piece]
        if (name === 'modifiers' && !all[name]?.length) return [this.t('game.modifier.none')]
        return all[name] === undefined ? [piece] : typeof all[name] === 'boolean' ? [this.yesNo(all[name], name)] : this.value(all[name])
      })
  }

  /** One argument in words. @param {any} value @returns {Part[]} */
  value(value) {
    if (value === null) return ['–']
    if (typeof value === 'number') return [value < 0 ? `−${this.numbers.format(-value)}` : this.numbers.format(value)]
    if (typeof value === 'boolean') return [this.yesNo(value)]
    if (Array.isArray(value)) return this.list(value)
    if (value.label) return [`${this.say(value.label)} ${this.signed(value.value)}`] // a modifier
    if (typeof value === 'object') return value.key ? this.parts(value.key, value.args) : [JSON.stringify(value)]
    if (this.names.units[value]) return [{ unit: value, label: this.unit(value) }]
    if (this.isPlace(value)) return [{ loc: value, label: this.place(value) }]
    if (this.names.seats.has(value)) return [this.seat(value)]
    if (this.has(value)) return [this.t(value)]
    if (MONTH.test(value)) return [this.months.format(new Date(`${value}-01T00:00Z`))]
    return [RANGE.test(value) ? value.replace('-', '\u2060-\u2060') : value]
  }

  /** Yes or no, in words of its own where the argument has some. @param {boolean} value @param {string} [name] of the argument */
  yesNo(value, name) {
    const key = value ? 'game.yes' : 'game.no'
    return this.t(this.has(`${key}.${name}`) ? `${key}.${name}` : key)
  }

  /** @param {any[]} values @returns {Part[]} */
  list(values) {
    if (!values.length) return ['–']
    const items = this.ordered(values).map((v) => this.value(v))
    return this.lists
      .formatToParts(items.map((_, i) => String(i)))
      .flatMap((p) => (p.type === 'element' ? items[Number(p.value)] : [p.value]))
  }

  /** Units by the numbers in their names: 1, 2, 10; all else as it comes. @param {any[]} values */
  ordered(values) {
    return values.every((v) => this.names.units[v]) ? [...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })) : values
  }

  /** A side in words, from the title's catalogue. @param {string} seat */
  seat(seat) {
    return this.has(`seat.${seat}`) ? this.t(`seat.${seat}`) : seat
  }

  /** @param {string} id */
  unit(id) {
    const [unit] = id.split('/') // a further step of one
    return this.has(`unit.${unit}`) ? this.t(`unit.${unit}`) : (this.names.units[unit]?.name ?? unit)
  }

  /** @param {string} loc */
  isPlace(loc) {
    return this.names.places.has(loc) || /^(track|pool|dead|box|away):/.test(loc)
  }

  /** "Itapirú (1434)", "1533", "turn track III". @param {string} loc */
  place(loc) {
    const known = this.names.places.get(loc)
    if (known) return !known.name ? loc : known.terrain ? `${known.name} (${loc})` : known.name
    const [kind, name] = loc.split(/:(.*)/s)
    return this.has(`loc.${kind}`) ? this.t(`loc.${kind}`, { name }) : (name ?? loc)
  }

  /** @param {string} loc */
  placeName(loc) {
    return this.names.places.get(loc)?.name ?? loc
  }

  /** "+1", "−2", "0". @param {number | null} n */
  signed(n) {
    if (n === null || n === undefined) return '?'
    return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0'
  }
}

/** @param {Record<string, any>} args */
function withDerived(args) {
  const out = { ...args }
  if (Array.isArray(args.path) && args.path.length) {
    out.from ??= args.path[0]
    out.to ??= args.path.at(-1)
  }
  if (out.n === undefined) {
    if (Array.isArray(args.units)) out.n = args.units.length
    else if (typeof args.count === 'number') out.n = args.count
  }
  return out
}

/** The sentence of a step; its side is an argument too. @param {{event: string, side?: string | null, data: any}} step @returns {Message} */
export const stepMessage = (step) => ({ key: `event.${step.event}`, args: { side: step.side ?? null, ...step.data } })

/**
 * A sentence as nodes, its places as buttons.
 * @param {Texts} texts @param {Message} message
 * @param {{onplace?: (loc: string) => void}} [opts]
 * @returns {(Node | string)[]}
 */
export function sentence(texts, message, opts = {}) {
  const nodes = texts.parts(message.key, message.args ?? {}).map((part) => {
    if (typeof part === 'string') return part
    if ('loc' in part && opts.onplace && texts.names.places.has(part.loc)) {
      const { loc } = part
      return h(
        'button.place',
        {
          type: 'button',
          onclick: (/** @type {Event} */ e) => {
            e.stopPropagation()
            opts.onplace?.(loc)
          },
        },
        part.label,
      )
    }
    return part.label
  })
  return nodes.map((node, i) => {
    const next = nodes[i + 1]
    if (typeof node === 'string') return i && typeof nodes[i - 1] !== 'string' ? node.replace(STOP, '') : node
    const stop = typeof next === 'string' ? STOP.exec(next)?.[0] : null
    return stop ? h('span.tight', {}, node, stop) : node
  })
}

/** What stays on the line of the place before it. */
const STOP = /^[.,;:)]+/
