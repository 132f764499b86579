// @ts-check
// Placing units: the groups as trays of counters, the spaces they may go to lit on the map.
import { button, h } from './dom.js'
import { apart } from './kinds.js'
import { PlaceDraft } from './place.js'
import { Tool } from './tool.js'

/** @typedef {import('./protocol.js').Group} Group */

/** @extends {Tool<import('./protocol.js').PlaceForm>} */
export default class PlaceTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').PlaceForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    this.draft = new PlaceDraft(form)
    /** @type {Set<string>} groups whose counters are folded away */
    this.folded = new Set(form.groups.length > 6 ? form.groups.map((g) => g.id) : [])
    /** @type {string | null} the space whose placed units are shown */
    this.looking = null
  }

  places() {
    return this.form.groups.flatMap((g) => g.where)
  }

  opening() {
    const spaces = Object.values(this.form.suggested)
    return spaces.length ? commonest(spaces) : (this.places()[0] ?? null)
  }

  answer() {
    return this.draft.answer()
  }

  /** @param {string} loc */
  tap(loc) {
    if (this.draft.drop(loc)) this.changed()
    else if (this.draft.picked.size) this.ctx.say(this.draft.shut(loc))
    else if (this.draft.at(loc).length) this.looking = this.looking === loc ? null : loc
    else return false
    this.ctx.redraw()
    return true
  }

  changed() {
    this.weigh()
  }

  back() {
    if (this.draft.picked.size || this.draft.box) this.draft.pick([])
    else if (this.looking) this.looking = null
    else return false
    this.ctx.redraw()
    return true
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    this.draft.restore(answer)
    this.changed()
  }

  prompt() {
    const { ctx, draft } = this
    const t = ctx.texts
    const missing = draft.missing(),
      picked = draft.picked.size
    const problem = missing ? null : this.preview?.problems?.[0]
    return {
      title: null,
      ask: null,
      problem,
      hint: draft.box
        ? t.t('game.place.tap_box', { box: draft.box })
        : picked
          ? t.t('game.place.tap', { n: picked })
          : missing
            ? t.t('game.place.missing', { n: missing })
            : this.standing(),
      acts: [
        Object.keys(this.form.suggested ?? {}).length
          ? button(
              t.t('game.place.suggested'),
              () => {
                draft.suggest()
                this.changed()
                ctx.redraw()
              },
              { class: 'quiet', key: 'suggest' },
            )
          : null,
        draft.empty
          ? null
          : button(
              t.t('game.place.clear'),
              () => {
                draft.clear()
                ctx.keep(null)
                ctx.redraw()
              },
              { class: 'quiet', key: 'clear' },
            ),
        this.go(this.does(), !missing && !draft.empty && !problem),
      ],
    }
  }

  /** Whether something has to be placed. */
  get due() {
    return this.form.groups.some((/** @type {Group} */ g) => g.must)
  }

  /** What its button does. */
  does() {
    const t = this.ctx.texts
    const n = this.draft.placed.size
    return this.due ? t.say(this.form.label) : n ? t.t('game.place.go', { n }) : t.t('game.place.go_nothing')
  }

  /** How far one is, when nothing is due any more. */
  standing() {
    const { texts: t } = this.ctx
    const n = this.draft.placed.size
    const more = this.form.groups.some((/** @type {Group} */ g) => this.draft.capacity(g) > 0)
    return n ? t.t(more ? 'game.place.some' : 'game.place.ready', { n }) : t.t('game.place.none')
  }

  unsent() {
    if (this.draft.empty || this.draft.missing()) return null
    return { label: this.does(), clause: this.form.clause, answer: this.answer() }
  }

  tray() {
    const t = this.ctx.texts
    return this.dock(
      this.due ? t.t('game.place.to_place') : t.say(this.form.label),
      { kind: 'place', head: this.budgets() },
      h(
        'div.scroll',
        {},
        this.looking ? this.placedHere(this.looking) : null,
        this.form.groups.map((g) => this.group(g)),
        this.form.boxes?.length ? this.boxes() : null,
        this.offMap(),
      ),
    )
  }

  budgets() {
    const t = this.ctx.texts,
      spent = this.draft.spent()
    const pools = Object.entries(this.form.pools ?? {})
    if (!pools.length) return null
    return h(
      'p.budgets',
      {},
      pools.map(([pool, have]) =>
        h(
          'span',
          { class: spent[pool] > Number(have) ? 'over' : '' },
          t.t('game.place.budget', { pool: t.has(`pool.${pool}`) ? t.t(`pool.${pool}`) : pool, spent: this.points(spent[pool]), have: this.points(Number(have)) }),
        ),
      ),
    )
  }

  /** Points as people write them, whole or with a half. @param {number} n in wholes or halves, as the form counts them */
  points(n) {
    const { per = 1 } = this.form
    return n % per ? `${Math.floor(n / per) || ''}½` : n / per
  }

  /** @param {Group} group */
  group(group) {
    const { ctx, draft } = this
    const t = ctx.texts
    const waiting = group.units.filter((u) => !draft.placed.has(u))
    const done = group.units.length - waiting.length,
      room = draft.capacity(group)
    const folded = !waiting.length || this.folded.has(group.id),
      more = apart(ctx, this.form.groups, group),
      name = [t.say(group.label), more ? h('small', {}, ` ${more}`) : null]
    return h(
      'section.lot',
      { class: waiting.length ? '' : 'done' },
      h(
        'h3',
        {},
        waiting.length
          ? h(
              'button.fold',
              {
                type: 'button',
                'aria-expanded': String(!folded),
                data: { key: `fold-${group.id}` },
                onclick: () => {
                  if (folded) this.folded.delete(group.id)
                  else this.folded.add(group.id)
                  ctx.redraw()
                },
              },
              name,
            )
          : h('span.tick', {}, name),
        h('span.count', {}, t.t('game.n_of_m', { n: done, m: done + room })),
        ctx.clause(group.clause),
      ),
      folded
        ? null
        : h(
            'p.how',
            {},
            group.cost ? h('span', {}, t.t('game.place.cost', { n: this.points(group.cost) })) : null,
            group.where.length <= 3
              ? h('span', {}, t.t('game.place.only', { where: group.where }))
              : h('span', {}, t.t('game.place.spaces', { n: group.where.length })),
            waiting.length > 1 && room > 1
              ? button(
                  room < waiting.length ? t.t('game.place.pick_first', { n: room }) : t.t('game.place.pick_all'),
                  () => {
                    draft.pick(waiting.slice(0, room))
                    ctx.redraw()
                  },
                  { class: 'small', key: `all-${group.id}` },
                )
              : null,
          ),
      folded
        ? null
        : this.counters(waiting, (id) => {
            const bar = draft.picked.has(id) || draft.more(group) > 0 ? '' : t.t('game.place.no_more', { n: room })
            return {
              on: draft.picked.has(id),
              bar,
              act: () => {
                if (bar) return ctx.toast(bar)
                draft.toggle(id)
                ctx.redraw()
              },
            }
          }),
    )
  }

  /** @param {string} loc */
  placedHere(loc) {
    const { ctx, draft } = this
    const t = ctx.texts,
      ids = draft.at(loc)
    if (!ids.length) return null
    return h(
      'section.lot.here',
      {},
      h('h3', {}, h('span', {}, t.place(loc)), h('span.count', {}, t.t('game.n_of_m', { n: draft.count(loc), m: draft.most(loc) }))),
      h(
        'p.how',
        {},
        h('span', {}, t.t('game.place.lift')),
        button(
          t.t('game.place.lift_all'),
          () => {
            draft.lift(ids)
            this.looking = null
            this.changed()
            ctx.redraw()
          },
          { class: 'small', key: 'lift-all' },
        ),
      ),
      this.counters(ids, (id) => ({
        key: `lift-${id}`,
        act: () => {
          draft.lift([id])
          draft.pick([id])
          if (!draft.at(loc).length) this.looking = null
          this.changed()
          ctx.redraw()
        },
      })),
    )
  }

  /** Places that are not on the map, as buttons, while what is picked may go there; and who is there. */
  offMap() {
    const { ctx, draft } = this
    const t = ctx.texts
    const onMap = (/** @type {string} */ loc) => t.names.places.has(loc)
    const open = draft.legal().filter((loc) => !onMap(loc))
    const there = [...new Set(draft.placed.values())].filter((loc) => !onMap(loc))
    if (!open.length && !there.length) return null
    return h(
      'section.lot',
      {},
      h('h3', {}, h('span', {}, t.t('game.place.off_map'))),
      there.map((loc) => this.placedHere(loc)),
      open.map((loc) => button(t.place(loc), () => this.tap(loc), { key: `off-${loc}` })),
    )
  }

  boxes() {
    const { ctx, draft } = this
    const t = ctx.texts
    return h(
      'section.lot',
      {},
      h('h3', {}, h('span', {}, t.t('game.boxes'))),
      h('p.how', {}, h('span', {}, t.t('game.place.boxes_hint'))),
      h(
        'ul.boxes',
        {},
        this.form.boxes.map((/** @type {string} */ box) => {
          const at = draft.boxes.get(box)
          return h(
            'li',
            {},
            h(
              'button.box',
              {
                type: 'button',
                'aria-pressed': String(draft.box === box),
                data: { key: `box-${box}` },
                onclick: () => {
                  if (at) {
                    draft.boxes.delete(box)
                    this.changed()
                  } else draft.pickBox(box)
                  ctx.redraw()
                },
              },
              h('b', {}, box),
              h('small', {}, at ? t.placeName(at) : t.t('game.box_free')),
            ),
          )
        }),
      ),
    )
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    const legal = this.draft.legal()
    marks.setChoices(legal, legal.length > 0)
    if (this.looking) marks.select({ [this.looking]: this.draft.at(this.looking) })
  }

  /** What the map shows beside the view: units placed and boxes given, not yet answered. */
  planned() {
    /** @type {Record<string, string[]>} */
    const units = {}
    for (const [id, at] of this.draft.placed) (units[at] ??= []).push(id)
    return { units, boxes: Object.fromEntries([...this.draft.boxes].map(([box, at]) => [at, box])) }
  }
}

/** @param {string[]} spaces */
function commonest(spaces) {
  /** @type {Record<string, number>} */
  const times = {}
  for (const loc of spaces) times[loc] = (times[loc] ?? 0) + 1
  return Object.keys(times).reduce((best, loc) => (times[loc] > times[best] ? loc : best))
}
