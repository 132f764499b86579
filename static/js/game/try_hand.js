// @ts-check
// A position put by hand: counters picked up and put down, and what else of it can be set. What may be put is the
// server's word; what can't be is said as in the lab, and waits for what makes it possible.
import { button, byId, fill, h } from './dom.js'
import { levelOf, nested, stanceOf, stores } from './try_states.js'

/** @typedef {import('./try_page.js').TryPage} TryPage */
/** @typedef {{field: string, kind: string, now: any, low: number, high: number, step?: number, options: any[], rows: any[], off: string[], of: string[] | null, whole: Record<string, string> | null, flags: string[], formations: Record<string, string[]>}} Field */

const SHOWN = 60 // counters of the tray at once

export class Hand {
  /** @param {TryPage} page */
  constructor(page) {
    this.page = page
    /** @type {Set<string>} in hand */
    this.taken = new Set()
    /** @type {Field[]} */
    this.fields = []
    /** @type {Record<string, any>} what was put since the hand began */
    this.position = {}
    /** @type {{change: Record<string, any>, words: string, clause: Node | null} | null} what can't be yet */
    this.waits = null
    /** @type {{field: Field, value: string | null} | null} what a tap on a space sets */
    this.brush = null
    this.amount = 1 // that a tap lays
    /** @type {string | null} the stack that is open */
    this.at = null
    this.typed = ''
    /** @type {Promise<void>} the change before: the next one is made of what stands after it */
    this.before = Promise.resolve()
    /** @type {Map<string, string>} where each counter is */
    this.where = new Map()
  }

  get t() {
    return this.page.texts
  }

  async open() {
    await this.load()
    const t = this.t
    const done = () => this.close()
    this.page.decision.hold({
      title: t.t('boards.by_hand'),
      hint: t.t('boards.hand_pick'),
      acts: [button(t.t('boards.hand_done'), done, { class: 'go', key: 'hand-done' })],
      go: done,
    })
    this.draw()
  }

  close() {
    this.page.hand = null
    this.page.board.select({})
    this.page.decision.hold(null)
    this.page.drawBoard()
  }

  async load() {
    const { api, board_ } = this.page
    const said = await api.get('/hand', { node: board_.node })
    this.fields = said.fields
    this.position = said.position
  }

  /** @returns {Map<string, string>} where each counter is: its space, or the title of what it lies in */
  places() {
    const { store, texts } = this.page
    const found = new Map()
    for (const [loc, space] of store.kind('space'))
      for (const { id } of [...(space.units ?? []), ...(space.markers ?? [])]) if (id) found.set(id, loc)
    for (const [, pool] of store.kind('pool')) for (const { id } of pool.units ?? []) found.set(id, texts.say(pool.title))
    return found
  }

  /** @param {string} unit @returns {Field | undefined} */
  fieldOf(unit) {
    const pieces = this.fields.filter((f) => f.kind === 'pieces')
    return pieces.find((f) => f.of?.includes(unit)) ?? pieces.find((f) => !f.of)
  }

  /** @returns {string[]} all that can be put, by name */
  pieces() {
    const named = this.fields.filter((f) => f.kind === 'pieces').flatMap((f) => f.of ?? Object.keys(this.page.parts.units))
    return [...new Set(named)]
  }

  /** @param {string | null} loc */
  tap(loc) {
    if (!loc) {
      this.taken.clear()
      this.at = null
      return this.draw()
    }
    if (this.brush) return this.paint(loc)
    if (this.taken.size) return this.down(loc)
    const here = this.pieces().filter((unit) => this.where.get(unit) === loc)
    this.at = here.length ? loc : null
    if (here.length === 1) this.taken.add(here[0])
    this.draw()
  }

  /** @param {string} loc */
  paint(loc) {
    const { field, value } = /** @type {NonNullable<typeof this.brush>} */ (this.brush)
    if (field.kind === 'holders') return this.put({ [field.field]: { [loc]: value } })
    if (field.kind === 'stores') return this.put({ [field.field]: nested(value ?? '', { [loc]: this.amount }) })
    if (field.kind === 'stands') return this.put({ [field.field]: { [loc]: field.now[loc] === value ? null : value } })
    this.put({ [field.field]: field.now.includes(loc) ? field.now.filter((/** @type {string} */ one) => one !== loc) : [...field.now, loc] })
  }

  /** What is in hand goes to a space, or off the map. @param {string | null} place null: away from where only those stand that are named */
  down(place) {
    /** @type {Record<string, any>} */
    const change = {}
    for (const unit of this.taken) {
      const field = this.fieldOf(unit)
      const how = place && this.page.texts.names.places.has(place) ? this.fields.find((f) => f.kind === 'stances')?.now[unit] : null
      if (field) change[field.field] = { ...change[field.field], [unit]: how ? `${place}@${how.split('@')[1]}` : place }
    }
    this.taken.clear()
    this.put(change)
  }

  /** One more change, with those that wait, once those before it are made. @param {Record<string, any>} change */
  put(change) {
    return this.next(() => this.made(change))
  }

  /** @param {() => Promise<void>} deed @returns {Promise<void>} */
  next(deed) {
    const done = this.before.then(deed)
    this.before = done.catch(() => {})
    return done
  }

  /** @param {Record<string, any>} change */
  async made(change) {
    const { page } = this
    const all = this.merged(this.waits?.change ?? {}, change)
    try {
      const said = await page.api.post('/put', { node: page.board_.node, position: this.whole(all) })
      this.waits = null
      page.board_.whole(said)
      await this.load()
    } catch (error) {
      const { key, args, message, clause } = /** @type {any} */ (error)
      if (!key) throw error
      this.waits = { change: all, words: message ?? this.t.t(key, args), clause: clause ? page.clauses.link(clause) : null }
    }
    this.draw()
  }

  /** @param {Record<string, any>} base @param {Record<string, any>} change @returns {Record<string, any>} */
  merged(base, change) {
    const out = { ...base }
    for (const [name, value] of Object.entries(change)) out[name] = value && typeof value === 'object' && !Array.isArray(value) ? this.merged(out[name] ?? {}, value) : value
    return out
  }

  /** The position with a change; of a field that names all that stand, who is nowhere is left out. @param {Record<string, any>} change */
  whole(change) {
    const base = { ...this.position }
    for (const { field, whole } of this.fields) if (whole && field in change) base[field] = whole
    const out = this.merged(base, change)
    for (const { field, whole } of this.fields)
      if (whole && out[field]) out[field] = Object.fromEntries(Object.entries(out[field]).filter(([, loc]) => loc !== null))
    return out
  }

  draw() {
    this.where = this.places()
    const t = this.t
    /** @type {Record<string, string[]>} */
    const lifted = {}
    for (const unit of this.taken) {
      const loc = this.where.get(unit)
      if (loc && this.page.store.space(loc)) (lifted[loc] ??= []).push(unit)
    }
    this.page.board.select(lifted)
    const typing = document.activeElement // who types in a field keeps it
    if (typing instanceof HTMLInputElement && typing.closest('.hand-fields') && typing.type !== 'checkbox') return typing.addEventListener('blur', () => this.page.hand === this && this.draw(), { once: true })
    const here = this.page.around.nodes.find((/** @type {any} */ n) => n.id === this.page.around.node)
    fill(byId('pane-board'), [
      this.waits && h('p.hand-waits', { role: 'alert' }, this.waits.words, ' ', this.waits.clause, ' ', button(t.t('boards.drop'), () => this.drop(), { class: 'small quiet', key: 'drop' })),
      this.taken.size ? this.inHand() : null,
      this.tray(),
      h('div.board-acts', {}, [
        here?.parent !== null && button(t.t('boards.back'), () => this.back(here.parent), { key: 'back' }),
        button(t.t('boards.all_off'), () => this.put({ clear: true, units: {} }), { key: 'all-off' }),
      ]),
      h('div.hand-fields', {}, this.fields.map((field) => this.control(field))),
    ])
  }

  drop() {
    this.waits = null
    this.draw()
  }

  /** @param {number} node */
  back(node) {
    return this.next(async () => {
      this.waits = null
      await this.page.goto(node)
      await this.load()
      this.draw()
    })
  }

  inHand() {
    const t = this.t
    const taken = [...this.taken]
    const off = this.fieldOf(taken[0])
    const marks = this.fields.filter((f) => f.kind === 'marked')
    return h(
      'div.in-hand',
      {},
      h('p', { role: 'status' }, t.t('boards.hand_took', { units: taken.map((unit) => t.unit(unit)) })),
      h('div.board-acts', {}, [
        ...(off?.off ?? []).slice(0, 4).map((box) => button(this.box(box), () => this.down(box), { class: 'small', key: `off-${box}` })),
        (off?.off.length ?? 0) > 4 && this.choice(t.t('boards.take_off'), off?.off ?? [], (box) => this.box(box), null, (box) => this.down(box)),
        off?.whole && button(t.t('boards.take_off'), () => this.down(null), { class: 'small', key: 'off' }),
        ...marks.map((field) => button(this.label(field), () => this.mark(field), { class: 'small', pressed: taken.every((unit) => field.now.includes(unit)), key: `mark-${field.field}` })),
      ]),
      h('div.hand-each', {}, this.fields.map((field) => (field.kind === 'levels' ? levelOf(this, field, taken) : field.kind === 'stances' ? stanceOf(this, field, taken) : null))),
    )
  }

  /** @param {Field} field */
  mark(field) {
    const taken = [...this.taken]
    const off = taken.every((unit) => field.now.includes(unit))
    const others = field.now.filter((/** @type {string} */ unit) => !this.taken.has(unit))
    this.put({ [field.field]: off ? others : [...others, ...taken] })
  }

  /** @param {string} box */
  box(box) {
    const t = this.t
    const [name, of] = box.split(':')
    return !of || Number(of) ? t.t(`hand.off.${name}`, of ? { n: Number(of) } : {}) : t.t(`hand.off.${of}`)
  }

  /** @param {Field} field */
  label({ field }) {
    return this.t.t(`hand.${field}`)
  }

  /** @param {string} label @param {string[]} ids @param {(id: string) => string} words @param {string | null} now @param {(id: string) => void} chosen */
  choice(label, ids, words, now, chosen) {
    const known = now !== null && ids.includes(now)
    return h(
      'label',
      {},
      h('span', {}, label),
      h(
        'select',
        { 'aria-label': label, onchange: (/** @type {Event} */ e) => /** @type {HTMLSelectElement} */ (e.target).value && chosen(/** @type {HTMLSelectElement} */ (e.target).value) },
        [known ? null : h('option', { value: '' }, '–'), ...ids.map((id) => h('option', { value: id, selected: id === now }, words(id)))],
      ),
    )
  }

  /** @param {string} label @param {number} now @param {number} low @param {number} high @param {(n: number) => void} set */
  number(label, now, low, high, set, step = 1) {
    const input = h('input', { type: 'number', value: now, min: low, max: high, step, 'aria-label': label })
    input.addEventListener('change', () => set(Number(/** @type {HTMLInputElement} */ (input).value)))
    return h('label', {}, h('span', {}, label), input)
  }

  /** @param {Field} field */
  control(field) {
    const t = this.t
    const set = (/** @type {any} */ value) => this.put({ [field.field]: value })
    const name = this.label(field)
    if (field.kind === 'number') return this.number(name, field.now, field.low, field.high, set)
    if (field.kind === 'one_of') {
      const words = new Map(field.options.map((/** @type {any} */ o) => [String(o.id), { id: o.id, label: t.say(o.label) }])) // an id may be a number, or null
      return this.choice(name, [...words.keys()], (id) => words.get(id)?.label ?? id, String(field.now), (id) => set(words.get(id)?.id))
    }
    if (field.kind === 'flag')
      return h('label.flag', {}, h('input', { type: 'checkbox', checked: field.now, onchange: () => set(!field.now) }), h('span', {}, name))
    if (field.kind === 'numbers')
      return h('fieldset', {}, h('legend', {}, name), field.rows.map((row) => this.number(this.row(field, row.id), row.now, row.low, row.high, (n) => set({ [row.id]: n }), field.step)))
    if (field.kind === 'holders')
      return h('fieldset', {}, h('legend', {}, name), h('div.board-acts', {}, field.options.map((side) => this.brushFor(field, side, t.seat(side)))))
    if (field.kind === 'stands')
      return h('fieldset', {}, h('legend', {}, name), h('div.board-acts', {}, field.options.map((kind) => this.brushFor(field, kind, t.t(`hand.${field.field}.${kind}`)))))
    if (field.kind === 'choices') return this.choices(field)
    if (field.kind === 'some') return h('fieldset', {}, h('legend', {}, name), this.several(field.field, '', field, set))
    if (field.kind === 'stores') return stores(this, field)
    if (field.kind === 'lists') return h('fieldset', {}, h('legend', {}, name), field.rows.map((row) => this.list(field, row)))
    if (field.kind === 'groups') return this.groups(field)
    if (field.kind === 'spots') return h('fieldset', {}, h('legend', {}, name), this.brushFor(field, null, t.t('boards.mark_spaces')))
    return null
  }

  /** What a piece, a card or a space is called. @param {string} id */
  piece(id) {
    const t = this.t
    for (const kind of ['command', 'marker', 'seat']) if (t.has(`${kind}.${id}`)) return t.t(`${kind}.${id}`)
    return t.has(`card.${id}.title`) ? `${id} ${t.t(`card.${id}.title`)}` : this.page.parts.units[id] ? t.unit(id) : t.place(id)
  }

  /** One each, or nothing where there may be nothing; of a row without a name the field itself. @param {Field} field */
  choices(field) {
    const set = (/** @type {string} */ id, /** @type {string | null} */ value) => this.put({ [field.field]: id === '' ? value : nested(id, value) })
    const one = (/** @type {any} */ row) => [
      this.choice(row.id === '' ? this.label(field) : this.row(field, row.id), row.options, (id) => this.piece(id), row.now, (id) => set(row.id, id)),
      row.id.includes(':') && row.now ? this.away(() => set(row.id, null), `none-${field.field}-${row.id}`, this.row(field, row.id)) : null,
    ]
    return field.rows.length === 1 && field.rows[0].id === '' ? h('div', {}, one(field.rows[0])) : h('fieldset', {}, h('legend', {}, this.label(field)), field.rows.map(one))
  }

  /** Several of a list: those there are, each to be taken out, and one more. @param {Field} field @param {{id: string, now: string[], options: string[]}} row */
  list(field, row) {
    return this.several(field.field, this.row(field, row.id), row, (now) => this.put({ [field.field]: { [row.id]: now } }))
  }

  /** @param {string} name @param {string} words @param {{now: string[], options: string[]}} of @param {(now: string[]) => void} set */
  several(name, words, { now, options }, set) {
    return h(
      'div.hand-list',
      {},
      words ? h('span', {}, words) : null,
      h('ul', {}, now.map((id) => h('li', {}, this.piece(id), ' ', this.away(() => set(now.filter((one) => one !== id)), `out-${name}-${id}`, this.piece(id))))),
      this.choice(this.t.t('boards.hand_add'), options.filter((id) => !now.includes(id)), (id) => this.piece(id), null, (id) => set([...now, id])),
    )
  }

  /** @param {() => void} act @param {string} key @param {string} what */
  away(act, key, what) {
    return button('×', act, { class: 'small quiet', key, title: this.t.t('boards.hand_out', { what }) })
  }

  /** Groups at spaces, with their flags: each can be changed or ended, and one begun where somebody may. @param {Field} field */
  groups(field) {
    const t = this.t,
      set = (/** @type {string} */ at, /** @type {any} */ group) => this.put({ [field.field]: { [at]: group } })
    const tick = (/** @type {string} */ words, /** @type {boolean} */ on, /** @type {() => void} */ turn) => h('label.flag', {}, h('input', { type: 'checkbox', checked: on, onchange: turn }), h('span', {}, words))
    const box = (/** @type {any} */ { id, now, options }) =>
      h(
        'div.hand-list',
        { data: { group: id } },
        h('span', {}, t.placeName(id), ' ', this.away(() => set(id, null), `end-${field.field}-${id}`, t.placeName(id))),
        options.map((/** @type {string} */ unit) => tick(t.unit(unit), now.units.includes(unit), () => set(id, { ...now, units: now.units.includes(unit) ? now.units.filter((/** @type {string} */ one) => one !== unit) : [...now.units, unit] }))),
        field.flags.map((flag) => tick(t.t(`hand.${field.field}.${flag}`), now[flag], () => set(id, { ...now, [flag]: !now[flag] }))),
      )
    const free = field.rows.filter((row) => !row.now)
    return h(
      'fieldset',
      {},
      h('legend', {}, this.label(field)),
      field.rows.filter((row) => row.now).map(box),
      free.length
        ? this.choice(t.t('boards.hand_add'), free.map((row) => row.id), (id) => t.placeName(id), null, (id) => set(id, { units: free.find((row) => row.id === id).options, ...Object.fromEntries(field.flags.map((flag) => [flag, false])) }))
        : null,
    )
  }

  /** @param {Field} field @param {string} id @returns {string} */
  row(field, id) {
    const t = this.t
    if (id.includes(':')) return id.split(':').map((part) => this.row(field, part)).join(' ') // whose, and which
    const key = `hand.${field.field}.${id}`
    return t.has(key) ? t.t(key) : t.has(`seat.${id}`) ? t.seat(id) : t.word(['nation', 'command'].map((kind) => `${kind}.${id}`).find((one) => t.has(one)) ?? id)
  }

  /** @param {Field} field @param {string | null} value @param {string} words */
  brushFor(field, value, words) {
    const on = this.brush?.field.field === field.field && this.brush.value === value
    const turn = () => {
      this.brush = on ? null : { field, value }
      this.taken.clear()
      this.draw()
    }
    return button(words, turn, { class: 'small', pressed: on, key: `brush-${field.field}-${value ?? 'on'}` })
  }

  /** All counters, those of the open stack first, then those off the map. Who types keeps the field: a phone's keyboard
   * goes with one that is drawn anew. */
  tray() {
    const t = this.t
    const list = h('ul', {}, this.found())
    const input = /** @type {HTMLInputElement} */ (h('input', { type: 'search', value: this.typed, placeholder: t.t('boards.hand_find'), 'aria-label': t.t('boards.hand_find'), data: { key: 'find-counter' } }))
    input.addEventListener('input', () => {
      this.typed = input.value
      fill(list, this.found())
      list.scrollTo(0, 0)
    })
    return h('section.hand-tray', { 'aria-label': t.t('hand.units') }, input, list)
  }

  /** The counters that the tray shows now. */
  found() {
    const t = this.t
    const wanted = plain(this.typed)
    const rank = (/** @type {string} */ unit) => (this.where.get(unit) === this.at ? 0 : this.page.store.space(this.where.get(unit) ?? '') ? 2 : 1)
    const open = this.at
    return this.pieces()
      .filter((unit) => (wanted ? plain(`${unit} ${t.unit(unit)}`).includes(wanted) : !open || this.where.get(unit) === open))
      .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }))
      .slice(0, SHOWN)
      .map((unit) => this.counter(unit))
  }

  /** @param {string} unit */
  counter(unit) {
    const t = this.t
    const at = this.where.get(unit)
    const place = at && this.page.store.space(at) ? t.place(at) : (at ?? '')
    const turn = () => {
      if (!this.taken.delete(unit)) this.taken.add(unit)
      this.brush = null
      this.draw()
    }
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', 'aria-pressed': String(this.taken.has(unit)), data: { key: `unit-${unit}` }, onclick: turn },
        this.page.ctx.mini(unit, { size: 40 }),
        h('span', {}, h('b', {}, t.unit(unit)), h('small', {}, place)),
      ),
    )
  }
}

/** Without accents and capitals. @param {string} text */
const plain = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
