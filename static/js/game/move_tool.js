// @ts-check
// Moving on the map: the stack's tray, its reach, the path and the question under it.
import { button, h } from './dom.js'
import { MoveDraft } from './move.js'
import { placeOf } from './stances.js'
import { Tool } from './tool.js'
import { selectors, spaceNote, tray } from './tray.js'

const LEGIBLE = 0.82 // zoom from which the map shows what a space costs

/** @extends {Tool<import('./protocol.js').MoveForm>} */
export default class MoveTool extends Tool {
  /** @param {import('./decision.js').Ctx} ctx @param {import('./protocol.js').MoveForm} form */
  constructor(ctx, form) {
    super(ctx, form)
    this.draft = new MoveDraft(form, ctx.around)
    this.bending = false
    /** whether the goal was tapped again before the server's word on it came */
    this.sure = false
    /** @type {typeof import('./carry.js') | null} loaded where there are ships */
    this.carry = null
    /** @type {typeof import('./stand.js').stances | null} loaded where units stand in formations */
    this.stand = null
    if (form.stances) void this.fetch(import('./stand.js').then(({ stances }) => (this.stand = stances)))
    if (Object.values(form.stacks).some((movers) => movers.some((m) => m.holds))) void this.fetch(import('./carry.js').then((carry) => (this.carry = carry)))
  }

  get leads() {
    return true
  }

  places() {
    return Object.keys(this.form.stacks)
  }

  hint() {
    return this.form.says ? this.ctx.texts.say(this.form.says) : this.ctx.texts.t('game.move.tap_stack')
  }

  answer() {
    return this.draft.answer()
  }

  get idle() {
    return !this.draft.from
  }

  /** @param {string} loc */
  tap(loc) {
    const { draft } = this
    if (loc === draft.goal && !this.bending) this.settle()
    else if (draft.reach && this.bending && draft.bend(loc)) this.changed()
    else if (draft.aim(loc)) this.changed()
    else if (draft.movers(loc).length && loc !== draft.from) this.begin(loc)
    else if (this.form.still[loc]) return false
    else if (draft.from && draft.reach?.blocked?.[loc]) this.ctx.say({ ...draft.reach.blocked[loc], at: loc })
    else if (loc === draft.from) this.back()
    else if (draft.reach && !draft.movers(loc).length && !this.form.still[loc]) this.askWhy(loc)
    else return false
    this.ctx.redraw()
    return true
  }

  /** The server says why a space is out of reach; then it is looked at. @param {string} loc */
  askWhy(loc) {
    const asking = (this.asking = this.ctx.reach({ ...this.draft.question(), to: loc }).then((reach) => {
      if (this.asking !== asking) return
      this.asking = null
      if (reach?.blocked && this.draft.reach) this.draft.reach.blocked = { ...this.draft.reach.blocked, ...reach.blocked }
      this.ctx.look(loc)
    }))
  }

  /** The goal was tapped again: go there, once the server has said that one can. */
  settle() {
    const problem = this.preview?.problems?.[0]
    if (problem) this.ctx.say(problem)
    else if (this.preview) this.ctx.submit(this.answer())
    else this.sure = true
  }

  /** A stack dragged onto a space is the same as two taps. @param {string} from @param {string} to */
  async drop(from, to) {
    if (!this.draft.movers(from).length) return
    if (this.draft.from !== from) this.begin(from)
    await this.asking
    if (this.draft.aim(to)) this.changed()
    this.ctx.redraw()
  }

  /** @param {string} loc */
  begin(loc) {
    this.bending = false
    this.preview = null
    this.draft.pick(loc, (id) => this.ctx.units[id]?.mobility ?? '')
    this.askReach()
    this.asking?.then(() => this.lookAround(loc))
  }

  /** The stack in sight, which the open tray may lie over; with it the nearest goal, if there is none in sight and what it costs, if anything, stays legible. @param {string} loc */
  lookAround(loc) {
    const { board } = this.ctx
    if (this.draft.from !== loc || this.draft.goal) return
    board.measure()
    const cost = this.draft.reach?.cost ?? {}
    const goals = [...new Set(Object.keys(cost).map(placeOf))].filter((to) => to !== loc)
    if (!goals.length || goals.some((to) => board.seen(to))) return board.show(loc)
    const from = board.pointOf(loc)
    const far = goals.map((to) => Math.hypot(board.pointOf(to).x - from.x, board.pointOf(to).y - from.y))
    const least = Object.values(cost).some(Boolean) ? LEGIBLE : 0
    if (!board.frame([loc, goals[far.indexOf(Math.min(...far))]], least)) board.show(loc)
  }

  /** @param {string | null} [goal] to aim at once the reach is known */
  askReach(goal = null) {
    const question = this.draft.question()
    this.preview = null
    this.asking = null
    if (!question) return
    const asking = (this.asking = this.ctx.reach(question).then((reach) => {
      if (this.asking !== asking) return
      this.asking = null
      this.draft.take(reach)
      if (goal && (this.draft.stand(goal) || this.draft.aim(goal))) this.changed()
      this.ctx.redraw()
    }))
  }

  /** The path is another one: ask what it costs. */
  async changed() {
    this.sure = false
    await this.weigh()
    if (!this.preview) return
    if (this.sure) this.settle()
    this.ctx.turn?.prospect(this)
  }

  back() {
    const { draft } = this
    if (this.bending && draft.bends.length) draft.bends.pop()
    else if (draft.goal) draft.dropGoal()
    else if (draft.from) this.clear()
    else return false
    this.bending = false
    if (draft.goal) this.changed()
    else {
      this.preview = null
      this.ctx.turn?.prospect(this)
      this.ctx.keep(null)
    }
    this.ctx.redraw()
    return true
  }

  clear() {
    this.draft.clear()
    this.asking = null
    this.preview = null
    this.ctx.turn?.prospect(this)
  }

  cancel() {
    this.clear()
    this.bending = false
    this.ctx.keep(null)
    this.ctx.redraw()
  }

  /** @param {import('./protocol.js').Answer} answer */
  restore(answer) {
    const goal = this.draft.restore(answer)
    if (goal) this.askReach(goal)
  }

  prompt() {
    const { draft, ctx } = this
    if (!draft.from) return null
    const t = ctx.texts
    const units = t.t('game.units', { n: draft.units.size })
    if (!draft.goal) {
      return {
        title: t.t('game.move.where', { from: t.placeName(draft.from) }),
        ask: draft.reach?.left !== undefined ? t.t('game.move.with_left', { units, left: draft.reach.left }) : units,
        warn: Boolean(this.form.warn),
        hint: this.form.warn ? t.say(this.form.warn) : !draft.units.size ? t.t('game.move.pick_units') : !draft.reach ? null : t.t(goalHint(draft.reach)),
        acts: [button(t.t('game.cancel'), () => this.cancel(), { class: 'quiet', key: 'cancel' })],
      }
    }
    const cost = this.preview?.effect?.cost ?? (draft.bends.length ? null : draft.reach?.cost[draft.goal])
    const problem = this.preview?.problems?.[0]
    return {
      title: t.t('game.move.to', { to: t.placeName(draft.goal) }),
      ask:
        cost === null || cost === undefined
          ? units
          : draft.reach?.left === undefined
            ? t.t('game.move.cost', { units, cost })
            : t.t('game.move.cost_of', { units, cost, left: draft.reach.left }),
      clause: problem?.clause ?? this.form.clause,
      problem,
      warn: Boolean(this.form.warn),
      hint: this.form.warn ? t.say(this.form.warn) : t.t(this.bending ? 'game.move.bend_hint' : 'game.move.hint'),
      acts: [
        this.form.stances ? null : this.bendButton(),
        button(t.t('game.cancel'), () => this.cancel(), { class: 'quiet', key: 'cancel' }),
        this.go(t.t('game.move.go'), !problem),
      ],
    }
  }

  bendButton() {
    const flip = () => {
      this.bending = !this.bending
      this.ctx.redraw()
    }
    return button(this.ctx.texts.t('game.move.bend'), flip, { class: 'quiet bend', key: 'bend', pressed: this.bending })
  }

  tray() {
    const { draft, ctx } = this
    if (!draft.from) return null
    const t = ctx.texts
    const movers = draft.movers(draft.from),
      ids = movers.map((m) => m.id)
    const space = ctx.store.space(draft.from)
    const seen = new Map((space?.units ?? []).map((/** @type {import('./protocol.js').Unit} */ u) => [u.id, u]))
    const cargo = draft.cargo().filter((id) => !ids.includes(id))
    const others = [...seen.keys()].filter((id) => !ids.includes(id) && !cargo.includes(id))
    const rows = [...ids, ...cargo].map((id) => ({
      unit: id,
      on: draft.units.has(id),
      badges: seen.get(id)?.badges,
      note: this.note(id),
      disabled: cargo.includes(id) && !draft.aboard[id],
      extra: this.carry?.carrierPick(this, id),
    }))
    const rest = others.map((id) => ({ unit: id, on: false, disabled: true, badges: seen.get(id)?.badges, note: t.t('game.tray.stays') }))
    return {
      at: draft.from,
      node: tray(ctx, {
        title: t.place(draft.from),
        note: spaceNote(ctx, draft.from),
        rows: [...rows, ...rest],
        toggle: (id) => this.toggle(id),
        close: () => this.cancel(),
        more: ctx.turn?.card(ctx, draft.from),
        footer: [
          this.carry?.loadAll(this),
          ...selectors(ctx, ids, (some) => {
            draft.setUnits(some)
            this.askReach()
            ctx.redraw()
          }),
          space?.box ? this.keepBox() : null,
          draft.goal && draft.stance ? this.stand?.(this, draft.goal, draft.stance) : null,
        ],
      }),
    }
  }

  keepBox() {
    const input = h('input', {
      type: 'checkbox',
      checked: this.draft.keepBox,
      data: { key: 'keep-box' },
      onchange: () => {
        this.draft.keepBox = !this.draft.keepBox
        if (this.draft.goal) this.changed()
        this.ctx.redraw()
      },
    })
    return h('label.keep', {}, input, this.ctx.texts.t('game.move.keep_box'))
  }

  /** @param {string} id */
  toggle(id) {
    this.draft.toggle(id)
    this.askReach()
    this.ctx.redraw()
  }

  /** @param {string} id */
  note(id) {
    const { draft, ctx } = this
    if (!draft.units.has(id)) return ctx.texts.t('game.tray.stays')
    const left = draft.movers(/** @type {string} */ (draft.from)).find((m) => m.id === id)?.left
    const after = this.preview?.effect?.left?.[id]
    const free = this.carry?.roomNote(this, id)
    if (free) return free
    if (left === undefined) return ''
    return after !== undefined && draft.goal
      ? ctx.texts.t('game.move.left_after', { n: left, after, to: draft.goal })
      : ctx.texts.t('game.mp_left', { n: left })
  }

  /** @param {import('./marks.js').Marks} marks */
  paint(marks) {
    const { draft } = this
    marks.setDraggable(Object.keys(this.form.stacks))
    marks.setChoices(draft.from ? [] : Object.keys(this.form.stacks))
    marks.setActive(draft.from ? [draft.from] : Object.keys(this.form.stacks))
    if (!draft.from) return
    marks.select({ [draft.from]: [...draft.units] })
    if (draft.reach) marks.setReach({ from: draft.from, cost: draft.reach.cost, via: draft.reach.via })
    if (draft.goal) marks.setPath(this.steps())
    const [attack] = (draft.goal && this.preview?.effect?.attacks) || []
    if (attack) marks.setAttack({ target: attack.target, from: attack.sides.attack.map((/** @type {any} */ f) => f.at), ratio: attack.ratio })
  }

  /** The path with what it costs to get to each space of it. @returns {{at: string, cost: number | null}[]} */
  steps() {
    const { draft } = this
    const told = new Map((this.preview?.effect?.steps ?? []).map((/** @type {{at: string, cost: number}} */ s) => [placeOf(s.at), s.cost]))
    return draft
      .path()
      .map(placeOf)
      .filter((at, i, path) => at !== path[i - 1])
      .map((at) => ({ at, cost: at === draft.from ? 0 : (told.get(at) ?? (draft.bends.length ? null : draft.reach?.cost[at]) ?? null) }))
  }

  /** @param {string} loc why nothing here can move, if so */
  reason(loc) {
    if (this.form.still[loc]) return this.form.still[loc]
    return loc === this.draft.from ? null : (this.draft.reach?.blocked?.[loc] ?? null)
  }
}

/** What is said of a reach: its numbers are drawn where going there costs something. @param {import('./protocol.js').Reach} reach */
function goalHint({ cost }) {
  const costs = Object.values(cost)
  return !costs.length ? 'game.move.nowhere' : costs.some(Boolean) ? 'game.move.tap_goal' : 'game.move.tap_free'
}
