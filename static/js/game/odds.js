// @ts-check
// The odds of one attack: strengths, modifiers, and what each face of the die would do.
import { button, h, s } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

const WIDTH = 332
/** Room for the tallest bar above the row of dice and below it; less of it where the panel lies under the map or the window is low, so that ratio and chart are seen together. */
const ROOMY = { up: 48, down: 44 },
  LOW = { up: 26, down: 18 }

/**
 * @param {Ctx} ctx
 * @param {import('./protocol.js').Odds} odds section 5 of the protocol
 * @param {{whatIf?: boolean, onclose?: () => void, head?: any, foot?: any}} [opts] what stands below its title, and at its foot
 */
export function oddsPanel(ctx, odds, { whatIf = true, onclose, head, foot } = {}) {
  const t = ctx.texts
  return h(
    'section.odds',
    { 'aria-label': t.t('game.odds.title', { at: odds.target }) },
    h(
      'header',
      {},
      h('h2', {}, t.t('game.odds.title', { at: t.placeName(odds.target) })),
      h(
        'span.tag',
        {},
        t.t(odds.rolled !== undefined ? 'game.odds.rolled' : whatIf ? 'game.odds.what_if' : 'game.odds.declared', { roll: odds.rolled }),
      ),
      onclose ? h('button.x', { type: 'button', 'aria-label': t.t('game.tray.close'), onclick: onclose }, '×') : null,
      head,
      odds.assumed ? h('p', {}, t.t('game.odds.assumed')) : null,
    ),
    h(
      'div.ratio',
      {},
      h('div', {}, h('b', {}, odds.attack), h('small', {}, t.t('game.odds.attack'))),
      h('div.big', {}, odds.ratio ? odds.ratio.replace(':', ' : ') : '–'),
      h('div', {}, h('b', {}, odds.defense ?? '?'), h('small', {}, t.t('game.odds.defense'))),
    ),
    odds.faces?.length || Number(odds.mean?.defender) ? h('div.result', {}, stats(ctx, odds), odds.faces?.length ? chart(ctx, odds) : null) : null,
    odds.drawn ? theatre(ctx, odds.drawn) : null,
    h(
      'div.forces',
      {},
      odds.sides.attack.map((f) => force(ctx, f, false)),
      odds.sides.defense.map((f) => force(ctx, f, true)),
    ),
    modifiers(ctx, odds),
    odds.notes?.length || foot || odds.table
      ? h(
          'footer',
          {},
          foot,
          odds.table ? button(t.t('game.odds.table'), () => document.querySelector('#tabs [data-key=tables]')?.dispatchEvent(new MouseEvent('click')), { class: 'quiet small', key: 'odds-table' }) : null,
          h(
            'ul.notes',
            {},
            (odds.notes ?? []).filter((n) => !n.drawn).map((n) => h('li', {}, t.say(n), ' ', n.clause ? ctx.clause(n.clause) : null)),
          ),
        )
      : null,
  )
}

/** What both sides drew; it comes with its module. @param {Ctx} ctx @param {import('./protocol.js').Drawn[]} drawn */
function theatre(ctx, drawn) {
  const host = h('div.theatre', { role: 'group', 'aria-label': ctx.texts.t('game.odds.drawn') })
  void import('./theatre.js').then((module) => module.draw(ctx, host, drawn)).catch(() => null)
  return host
}

/** @param {Ctx} ctx @param {import('./protocol.js').Force} f @param {boolean} foe */
function force(ctx, f, foe) {
  const sum = f.units.reduce((n, u) => n + (u.counts ?? u.value ?? 0), 0)
  return h(
    'div.force',
    { class: foe ? 'foe' : '' },
    h('button.place', { type: 'button', onclick: () => ctx.focus(f.at) }, /^[A-Z]?\d+$/.test(f.at) ? f.at : ctx.texts.placeName(f.at)),
    h(
      'span.units',
      {},
      f.units.map((u) =>
        h(
          'span.u',
          { title: unitTitle(ctx, u), class: u.counts !== undefined && u.counts < u.value ? 'part' : '' },
          ctx.mini(u.id, { size: 34 }),
        ),
      ),
      f.unknown ? h('span.seen', {}, ctx.texts.t(f.units.length ? 'game.odds.and_unknown' : 'game.odds.unknown', { n: f.unknown })) : null,
    ),
    h('b', {}, sum || (f.unknown ? '?' : 0)),
  )
}

/** @param {Ctx} ctx @param {any} u */
function unitTitle(ctx, u) {
  const name = ctx.texts.unit(u.id)
  return u.counts !== undefined && u.counts !== u.value
    ? ctx.texts.t('game.odds.counts', { unit: name, counts: u.counts, value: u.value })
    : `${name}: ${u.value}`
}

/** @param {Ctx} ctx @param {import('./protocol.js').Odds} odds */
function modifiers(ctx, odds) {
  const t = ctx.texts
  return h(
    'table.mods',
    {},
    h('caption.vh', {}, t.t('game.odds.modifiers')),
    h(
      'tbody',
      {},
      odds.modifiers.map((m) =>
        h(
          'tr',
          { class: m.value ? '' : 'mute' },
          h('td', {}, ctx.clause(m.clause)),
          h('td', {}, t.say(m.label), m.if ? h('small', {}, t.t(m.if)) : null),
          h('td', {}, t.signed(m.value)),
        ),
      ),
      odds.total === null ? null : h('tr.sum', {}, h('td'), h('td', {}, t.t('game.odds.total')), h('td', {}, t.signed(odds.total))),
    ),
  )
}

/** @param {Ctx} ctx @param {import('./protocol.js').Odds} odds */
function stats(ctx, odds) {
  const t = ctx.texts
  const best = odds.faces.filter((f) => f.clears).map((f) => f.roll)
  const chance = Math.round((100 * odds.clears.n) / odds.clears.of)
  return h(
    'div.stats',
    {},
    odds.clears.of ? h('div', {}, h('b', {}, `${chance} %`), h('small', {}, t.t('game.odds.clears'))) : null,
    h('div', {}, h('b', {}, number(t, odds.mean.defender), ' · ', number(t, odds.mean.attacker)), h('small', {}, t.t('game.odds.mean'))),
    best.length
      ? h('div', {}, h('b', {}, t.t('game.odds.at_least', { n: Math.min(...best) })), h('small', {}, t.t('game.odds.needed')))
      : null,
  )
}

/** @param {import('./texts.js').Texts} t @param {string} text a decimal with a point */
const number = (t, text) => t.numbers.format(Number(text))

/** One bar per face: up what they lose, down what we lose. @param {Ctx} ctx @param {import('./protocol.js').Odds} odds */
function chart(ctx, odds) {
  const t = ctx.texts,
    faces = odds.faces
  const step = (WIDTH - 8) / faces.length,
    width = Math.min(23, step * 0.71)
  const theirs = Math.max(1, ...faces.map((f) => f.defender)),
    ours = Math.max(1, ...faces.map((f) => f.attacker))
  const all = t.t('game.odds.all')
  const room = matchMedia('(max-width: 900px), (max-height: 960px)').matches ? LOW : ROOMY
  const base = room.up + 30,
    tall = base + room.down + 50
  const up = room.up / theirs,
    down = room.down / ours
  const svg = s(
    'svg',
    { class: 'chart', viewBox: `0 0 ${WIDTH} ${tall}`, role: 'img', 'aria-label': t.t('game.odds.chart') },
    s('path', { class: 'rule', d: `M0 ${base + 0.5}h${WIDTH}M0 ${base + 20.5}h${WIDTH}` }),
    s('text', { class: 'axis', x: 0, y: 10 }, t.t('game.odds.axis_them')),
    s('text', { class: 'axis', x: WIDTH, y: tall - 3, 'text-anchor': 'end' }, t.t('game.odds.axis_us')),
  )
  faces.forEach((face, i) => {
    const x = 4 + i * step + (step - width) / 2,
      mid = x + width / 2,
      gone = face.clears && !face.back,
      lit = odds.rolled === face.roll
    const high = face.defender * up,
      deep = face.attacker * down
    svg.append(
      s(
        'g',
        { class: `face${lit ? ' lit' : ''}${odds.rolled !== undefined && !lit ? ' dim' : ''}` },
        s('title', {}, t.t('game.odds.face', { roll: face.roll, row: face.row, defender: face.defender, attacker: face.attacker })),
        lit ? s('rect', { class: 'spot', x: mid - step / 2, y: 16, width: step, height: tall - 32, rx: 3 }) : null,
        s('rect', { class: `them${face.clears ? ' full' : ''}`, x, y: base - high, width, height: high }),
        s('text', { class: gone && all.length > 3 ? 'v long' : 'v', x: mid, y: base - high - 4 }, gone ? all : face.defender),
        s('rect', { class: 'us', x, y: base + 21, width, height: deep }),
        s('text', { class: 'v', x: mid, y: base + 21 + deep + 12 }, face.attacker),
        s('text', { class: 'die', x: mid, y: base + 15 }, face.roll),
      ),
    )
  })
  return svg
}
