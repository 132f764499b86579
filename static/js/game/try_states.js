// @ts-check
// What of a position put by hand belongs to counters in hand (losses, morale, how they stand) or lies on spaces in numbers.
import { h } from './dom.js'
import { stance } from './stances.js'

/** @typedef {import('./try_hand.js').Hand} Hand */
/** @typedef {import('./try_hand.js').Field} Field */

/** A value under a name of several parts: `a:b` is an object within an object. @param {string} path @param {any} value @returns {any} */
export const nested = (path, value) => path.split(':').reduceRight((inner, part) => (part ? { [part]: inner } : inner), value)

/** What all in hand have in common; null where they differ. @param {any[]} values */
const common = (values) => (values.every((one) => one === values[0]) ? values[0] : null)

/** The level of who is in hand. @param {Hand} hand @param {Field} field @param {string[]} taken */
export function levelOf(hand, field, taken) {
  const { t } = hand
  const [first] = field.options,
    now = common(taken.map((unit) => field.now[unit] ?? first))
  const words = (/** @type {string} */ id) => (t.has(`hand.${field.field}.${id}`) ? t.t(`hand.${field.field}.${id}`) : id)
  const set = (/** @type {string} */ id) => {
    const level = field.options.find((one) => String(one) === id)
    hand.put({ [field.field]: Object.fromEntries(taken.map((unit) => [unit, level])) })
  }
  return hand.choice(hand.label(field), field.options.map(String), words, now === null ? null : String(now), set)
}

/** How who is in hand stands: in which formation, and facing where. @param {Hand} hand @param {Field} field @param {string[]} taken */
export function stanceOf(hand, field, taken) {
  const { t } = hand,
    standing = taken.filter((unit) => field.now[unit]).map((unit) => ({ unit, ...stance(field.now[unit]) }))
  if (!standing.length) return null
  const formation = common(standing.map((one) => one.formation)),
    facing = common(standing.map((one) => one.facing))
  const set = (/** @type {string | null} */ form, /** @type {string | null} */ way) => {
    const units = standing.map((one) => {
      const wanted = form ?? one.formation ?? '',
        ways = field.formations[wanted] ?? [],
        facing = way ?? one.facing ?? ''
      return [one.unit, `${one.at}@${ways.includes(facing) ? facing : ways[0]}/${wanted}`]
    })
    hand.put({ [field.field]: Object.fromEntries(units) })
  }
  return [
    hand.choice(t.t('boards.formation'), Object.keys(field.formations), (id) => t.t(`formation.${id}`), formation, (id) => set(id, null)),
    hand.choice(t.t('boards.facing'), formation ? field.formations[formation] : [], (id) => t.t(`facing.${id}`), facing, (id) => set(null, id)),
  ]
}

/** Numbers on spaces: how many a tap lays, whose, and what lies where. @param {Hand} hand @param {Field} field */
export function stores(hand, field) {
  const { t } = hand
  const lies = (/** @type {any} */ row) => Object.entries(row.now).map(([loc, n]) => h('li', {}, t.place(loc), ' ', h('b', {}, n)))
  return h(
    'fieldset',
    {},
    h('legend', {}, hand.label(field)),
    hand.number(t.t('boards.hand_amount'), hand.amount, 0, field.high, (n) => {
      hand.amount = n
    }),
    field.rows.map((row) => h('div.hand-list', { data: { store: `${field.field}-${row.id}` } }, hand.brushFor(field, row.id, row.id ? t.seat(row.id) : t.t('boards.mark_spaces')), h('ul', {}, lies(row)))),
  )
}
