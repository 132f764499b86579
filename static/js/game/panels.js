// @ts-check
// The fixed panels a view fills: pools of units, tables, boxes; and what the title says of itself.
import { fill, h } from './dom.js'
import { aboutDice } from './sealed.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

/** Units off the map and army boxes. @param {Ctx} ctx @param {HTMLElement} host */
export function drawForces(ctx, host) {
  const t = ctx.texts
  const slots = ctx.store.kind('slots').filter(([, f]) => f.slots.some((/** @type {any} */ slot) => !slot.card))
  const pools = ctx.store.kind('pool').filter(([, f]) => f.units.length)
  const head = (/** @type {any} */ f) => h('span', {}, t.say(f.title), t.has(`seat.${f.side}`) && !t.say(f.title).includes(t.seat(f.side)) ? ` · ${t.seat(f.side)}` : '')
  fill(
    host,
    slots.map(([, f]) =>
      h(
        'section',
        { class: `side-${f.side}` },
        h('h3', {}, head(f)),
        h(
          'ul.boxes',
          {},
          f.slots.map((/** @type {any} */ slot) =>
            h(
              'li',
              {},
              h(
                'button.box',
                { type: 'button', disabled: !slot.at, onclick: () => slot.at && ctx.focus(slot.at) },
                h('b', {}, slot.id),
                h(
                  'small',
                  {},
                  slot.at
                    ? [t.placeName(slot.at), slot.count ? ` · ${slot.count}` : '']
                    : slot.count
                      ? t.t('game.units', { n: slot.count })
                      : t.t('game.box_free'),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    pools.map(([name, f]) =>
      h(
        'section',
        { class: `pool side-${f.side}` },
        h('h3', {}, head(f), h('span.count', {}, f.units.length)),
        h(
          'ul.counters',
          { data: { pool: name } },
          f.units.map((/** @type {any} */ u) =>
            h('li', {}, h('span.counter', { title: t.unit(u.id) }, ctx.mini(u.id, { size: 44, badges: u.badges }))),
          ),
        ),
      ),
    ),
    slots.length + pools.length ? null : h('p.empty', {}, t.t('game.forces.empty')),
  )
}

/** Points, rates, options; above them what is looked up of the printed tables, below them all of these. @param {Ctx} ctx @param {HTMLElement} host @param {import('./lookup.js').Asked} asked */
export async function drawTables(ctx, host, asked) {
  const t = ctx.texts,
    tables = ctx.store.kind('table').filter(([, f]) => f.rows.length)
  const [now, all] = ['now', 'all'].map((name) => /** @type {HTMLElement} */ (host.querySelector(`.printed-${name}`) ?? h(`div.printed-${name}`)))
  fill(
    host,
    now,
    tables.map(([, f]) =>
      h(
        'section',
        {},
        h('h3', {}, t.say(f.title)),
        h(
          'table.table-rows',
          {},
          h(
            'tbody',
            {},
            f.rows.map((/** @type {any} */ row) =>
              h(
                'tr',
                {},
                h('td', {}, t.say(row.label), row.note ? h('small', {}, t.say(row.note)) : null),
                h('td', {}, row.clause ? ctx.clause(row.clause) : null),
                h('td', { class: typeof row.value === 'string' ? 'said' : '' }, cell(t, row.value, row.label.key)),
              ),
            ),
          ),
        ),
      ),
    ),
    all,
  )
  if (!host.hidden) await (await import('./lookup.js')).showTables(ctx, { now, all }, asked)
}

/** A value; a named one is looked up under the name of its row. @param {import('./texts.js').Texts} t @param {any} value @param {string} under */
function cell(t, value, under) {
  if (value === undefined || value === null) return '–'
  return t.has(`${under}.${value}`) ? t.t(`${under}.${value}`) : t.word(value)
}

/** Rulings, and where each table and map comes from. @param {Ctx} ctx @param {HTMLElement} host @param {any} title `GET /api/titles/TITLE` */
export function drawAbout(ctx, host, title) {
  const t = ctx.texts
  const card = ctx.store.card
  fill(
    host,
    h(
      'section',
      {},
      h('h3', {}, t.t('title.name')),
      card?.what_if === false && card.id ? h('p', {}, t.t('game.about.no_what_if')) : null,
      card?.options && Object.keys(card.options).length
        ? h(
            'ul.plain',
            {},
            Object.entries(card.options).map(([k, v]) => h('li', {}, t.t(`option.${k}`), ': ', cell(t, v, `option.${k}`))),
          )
        : null,
    ),
    card?.dice ? aboutDice(ctx, card) : null,
    title?.provenance
      ? h(
          'section',
          {},
          h('h3', {}, t.t('game.about.provenance')),
          h('p', {}, t.t('game.about.provenance_what')),
          h(
            'ul.plain',
            {},
            title.provenance.map((/** @type {any} */ p) =>
              h(
                'li',
                {},
                h('b', {}, part(t, p.id)),
                ' ',
                h('span.tag', {}, t.t(`provenance.${p.source}`)),
                (p.clauses ?? []).map((/** @type {string} */ c) => [' ', ctx.clause(c)]),
                p.note ? h('small', {}, said(t, p.note)) : null,
              ),
            ),
          ),
        )
      : null,
    title?.rulings
      ? h(
          'section',
          {},
          h('h3', {}, t.t('game.about.rulings')),
          h('p', {}, t.t('game.about.rulings_what')),
          h(
            'ul.plain',
            {},
            title.rulings.map((/** @type {any} */ r) => h('li', {}, ctx.clause(r.clause), ' ', said(t, r))),
          ),
        )
      : null,
  )
}

/** What a source line is about: its text, else its own name. @param {import('./texts.js').Texts} t @param {string} id `provenance.FILE.PART` */
const part = (t, id) => (t.has(id) ? t.t(id) : (id.split('.').at(-1) ?? id).replaceAll('_', ' '))

/** A text by language. @param {import('./texts.js').Texts} t @param {Record<string, string>} value */
const said = (t, value) => value[t.lang] ?? value.en
