// @ts-check
// The battle board: both lines face to face, the work between them, every die in the open, and what the next fire may do.
import { PIPS } from '../board/dice.js'
import { button, fill, h, s, styled } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {{unit: string, target: string, roll: number, hit: boolean, side: string}} Shot */

const SLOTS = 6
const SHOWN = 8

styled('battle')

/** One die as it fell. @param {number} n @param {boolean} hit */
export const dieFace = (n, hit) =>
  s(
    'svg',
    { class: `die-face ${hit ? 'hit' : ''}`, viewBox: '-10 -10 20 20', width: 20, height: 20, 'aria-hidden': 'true' },
    s('rect', { x: -9, y: -9, width: 18, height: 18, rx: 3.5 }),
    PIPS[n] ? PIPS[n].map(([x, y]) => s('circle', { cx: x * 4.6, cy: y * 4.6, r: 1.9 })) : s('text', { y: 5 }, n),
  )

/** What a side's fire hits in a round on average. @param {any} line @param {number} die @returns {number} */
export const expected = (line, die) => line.slots.reduce((/** @type {number} */ sum, /** @type {any} */ slot) => sum + Math.min(1, slot.factor / die), 0)

/**
 * The shots of the battle that runs at a place, oldest first.
 * @param {import('./store.js').Entry[]} log @param {string} at @returns {Shot[]}
 */
export function shotsOf(log, at) {
  /** @type {Shot[]} */
  let shots = []
  for (const step of log.flatMap((entry) => (entry.retracted ? [] : entry.steps))) {
    const d = step.data ?? {}
    if (step.fragments?.battle === null) shots = []
    if (d.at === at && d.unit && d.target && typeof d.roll === 'number' && typeof d.hit === 'boolean')
      shots.push({ unit: d.unit, target: d.target, roll: d.roll, hit: d.hit, side: step.side ?? '' })
  }
  return shots
}

/** @typedef {{battle: any, shots: Shot[], step: import('./store.js').Step}} End a battle as it stood at last, and the step that ends it */

/** Battles on a board that have ended. @param {import('./store.js').Entry[]} log @param {Set<object>} [among] only those that these steps end @returns {End[]} */
export function ended(log, among) {
  /** @type {End[]} */
  const all = []
  /** @type {any} */
  let battle = null
  /** @type {import('./store.js').Entry[]} */
  let since = []
  for (const entry of log) {
    if (entry.retracted) continue
    since.push(entry)
    for (const step of entry.steps) {
      if (step.fragments?.battle === undefined) continue
      if (step.fragments.battle) {
        battle = step.fragments.battle
        continue
      }
      const until = [...since.slice(0, -1), { ...entry, steps: entry.steps.slice(0, entry.steps.indexOf(step)) }]
      if (battle?.board && (!among || among.has(step))) all.push({ battle, shots: shotsOf(until, battle.target), step })
      battle = null
      since = [{ ...entry, steps: entry.steps.slice(entry.steps.indexOf(step) + 1) }]
    }
  }
  return all
}

/** The board of a battle that is over. @param {Ctx} ctx @param {HTMLElement} host @param {End} end */
export function showEnd(ctx, host, { battle, shots }) {
  host.hidden = false
  fill(host, battleBoard(ctx, battle, shots))
  ctx.board.show(battle.target)
}

/** The board over the map while a battle is fought on one; folded away it leaves a strip. The map keeps the fight in sight. @param {Ctx} ctx the game as it is, or was @param {HTMLElement} host */
export function showBattle(ctx, host) {
  const { battle } = ctx.store.fragments
  host.hidden = !battle?.board
  if (!battle?.board) {
    delete host.dataset.folded
    delete host.dataset.at
    fill(host)
    return ctx.board.tidy()
  }
  const seen = host.dataset.at !== battle.target || ctx.board.seen(battle.target)
  host.dataset.at = battle.target
  const folded = 'folded' in host.dataset
  const fold = () => {
    if (folded) delete host.dataset.folded
    else host.dataset.folded = 'yes'
    showBattle(ctx, host)
    ctx.board.show(battle.target)
  }
  fill(host, battleBoard(ctx, battle, shotsOf(ctx.store.log(), battle.target), { fold, folded }))
  if (seen) ctx.board.show(battle.target)
  showAsked(ctx, host)
}

/** What a new question asks about comes out from under the board. @param {Ctx} ctx @param {HTMLElement} host */
function showAsked(ctx, host) {
  const { request } = ctx.store,
    seq = String(request?.seq)
  if (host.dataset.asked === seq) return
  host.dataset.asked = seq
  const asked = request?.mine ? (request.forms ?? []).flatMap((/** @type {any} */ form) => form.options ?? []).flatMap((/** @type {any} */ option) => option.at ?? []) : []
  requestAnimationFrame(() => {
    if (asked.some((/** @type {string} */ loc) => !ctx.board.seen(loc))) ctx.board.frame([ctx.store.fragments.battle?.target, ...asked])
  })
}

/**
 * The board as a section.
 * @param {Ctx} ctx @param {any} battle the fragment @param {Shot[]} shots @param {{fold?: () => void, folded?: boolean}} how
 */
function battleBoard(ctx, battle, shots, { fold, folded = false } = {}) {
  const t = ctx.texts
  const die = battle.die ?? 6
  const top = battle.lines.find((/** @type {any} */ l) => l.side !== battle.attacker) ?? battle.lines[0]
  const foot = battle.lines.find((/** @type {any} */ l) => l !== top)
  const head = h(
    'header',
    {},
    h('h2', {}, t.t('game.battle.title', { at: t.placeName(battle.target) })),
    h('p', {}, battle.round ? t.t('game.battle.round', { n: battle.round }) : t.t('game.battle.lining_up'), ' · ', t.say(battle.order)),
    fold ? button(t.t(folded ? 'game.battle.open' : 'game.battle.fold'), fold, { class: 'small quiet', key: 'battle-fold' }) : null,
  )
  if (folded) return h('section.battle.folded', { 'aria-label': t.t('game.battle.title', { at: t.placeName(battle.target) }) }, head)
  return h(
    'section.battle',
    { 'aria-label': t.t('game.battle.title', { at: t.placeName(battle.target) }) },
    head,
    h(
      'div.field',
      {},
      row(ctx, top, die, shots, 'defender'),
      h(
        'div.between',
        {},
        battle.fort
          ? h('span.fort', { title: t.unit(battle.fort.id) }, ctx.mini(battle.fort.id, { size: 40, badges: battle.fort.reduced ? ['reduced'] : [] }))
          : h('span.fort.none', {}),
        h('span.rule', {}),
      ),
      foot ? row(ctx, foot, die, shots, 'attacker') : null,
    ),
    foot && top.slots.length && foot.slots.length ? losses(ctx, [top, foot], die) : null,
    shots.length
      ? h(
          'ol.shots',
          { 'aria-label': t.t('game.battle.shots') },
          shots
            .slice(-SHOWN)
            .toReversed()
            .map((shot) =>
              h(
                'li',
                { class: `side-${shot.side}` },
                dieFace(shot.roll, shot.hit),
                h('span', {}, shotText(ctx, shot)),
              ),
            ),
        )
      : null,
  )
}

/** @param {Ctx} ctx @param {number} n */
export const mean = (ctx, n) => new Intl.NumberFormat(ctx.texts.lang, { maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(n)

/** What a round costs each side on average: what the other hits. @param {Ctx} ctx @param {[any, any]} lines @param {number} die */
export function losses(ctx, [one, other], die) {
  const t = ctx.texts
  const cost = (/** @type {any} */ line, /** @type {any} */ foe) =>
    h('span', { class: `side-${line.side}` }, h('b', {}, mean(ctx, expected(foe, die))), ' ', t.seat(line.side))
  return h('p.losses', {}, h('span', {}, t.t('game.battle.losses')), cost(one, other), cost(other, one))
}

/**
 * The battle in words, for the text view.
 * @param {Ctx} ctx @param {any} battle the fragment @param {Shot[]} shots
 */
export function battleWords(ctx, battle, shots) {
  const t = ctx.texts,
    die = battle.die ?? 6
  const lines = [...battle.lines].sort((a, b) => Number(a.side === battle.attacker) - Number(b.side === battle.attacker))
  return h(
    'section.battle-words',
    {},
    h('h3', {}, t.t('game.battle.title', { at: t.placeName(battle.target) })),
    h('p', {}, battle.round ? t.t('game.battle.round', { n: battle.round }) : t.t('game.battle.lining_up'), ' · ', t.say(battle.order)),
    lines.map((line) => [
      h('h4', {}, t.seat(line.side), ' · ', t.t(line.side === battle.attacker ? 'game.battle.attacker' : 'game.battle.defender')),
      line.slots.length
        ? h(
            'ol',
            {},
            line.slots.map((/** @type {any} */ slot) =>
              h('li', { value: Number(slot.id) }, t.unit(slot.unit), slot.reduced ? ` (${t.t('game.battle.reduced')})` : '', ' · ', t.t('game.battle.chance', { n: chance(slot, die) })),
            ),
          )
        : h('p', {}, t.t('game.battle.lining_up')),
    ]),
    battle.fort ? h('p', {}, t.unit(battle.fort.id), battle.fort.reduced ? ` (${t.t('game.battle.reduced')})` : '') : null,
    lines.every((line) => line.slots.length) && lines.length === 2 ? losses(ctx, [lines[0], lines[1]], die) : null,
    shots.length ? h('ol', { 'aria-label': t.t('game.battle.shots') }, shots.slice(-SHOWN).toReversed().map((shot) => h('li', {}, shotText(ctx, shot)))) : null,
  )
}

/** What of its shots hits, in hundredths. @param {{factor: number}} slot @param {number} die */
export const chance = (slot, die) => Math.round((100 * Math.min(slot.factor, die)) / die)

/** @param {Ctx} ctx @param {Shot} shot */
const shotText = (ctx, shot) => ctx.texts.t(shot.hit ? 'game.battle.hit' : 'game.battle.miss', { unit: shot.unit, target: shot.target, roll: shot.roll })

/** @param {Ctx} ctx @param {any} line @param {number} die @param {Shot[]} shots @param {'attacker' | 'defender'} role */
function row(ctx, line, die, shots, role) {
  const t = ctx.texts
  const slots = new Map(line.slots.map((/** @type {any} */ slot) => [String(slot.id), slot]))
  return h(
    'div.line-up',
    { class: `side-${line.side} ${role}` },
    h('p.who', {}, h('b', {}, t.seat(line.side)), h('small', {}, t.t(`game.battle.${role}`)), line.slots.length ? h('span.mean', {}, t.t('game.battle.expected', { n: mean(ctx, expected(line, die)) })) : null),
    h(
      'ol.slots',
      {},
      Array.from({ length: SLOTS }, (_, i) => {
        const slot = slots.get(String(i + 1))
        const last = slot ? shots.findLast((shot) => shot.unit === slot.unit) : null
        return h(
          'li',
          { class: slot ? '' : 'free', title: slot ? `${t.unit(slot.unit)}: ${t.t('game.battle.chance', { n: chance(slot, die) })}` : '' },
          h('span.no', {}, i + 1),
          slot ? ctx.mini(slot.unit, { size: 46, badges: slot.reduced ? ['reduced'] : [] }) : null,
          slot ? h('small.chance', {}, `${chance(slot, die)} %`) : null,
          last ? dieFace(last.roll, last.hit) : null,
        )
      }),
    ),
  )
}
