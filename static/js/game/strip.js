// @ts-check
// The combat under way as a strip of its steps, each with what fell and what changed it; it stays until the next activation.
import { fill, h, styled } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {{key: string, args?: Record<string, any>}} Said */
/** @typedef {{text: Said, clause: string, modifiers?: {label: Said, clause: string, value: number}[]}} Line */
/** @typedef {{id: string, label: Said, clause: string, state: string, lines: Line[]}} Step */

styled('strip')

/** @param {Ctx} ctx the game as it is, or was @param {HTMLElement} host */
export function showStrip(ctx, host) {
  const { combat } = ctx.store.fragments,
    t = ctx.texts
  host.hidden = !combat
  if (!combat) return fill(host)
  const open = host.querySelector('details')?.open ?? matchMedia('(min-width: 900px)').matches
  const where = h('button.quiet.small', { type: 'button', onclick: () => ctx.focus(combat.target) }, t.placeName(combat.target))
  const steps = /** @type {Step[]} */ (combat.steps)
  fill(
    host,
    h(
      'details.strip',
      { open },
      h('summary', {}, h('b', {}, t.say(combat.title)), h('span.beads', { 'aria-hidden': 'true' }, steps.map((step) => h('i', { class: step.state })))),
      where,
      h('ol', {}, steps.map((step) => h('li', { class: `${step.state} ${step.lines.length ? '' : 'bare'}`, 'aria-current': step.state === 'now' ? 'step' : undefined }, h('span.step', {}, t.say(step.label), ' ', ctx.clause(step.clause)), once(ctx, step.lines).map((line) => told(ctx, line))))),
    ),
  )
}

/** Lines that say the same one after another are said once. @param {Ctx} ctx @param {Line[]} lines @returns {Line[]} */
const once = ({ texts: t }, lines) => lines.filter((line, i) => line.modifiers?.length || !i || t.say(line.text) !== t.say(lines[i - 1].text))

/** What fell in a step, and what changed it. @param {Ctx} ctx @param {Line} line */
function told(ctx, { text, modifiers }) {
  const t = ctx.texts
  const parts = (modifiers ?? []).map((m) => h('span', { title: m.clause }, t.say(m.label), ' ', h('b', {}, t.signed(m.value))))
  return h('p', {}, t.say(text), parts.length ? h('small.parts', {}, parts) : null)
}
