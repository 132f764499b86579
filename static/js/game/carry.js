// @ts-check
// Going aboard: for each unit the ships of the chosen stack with what is free on them, or why they won't take it; and all at once.
import { button, h } from './dom.js'
import { roomOf, weight } from './move.js'

/** @typedef {import('./move_tool.js').default} MoveTool */
/** @typedef {import('./move.js').MoveDraft} MoveDraft */
/** @typedef {import('./protocol.js').Mover} Mover */

/** Ships of the stack, chosen or not. @param {MoveDraft} draft @returns {Mover[]} */
const ships = (draft) => draft.movers(draft.from ?? '').filter((m) => m.holds)

/** @param {MoveDraft} draft @param {Mover} ship */
export function room(draft, ship) {
  return roomOf(ship, draft.aboard)
}

/** What the chosen ships have left, under the name of each. @param {MoveTool} tool @param {string} id */
export function roomNote({ draft, ctx }, id) {
  const ship = ships(draft).find((m) => m.id === id)
  return ship && draft.units.has(id) ? ctx.texts.t('game.move.room', { free: room(draft, ship), n: ship.holds }) : ''
}

/** Which ship takes a unit: all chosen ones, those that can't with the reason. @param {MoveTool} tool @param {string} id */
export function carrierPick(tool, id) {
  const { draft, ctx } = tool,
    t = ctx.texts
  const chosen = ships(draft).filter((m) => draft.units.has(m.id))
  if (!chosen.some((m) => m.takes?.includes(id) || m.bars?.some((b) => b.units.includes(id)))) return null
  const now = draft.aboard[id] ?? ''
  const options = chosen.map((ship) => {
    const bar = ship.bars?.find((b) => b.units.includes(id)),
      free = room(draft, ship)
    const name = t.unit(ship.id)
    const why = bar ? `${t.t(bar.key, { ...bar.args, unit: id })} (${bar.clause})` : free < weight(ship, id) && now !== ship.id ? t.t('game.move.ship_full') : null
    const label = why ? `${name}: ${why}` : t.t('game.move.on_ship_room', { ship: ship.id, free, n: ship.holds })
    return h('option', { value: ship.id, selected: now === ship.id, disabled: Boolean(why), title: why }, label)
  })
  const select = h(
    'select',
    {
      'aria-label': t.t('game.move.aboard', { unit: id }),
      data: { key: `aboard-${id}` },
      onchange: (/** @type {Event} */ e) => {
        draft.board(id, /** @type {HTMLSelectElement} */ (e.target).value || null)
        tool.askReach()
        ctx.redraw()
      },
    },
    h('option', { value: '', selected: now === '' }, t.t('game.move.ashore')),
    options,
  )
  return h('div.carrier', {}, select)
}

/** A button that takes aboard all there is room for; without a chosen ship all ships are. @param {MoveTool} tool */
export function loadAll(tool) {
  const { draft, ctx } = tool
  const all = ships(draft).filter((m) => m.takes?.length)
  if (!all.length) return null
  const chosen = all.filter((m) => draft.units.has(m.id))
  const fill = () => {
    const aboard = loading(chosen.length ? chosen : all, draft.aboard)
    const crew = chosen.length ? [...draft.units].filter((u) => !isCargo(draft, u)) : all.map((m) => m.id)
    draft.setUnits([...crew, ...Object.keys(aboard)])
    draft.aboard = aboard
    tool.askReach()
    ctx.redraw()
  }
  return button(ctx.texts.t('game.move.load_all'), fill, { key: 'load-all', title: ctx.texts.t('game.move.load_all_how') })
}

/** @param {MoveDraft} draft @param {string} id */
const isCargo = (draft, id) => ships(draft).some((m) => m.takes?.includes(id))

/**
 * As many units aboard as there is room for: each finds a place, if need be by sending one that is aboard to another ship.
 * @param {Mover[]} on @param {Record<string, string>} now who is aboard already @returns {Record<string, string>}
 */
export function loading(on, now) {
  const aboard = Object.fromEntries(Object.entries(now).filter(([, s]) => on.some((m) => m.id === s)))
  const free = (/** @type {Mover} */ m, /** @type {string} */ unit) => roomOf(m, aboard) >= weight(m, unit)
  const seat = (/** @type {string} */ unit, /** @type {Set<string>} */ tried) => {
    const able = on.filter((m) => m.takes?.includes(unit) && !tried.has(m.id))
    const open = able.find((m) => free(m, unit))
    if (open) return (aboard[unit] = open.id)
    for (const ship of able) {
      tried.add(ship.id)
      for (const [other] of Object.entries(aboard).filter(([, s]) => s === ship.id))
        if (seat(other, tried) && free(ship, unit)) return (aboard[unit] = ship.id)
    }
    return null
  }
  for (const unit of [...new Set(on.flatMap((m) => m.takes ?? []))]) if (!aboard[unit]) seat(unit, new Set())
  return aboard
}
