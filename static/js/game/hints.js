// @ts-check
// What the computer would consider, in a box: up to three answers with their reasons. Only where nobody else plays.
import { button, fill, h, styled } from './dom.js'
import { placeOf } from './stances.js'

styled('hints')

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {{answer: any, label: any, clause: string, options: {label: any, clause: string, warn: any}[], effect: any, needs: any}} Hint */

/** @param {import('./ctrl.js').Game} game @param {string} [of] what is said of them beside what is always said */
export async function showHints(game, of) {
  const { ctx } = game,
    t = ctx.texts
  const list = h('ol.hints', { 'aria-busy': 'true' }, h('li', {}, t.t('game.hint.thinks')))
  const box = /** @type {HTMLDialogElement} */ (
    h(
      'dialog.ask-box',
      {},
      h('h2', {}, t.t('game.hint.title')),
      list,
      h('p.dim', {}, t.t('game.hint.what'), of ? ` ${of}` : ''),
      h('div.acts', {}, button(t.t('game.close'), () => box.close(), { class: 'go', key: 'hints-close' })),
    )
  )
  box.addEventListener('close', () => box.remove())
  document.body.append(box)
  box.showModal()
  try {
    const { hints } = await game.api.get('/hints')
    const look = (/** @type {string} */ at) => {
      box.close()
      game.board.focus(at)
      game.board.flash(at)
    }
    fill(list, hints.length ? hints.map((/** @type {Hint} */ hint) => row(ctx, hint, look)) : h('li', {}, t.t('game.hint.none')))
  } catch (error) {
    box.close()
    game.refused(error)
  }
  list.removeAttribute('aria-busy')
}

/** @param {Ctx} ctx @param {Hint} hint @param {(at: string) => void} look */
function row(ctx, hint, look) {
  const t = ctx.texts
  const stands = placed(ctx, hint.answer)
  const { units, at } = stands.length ? { units: [], at: undefined } : named(ctx, hint.answer)
  return h(
    'li',
    {},
    h('p', {}, h('b', {}, hint.options.length ? hint.options.map((one) => t.say(one.label)).join(', ') : t.say(hint.label)), ' ', ctx.clause(hint.options[0]?.clause ?? hint.clause)),
    units.length || at ? h('p', {}, units.length ? t.say({ key: 'game.hint.with', args: { units } }) : null, units.length && at ? ' ' : null, at ? t.t('game.hint.to', { at: t.placeName(at) }) : null) : null,
    stands.length ? h('ul.placed', {}, stands.map(([loc, ids]) => standing(ctx, loc, ids, look))) : null,
    reasons(ctx, hint).map((reason) => h('p.dim', {}, reason)),
    at ? button(t.t('game.hint.show'), () => look(at), { class: 'small quiet' }) : null,
  )
}

/** What an answer puts where: units by place, as they are put. @param {Ctx} ctx @param {any} answer @returns {[string, string[]][]} */
function placed(ctx, answer) {
  /** @type {Map<string, string[]>} */
  const by = new Map()
  for (const [unit, at] of Object.entries(answer.placed ?? {})) if (ctx.texts.names.units[unit]) by.set(placeOf(at), [...(by.get(placeOf(at)) ?? []), unit])
  return [...by].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
}

/** @param {Ctx} ctx @param {string} loc a place, or a slot of a line @param {string[]} units @param {(at: string) => void} look */
function standing(ctx, loc, units, look) {
  const t = ctx.texts,
    known = t.names.places.has(loc)
  const where = known ? button(t.placeName(loc), () => look(loc), { class: 'small quiet', key: `hint-${loc}` }) : h('b', {}, loc.split(':').at(-1))
  return h('li', {}, where, ' ', t.say({ key: 'game.hint.units', args: { units } }))
}

/** The units of an answer, and the last place that it names. @param {Ctx} ctx @param {any} answer */
function named(ctx, answer) {
  const words = [...wordsOf(answer)],
    { units, places } = ctx.texts.names
  return { units: [...new Set(words.filter((word) => units[word]))], at: words.findLast((word) => places.has(word)) }
}

/** @param {any} value @returns {Iterable<string>} */
function* wordsOf(value) {
  if (typeof value === 'string') yield value
  else if (value && typeof value === 'object')
    for (const [key, one] of Object.entries(value)) {
      if (!Array.isArray(value)) yield key
      yield* wordsOf(one)
    }
}

/** Why, as far as the rules can say it beforehand. @param {Ctx} ctx @param {Hint} hint @returns {any[]} */
function reasons(ctx, { effect, options, needs }) {
  const t = ctx.texts,
    out = []
  const odds = effect.ratio ? effect : null
  const best = [...(effect.attacks ?? [])].sort((a, b) => (b.clears?.n ?? 0) - (a.clears?.n ?? 0))[0]
  if (odds) out.push([t.t('game.hint.odds', { ratio: odds.ratio }), mean(ctx, odds), ...clauses(ctx, odds)])
  if (best) out.push([t.t('game.hint.attacks', { at: t.placeName(best.target), ratio: best.ratio }), mean(ctx, best), ...clauses(ctx, best)])
  if (typeof effect.cost === 'number') out.push(t.t('game.hint.cost', { n: effect.cost }))
  for (const one of options) if (one.warn) out.push(t.say(one.warn))
  if (needs?.least) out.push(t.t('game.hint.needs', { n: needs.least }))
  return out
}

/** @param {Ctx} ctx @param {any} odds */
const mean = (ctx, odds) => (odds.mean && odds.faces?.length ? ` ${ctx.texts.t('game.hint.mean', { given: odds.mean.defender, taken: odds.mean.attacker })}` : '')

/** The clauses of what modifies a roll. @param {Ctx} ctx @param {any} odds */
const clauses = (ctx, odds) => [...new Set((odds.modifiers ?? []).map((/** @type {any} */ m) => m.clause))].flatMap((clause) => [' ', ctx.clause(clause)])
