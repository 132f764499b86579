// @ts-check
// The pane of figures: strength and losses as lines, dice as bars beside what was to be expected.
import { fill, h, s, styled } from './dom.js'
import { dice, fights, samples } from './figures.js'
import { roman } from './log.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

const WIDTH = 332,
  HIGH = 132,
  LEFT = 30,
  TOP = 10,
  FOOT = 18

styled('charts')

/** @param {Ctx} ctx @param {HTMLElement} host @param {import('./store.js').Entry[]} entries @param {string[]} seats */
export function drawCharts(ctx, host, entries, seats) {
  const t = ctx.texts
  const told = samples(entries, seats, ctx.lost)
  const thrown = dice(entries),
    fought = fights(entries)
  fill(
    host,
    told.length > 1
      ? [
          lines(ctx, 'strength', told.map((p) => ({ turn: p.turn, of: p.strength })), seats),
          lines(ctx, 'lost', told.map((p) => ({ turn: p.turn, of: p.lost })), seats),
        ]
      : h('p.empty', {}, t.t('game.charts.empty')),
    Object.keys(fought).length ? battles(ctx, fought) : null,
    seats.filter((seat) => thrown[seat]).map((seat) => thrown[seat].map((die) => bars(ctx, seat, die))),
  )
}

/** @param {Ctx} ctx @param {string} what @param {{turn: number, of: Record<string, number>}[]} points @param {string[]} seats */
function lines(ctx, what, points, seats) {
  const t = ctx.texts
  const most = Math.max(1, ...points.flatMap((p) => Object.values(p.of)))
  const step = [1, 2, 5, 10, 20, 50, 100].find((n) => most / n <= 4) ?? 200
  const top = Math.ceil(most / step) * step
  const x = (/** @type {number} */ i) => LEFT + (i * (WIDTH - LEFT - 8)) / Math.max(1, points.length - 1)
  const y = (/** @type {number} */ v) => TOP + (HIGH - TOP - FOOT) * (1 - v / top)
  const svg = s('svg', { class: 'lines', viewBox: `0 0 ${WIDTH} ${HIGH}`, role: 'img', 'aria-label': t.t(`game.charts.${what}`) })
  for (let v = 0; v <= top; v += step)
    svg.append(s('path', { class: 'grid', d: `M${LEFT} ${y(v)}H${WIDTH - 8}` }), s('text', { class: 'axis', x: LEFT - 6, y: y(v) + 4, 'text-anchor': 'end' }, v))
  points.forEach((p, i) => {
    if (p.turn === points[i - 1]?.turn) return
    svg.append(s('path', { class: 'grid', d: `M${x(i)} ${TOP}V${HIGH - FOOT}` }), s('text', { class: 'axis', x: x(i), y: HIGH - 4, 'text-anchor': 'middle' }, roman(p.turn)))
  })
  seats.forEach((seat, n) => {
    const d = points.map((p, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(p.of[seat]).toFixed(1)}`).join('')
    svg.append(s('path', { class: `series side-${seat}`, d, 'stroke-dasharray': n ? '7 3' : 'none' }))
  })
  const last = points[points.length - 1]
  return h(
    'section',
    {},
    h('h3', {}, t.t(`game.charts.${what}`)),
    h(
      'ul.legend',
      {},
      seats.map((seat, n) =>
        h(
          'li',
          { class: `side-${seat}` },
          s('svg', { width: 26, height: 8, viewBox: '0 0 26 8', 'aria-hidden': 'true' }, s('path', { class: `series side-${seat}`, d: 'M0 4H26', 'stroke-dasharray': n ? '7 3' : 'none' })),
          t.seat(seat),
          h('b', { data: { figure: `${what}-${seat}` } }, last.of[seat]),
        ),
      ),
    ),
    svg,
  )
}

/** @param {Ctx} ctx @param {Record<string, import('./figures.js').Fights>} fought */
function battles(ctx, fought) {
  const t = ctx.texts
  const decimal = (/** @type {number} */ n) => t.numbers.format(Math.round(n * 10) / 10)
  return h(
    'section',
    {},
    h('h3', {}, t.t('game.charts.fights')),
    h('p', {}, t.t('game.charts.fights_what')),
    h(
      'table.table-rows.figures',
      {},
      h('thead', {}, h('tr', {}, ['attacker', 'n', 'given', 'taken'].map((name) => h('th', { scope: 'col' }, t.t(`game.charts.${name}`))))),
      h(
        'tbody',
        {},
        Object.entries(fought).map(([seat, of]) =>
          h(
            'tr',
            { data: { figure: `fights-${seat}` } },
            h('td', {}, t.seat(seat)),
            h('td', {}, of.fights),
            h('td', {}, of.given, ' ', h('small', {}, decimal(of.expectedGiven))),
            h('td', {}, of.taken, ' ', h('small', {}, decimal(of.expectedTaken))),
          ),
        ),
      ),
    ),
  )
}

/** @param {Ctx} ctx @param {string} seat @param {import('./figures.js').Thrown} die */
function bars(ctx, seat, die) {
  const t = ctx.texts,
    expected = die.chances.map((chance) => chance * die.n)
  const high = 70,
    base = high + 16,
    most = Math.max(1, ...expected, ...die.faces)
  const step = WIDTH / die.faces.length,
    wide = Math.min(24, step * 0.7)
  const mean = (/** @type {number} */ n) => t.numbers.format(Math.round(n * 100) / 100)
  const svg = s('svg', { class: 'chart dice', viewBox: `0 0 ${WIDTH} ${base + 16}`, role: 'img', 'aria-label': t.t('game.charts.dice_of', { side: seat, dice: die.name }) })
  const level = expected.map((n, i) => `${i ? 'L' : 'M'}${i * step} ${base - (high * n) / most}h${step}`).join('')
  svg.append(s('path', { class: 'expected', d: level }))
  die.faces.forEach((n, i) => {
    const x = i * step + (step - wide) / 2,
      tall = (high * n) / most
    svg.append(
      s('rect', { class: `die-bar side-${seat}`, x, y: base - tall, width: wide, height: tall }),
      s('text', { class: 'v', x: x + wide / 2, y: base - tall - 4 }, n),
      s('text', { class: 'die', x: x + wide / 2, y: base + 13 }, die.low + i),
    )
  })
  svg.append(s('path', { class: 'rule', d: `M0 ${base + 0.5}H${WIDTH}` }))
  return h(
    'section',
    { class: `side-${seat}`, data: { figure: `dice-${seat}` } },
    h('h3', {}, t.t('game.charts.dice_of', { side: seat, dice: die.name })),
    h('p', {}, t.t('game.charts.dice', { n: die.n, mean: mean(die.sum / die.n), expected: mean(die.mean) })),
    svg,
  )
}
