// @ts-check
// The printed tables in full; the row and the column are lit that the present question is looked up in.
import { request } from './api.js'
import { byId, fill, h, styled } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {import('./protocol.js').Lookup} Lookup */
/** @typedef {{table: Lookup, faces?: {roll: number, row: number}[], rolled?: number, label?: any}} Look what is looked up, with the faces of the die; for one option of several its label */
/** @typedef {{title: string, columns: string[], head: string[], rows: {key: string, name: string, cells: (string | {clause: string})[]}[]}} Grid */
/** @typedef {{id: string, title: string, clause: string, reconstructed: string | null, grids: Grid[], codes: [string, string][]}} Table */
/** @typedef {{odds?: any, turn?: any, decision?: any}} Asked what the page shows: odds, the checks to come, what is about to be answered */

styled('lookup')

/** @type {Promise<Table[]> | null} */
let all = null
/** The tables that were looked up when they were drawn last. */
let seen = ''
/** Tables that the reader has opened or closed. @type {Map<string, boolean>} */
const open = new Map()

/**
 * @param {Ctx} ctx @param {{now: HTMLElement, all: HTMLElement}} hosts for what is looked up, and for all other tables @param {Asked} asked
 */
export async function showTables(ctx, hosts, asked) {
  const { title, digest } = byId('main').dataset
  all ??= request(`/api/titles/${title}/tables/${ctx.texts.lang}?digest=${digest}`)
  const tables = await all.catch(() => {
    all = null
    return []
  })
  const looks = looksOf(ctx, asked)
  const of = (/** @type {Table} */ table) => looks.filter((look) => look.table.id === table.id)
  const [now, rest] = [tables.filter((table) => of(table).length), tables.filter((table) => !of(table).length)]
  fill(
    hosts.now,
    now.length ? h('section.looked-up', {}, h('h3', {}, ctx.texts.t('game.lookup.now')), now.map((table) => one(ctx, table, of(table)))) : null,
  )
  fill(
    hosts.all,
    rest.length ? h('section', {}, h('h3', {}, ctx.texts.t('game.lookup.all')), rest.map((table) => one(ctx, table, []))) : null,
  )
  bringIn(hosts.now)
  const found = now.map((table) => table.id).join(' ')
  if (found && found !== seen && matchMedia('(max-width: 900px)').matches) hosts.now.querySelector('.where')?.scrollIntoView({ block: 'nearest' })
  seen = found
}

/** What is looked up now: by the question, its options and the answer that is being made, by the odds that are shown, by the checks of the stack in the tray. @param {Ctx} ctx @param {Asked} asked @returns {Look[]} */
function looksOf(ctx, { odds, turn, decision }) {
  const { request: asked } = ctx.store,
    tray = byId('tray')
  const checks = tray.hidden ? [] : (turn?.foretold?.all?.[tray.dataset.at ?? '']?.checks ?? [])
  const options = asked?.mine ? (asked.forms ?? []).flatMap((/** @type {any} */ form) => form.options ?? []) : []
  return [asked?.mine ? asked : null, ...options, decision?.active?.preview?.effect, odds, ...checks].filter((one) => one?.table)
}

/** @param {Ctx} ctx @param {Table} table @param {Look[]} looks */
function one(ctx, table, looks) {
  const t = ctx.texts
  const box = /** @type {HTMLDetailsElement} */ (h('details.lookup', { open: open.get(table.id) ?? looks.length > 0, data: { table: table.id } }, h('summary', {}, table.title)))
  const body = () => [
    h('p.dim', {}, ctx.clause(table.clause)),
    table.reconstructed ? h('p.dim', {}, h('b', {}, t.t('game.lookup.ours')), ' ', table.reconstructed) : null,
    looks.map((look) => inWords(ctx.texts, table, look)).map((said) => (said === null ? null : h('p.where', {}, said))),
    table.grids.map((grid) => drawn(ctx, table, grid, looks)),
    table.codes.length ? h('dl', {}, table.codes.map(([code, words]) => [h('dt', {}, code), h('dd', {}, words)])) : null,
  ]
  const fillIn = () => box.open && box.children.length === 1 && box.append(h('div', {}, body()))
  fillIn()
  box.addEventListener('toggle', () => {
    if (box.open !== looks.length > 0 || open.has(table.id)) open.set(table.id, box.open)
    fillIn()
  })
  return box
}

/** The keys of the rows, each with its face of the die where that is known. @param {Look} look @returns {[string, string][]} */
function rowsOf({ table: { rows }, faces = [] }) {
  if (Array.isArray(rows)) return rows.map((key) => ['', key])
  return rows ? Object.entries(rows) : faces.map((face) => [String(face.roll), String(face.row)])
}

/** The row that was rolled. @param {Look} look */
const rolledRow = (look) => rowsOf(look).find(([roll]) => look.rolled !== undefined && roll === String(look.rolled))?.[1]

/** The lit cells in words, for who does not see the light, with the faces of the die that lead there. Where one column alone is meant, what stands in it is said in place of the row's name. @param {Ctx['texts']} texts @param {Pick<Table, 'grids'>} table @param {Look} look @returns {string | null} */
export function inWords(texts, table, look) {
  const found = rowsOf(look),
    keys = new Set(found.map(([, key]) => key)),
    told = found.some(([roll, key]) => roll && roll !== key)
  const grid = table.grids.find((one) => lights(one, look))
  if (!grid) return null
  const at = grid.columns.length === 1 ? 0 : grid.columns.indexOf(look.table.column ?? '')
  const name = (/** @type {Grid['rows'][0]} */ { cells, name, key }) => (typeof cells[at] === 'string' ? cells[at] : name || key)
  const rows = grid.rows.filter((row) => keys.has(row.key))
  const on = (/** @type {string} */ row) => found.filter(([, key]) => rows.some((one) => one.key === key && name(one) === row)).map(([roll]) => roll).join(', ')
  const said = told
    ? [...new Set(rows.map(name))].map((row) => texts.t('game.lookup.on', { row, faces: on(row) })).join('; ')
    : rows.map((row) => row.name || row.key).join(', ')
  return (look.label ? `${texts.say(look.label)}: ` : '') + [grid.head[at], said].filter(Boolean).join(' · ')
}

/** Whether a grid has the column that is meant, and one of the rows. @param {Grid} grid @param {Look} look */
function lights(grid, look) {
  const { column } = look.table
  return (column === undefined || grid.columns.includes(column)) && rowsOf(look).some(([, key]) => grid.rows.some((row) => row.key === key))
}

/** @param {Ctx} ctx @param {Table} table @param {Grid} grid @param {Look[]} looks */
function drawn(ctx, table, grid, looks) {
  const here = looks.filter((look) => lights(grid, look))
  const columns = new Set(here.map((look) => look.table.column)),
    keys = new Set(here.flatMap((look) => rowsOf(look).map(([, key]) => key)))
  const lit = (/** @type {string} */ key, /** @type {string} */ column) =>
    here.filter((look) => [undefined, column].includes(look.table.column) && rowsOf(look).some(([, row]) => row === key))
  const cell = (/** @type {Grid['rows'][0]} */ row, /** @type {string | {clause: string}} */ said, /** @type {number} */ i) => {
    const found = lit(row.key, grid.columns[i])
    const rolled = found.some((look) => rolledRow(look) === row.key)
    return h(
      'td',
      { class: rolled ? 'lit rolled' : found.length ? 'lit' : '', data: { row: row.key, column: grid.columns[i] ?? '' } },
      typeof said === 'string' ? said : said.clause.split(', ').map((id) => [ctx.clause(id), ' ']),
    )
  }
  return [
    grid.title ? h('h4', {}, grid.title) : null,
    h(
      'div.scroll',
      { tabindex: 0, role: 'region', 'aria-label': [table.title, grid.title].filter(Boolean).join(': ') },
      h(
        'table',
        {},
        grid.head.length ? h('thead', {}, h('tr', {}, h('td'), grid.head.map((name, i) => h('th', { scope: 'col', class: columns.has(grid.columns[i]) ? 'lit' : '' }, name)))) : null,
        h(
          'tbody',
          {},
          grid.rows.map((row) => h('tr', {}, row.name ? h('th', { scope: 'row', class: row.key && keys.has(row.key) ? 'lit' : '' }, row.name) : grid.head.length ? h('td') : null, row.cells.map((said, i) => cell(row, said, i)))),
        ),
      ),
    ),
  ]
}

/** What is lit comes into sight within its own box. @param {HTMLElement} host */
function bringIn(host) {
  for (const box of host.querySelectorAll('.looked-up .scroll')) {
    const lit = /** @type {HTMLElement | null} */ (box.querySelector('td.rolled') ?? box.querySelector('td.lit'))
    if (lit && lit.offsetLeft + lit.offsetWidth > box.clientWidth) box.scrollLeft = lit.offsetLeft - box.clientWidth / 2
  }
}
