// @ts-check
// The open question: its forms as tools, the bar that asks it, the tray beside it.
import { button, byId, fill, h } from './dom.js'
import { Marks } from './marks.js'
import { makeTool } from './tools.js'
import { lookTray } from './tray.js'

/** @typedef {import('./tool.js').Tool} Tool */
/** @typedef {ReturnType<typeof import('../board/api.js').createBoard>} Board */
/**
 * What a tool may use of the page.
 * @typedef {object} Ctx
 * @property {import('./texts.js').Texts} texts
 * @property {Record<string, any>} units
 * @property {string} lost how the keys of pools of the eliminated begin
 * @property {import('./store.js').Store} store
 * @property {Board} board
 * @property {(loc: string) => string[]} around neighbours of a space
 * @property {(unit: string, opts?: {size?: number, selected?: boolean, badges?: string[]}) => Node} mini
 * @property {(clause: string) => Node | null} clause
 * @property {(question: import('./protocol.js').ReachQuestion) => Promise<import('./protocol.js').Reach | null>} reach null when a later question overtook it
 * @property {(question: import('./protocol.js').ReachQuestion) => Promise<import('./protocol.js').Reach | null>} survey the same, beside what the player asks
 * @property {(answer: import('./protocol.js').Answer | null) => Promise<import('./protocol.js').Preview | null>} preview null when a later one overtook it
 * @property {(answer: any | null) => void} keep keep as draft, or drop the draft
 * @property {(answer: import('./protocol.js').Answer | null) => void} submit
 * @property {(option: import('./protocol.js').Option, answer: import('./protocol.js').Answer) => void} confirm ask once more before an option is taken
 * @property {() => void} redraw
 * @property {() => void} closeTool
 * @property {(loc: string) => void} focus
 * @property {(loc: string) => void} look open a space to look at it, with the reason why nothing can be done there
 * @property {(planned: {units: Record<string, string[]>, boxes: Record<string, string>}) => void} showDraft
 * @property {(odds: any | null) => void} showOdds
 * @property {(message: any) => void} say a reason, with its clause, by the map
 * @property {(text: string) => void} toast
 * @property {import('./turn.js').Turn | null} [turn] what helps to play a turn out; loaded after the first view
 */

const MANY = 6
const BESIDE = { map: 1, tray: 3 } // where the map or the tray is to be pressed the buttons leave them their room
const NEAR = 0.6 // zoom: farther off a fight and what is chosen for it are not shown together

export class Decision {
  /**
   * @param {Ctx} ctx
   * @param {{bar: HTMLElement, tray: HTMLElement, takeBack: () => (Node | null)[], withdraw: () => Node | null}} host
   */
  constructor(ctx, host) {
    this.ctx = ctx
    this.host = host
    this.marks = new Marks()
    /** @type {Tool[]} */
    this.tools = []
    /** @type {any[]} those whose options are buttons */
    this.chooses = []
    /** @type {Tool[]} */
    this.mapTools = []
    /** @type {Tool | null} */
    this.active = null
    /** @type {string[]} spaces tapped while the page could not act on it yet */
    this.early = []
    /** @type {{loc: string} | null} a space that is only looked at */
    this.looking = null
    /** @type {{title: any, ask?: any, hint?: any, acts: HTMLElement[], go: () => void} | null} what is to be seen before the question */
    this.held = null
    this.number = 0 // of questions
    this.set(null)
  }

  /** The tools of its forms are loaded. @param {import('./protocol.js').Request | null} request @param {import('./protocol.js').Answer | null} [draft] a kept answer to go on with */
  set(request, draft) {
    const open = this.looking?.loc
    this.request = request
    for (const id of ['prompt', 'tray', 'textview']) byId(id).dataset.question = String(this.number)
    this.number++
    this.pending = null
    this.busy = false
    this.looking = null
    this.tools = request?.mine ? (request.forms ?? []).map((form) => makeTool(this.ctx, form)) : []
    this.chooses = this.tools.filter((t) => t.choice)
    this.mapTools = this.tools.filter((t) => !t.choice)
    this.active = this.firstTool()
    if (this.about) requestAnimationFrame(() => this.lookAbout()) // the tray has its place then
    const kept = draft && this.mapTools.find((t) => t.form.form === draft.form)
    if (kept) {
      this.active = kept
      kept.restore(draft)
    }
    if (open && !request?.mine) this.look(open)
    else if (open && this.active?.leads) this.early.unshift(open)
  }

  /** The same question, perhaps with a newer number: what was begun stays. @param {import('./protocol.js').Request | null} request @returns {boolean} */
  keep(request) {
    if (!request?.mine || !this.request?.mine || request.seat !== this.request.seat) return false
    if (JSON.stringify(request.forms) !== JSON.stringify(this.request.forms)) return false
    this.request = request
    this.busy = false
    return true
  }

  /** Where to look: what the open tool is about, else the place that the question names. @returns {string | null} */
  get about() {
    const at = this.request?.mine && this.request.prompt.args?.at
    return this.active?.about() ?? (typeof at === 'string' ? at : null)
  }

  /** Bring what it is about into sight, with the fight that it belongs to; where they are far apart the fight. */
  lookAbout() {
    const { about } = this,
      { board, store } = this.ctx
    if (!about) return
    board.show(about)
    const fight = this.active?.fights ? store.fragments.battle?.target : null
    if (fight && !board.seen(fight) && !board.frame([about, fight], NEAR)) board.show(fight)
  }

  /** Spaces the question is about. @returns {string[]} */
  places() {
    return [...this.tools]
      .sort((a, b) => Number(b === this.active) - Number(a === this.active))
      .flatMap((tool) => tool.places())
      .filter((loc) => loc && this.ctx.texts.names.places.has(loc))
  }

  firstTool() {
    return this.mapTools.find((t) => t.leads) ?? this.mapTools.find((t) => !t.onDemand) ?? (this.chooses.length ? null : (this.mapTools[0] ?? null))
  }

  /** @param {Tool} tool */
  open(tool) {
    this.active?.back()
    this.active = tool
    this.looking = null
    this.redraw()
  }

  close() {
    this.active = this.firstTool()
    this.redraw()
  }

  /** A space was tapped, or chosen with Enter; while the server is still to be heard the tap waits. @param {string | null} loc */
  tap(loc) {
    if (this.held) return
    if (loc === null) return void this.back()
    if (!this.deaf) this.take(loc, true)
    else this.early.push(loc)
  }

  /** An answer is on its way, or what the chosen units can reach is asked. */
  get deaf() {
    return this.busy || Boolean(this.active?.asking)
  }

  /** @param {string} loc @param {boolean} read whether the question was read before the tap: else nothing is answered by it */
  take(loc, read) {
    this.pending = null
    this.looking = null
    if (this.active?.tap(loc) || (read && this.chooses.some((c) => c.tap(loc)))) return
    if (this.active?.idle) {
      const other = this.mapTools.find((t) => t !== this.active && !t.onDemand && t.tap(loc))
      if (other) {
        this.active = other
        return this.redraw()
      }
    }
    this.look(loc)
  }

  /** Open a space only to look at it, with the reason why nothing can be done there. @param {string} loc */
  look(loc) {
    this.looking = this.ctx.texts.names.places.has(loc) ? { loc } : null
    this.redraw()
  }

  /** The card of what is looked at; a reason holds as long as the question is as it is. @param {string} loc */
  card(loc) {
    const reason = this.active?.reason(loc)
    const why = reason ? [this.ctx.texts.say(reason), ' ', this.ctx.clause(reason.clause)] : null
    const node = lookTray(this.ctx, loc, () => this.back(), why)
    import('./ground.js').then(({ drawGround }) => drawGround(this, loc, node)).catch(() => null) // without a line it goes unsaid
    return { at: loc, node }
  }

  /** Something is to be seen before the question is answered; null: it was. @param {Decision['held']} held */
  hold(held) {
    this.held = held
    this.redraw()
  }

  /** @param {string} from @param {string} to */
  drop(from, to) {
    this.active?.drop(from, to)
  }

  /** One step back, by Escape. @returns {boolean} */
  back() {
    this.early = []
    if (this.pending) this.pending = null
    else if (this.looking) this.looking = null
    else if (this.active?.back()) return true
    else return false
    this.redraw()
    return true
  }

  /** @param {import('./protocol.js').Option} option @param {import('./protocol.js').Answer} answer */
  confirm(option, answer) {
    if (!this.matters(option)) return this.ctx.submit(answer)
    this.pending = { option, answer }
    this.redraw()
  }

  /** Whether it is asked once more: it gives something up, hands over, or there is something to be read or done before. @param {import('./protocol.js').Option} option */
  matters(option) {
    return Boolean(option.warn || option.forecast || option.needs?.most !== 0 || this.mapTools.some((tool) => tool.form.open || tool.unsent()))
  }

  /** The best button of the bar, for Enter. */
  go() {
    ;/** @type {HTMLButtonElement | null} */ (this.host.bar.querySelector('button.go:not(:disabled)'))?.click()
  }

  redraw() {
    while (this.early.length && !this.deaf) this.take(/** @type {string} */ (this.early.shift()), false)
    this.ctx.showDraft(this.active?.planned() ?? { units: {}, boxes: {} })
    this.marks = new Marks()
    if (!this.busy && !this.held) {
      for (const choose of this.chooses) choose.paint(this.marks)
      this.active?.paint(this.marks)
    }
    if (this.looking) this.marks.select({ [this.looking.loc]: [] })
    this.marks.lay(this.ctx.board, (loc) => this.ctx.texts.placeName(loc))
    this.drawBar()
    this.drawTray()
  }

  /** Nothing of the question is on the map: it shows something else. */
  veil() {
    this.ctx.showDraft({ units: {}, boxes: {} })
    new Marks().lay(this.ctx.board, (loc) => this.ctx.texts.placeName(loc))
    this.host.tray.hidden = true
  }

  drawTray() {
    const { tray } = this.host
    const asked = () => this.active?.tray() ?? this.chooses.map((c) => c.tray()).find(Boolean)
    const spec = this.held ? null : this.looking ? this.card(this.looking.loc) : asked()
    const scroll = tray.querySelector('.scroll, ul')?.scrollTop ?? 0
    const held = tray.contains(document.activeElement)
    fill(tray, spec?.node)
    if (!this.looking && !this.held) this.drawCard(spec?.node)
    const inner = tray.querySelector('.scroll, ul')
    if (inner) inner.scrollTop = scroll
    tray.hidden = !spec && !(this.request?.mine && this.request.card && !this.held)
    if (held && !spec) this.busy || this.pending ? this.host.bar.focus() : this.ctx.board.enter()
    tray.dataset.at = spec?.at ?? ''
  }

  /** The card whose effect is asked about, whole, above what else is asked. @param {any} [node] of the tray */
  async drawCard(node) {
    const { request } = this
    if (!request?.mine || !request.card) return
    const { askedCard } = await import('./cards.js')
    if (request !== this.request || this.looking || this.host.tray.querySelector('.asked-card')) return
    const card = askedCard(this.ctx, request.card)
    if (node) node.querySelector('.scroll, ul')?.before(card)
    else this.host.tray.append(h('section.tray.dock.hand', {}, h('div.scroll', {}, card)))
  }

  drawBar() {
    const { bar } = this.host
    bar.classList.toggle('mine', Boolean(this.request?.mine))
    bar.classList.toggle('busy', this.busy)
    if (this.held) return fill(bar, this.words(this.held), this.placed(this.held.acts))
    if (!this.request) return fill(bar, this.ended())
    if (!this.request.mine) return fill(bar, this.waiting(this.request))
    if (this.pending) {
      fill(bar, this.confirming())
      return this.drawNeeds()
    }
    const said = this.active?.prompt() ?? null
    const idle = !said || said.title === null
    fill(
      bar,
      this.words({
        title: idle ? this.ctx.texts.say(this.request.prompt) : said.title,
        ask: idle ? null : said.ask,
        clause: said?.problem?.clause ?? (idle ? this.request.clause : (said?.clause ?? this.request.clause)),
        hint: said?.problem ? this.ctx.texts.say(said.problem) : (said?.hint ?? this.active?.hint() ?? null),
        bad: Boolean(said?.problem),
        warn: said?.warn,
        more: this.ctx.turn?.strip(),
      }),
      this.acts(said, idle),
    )
    this.drawNeeds()
  }

  /** What the answer at hand needs of the other side. */
  async drawNeeds() {
    if (this.pending || this.active?.preview || !this.mapTools.length) (await import('./needs.js').catch(() => null))?.drawNeeds(this) // without a line it goes unsaid
  }

  /** @param {any} said @param {boolean} idle */
  acts(said, idle) {
    const busy = this.active && !this.active.idle
    const switches = this.mapTools
      .filter((t) => t !== this.active && (this.mapTools.length > 1 || !this.active))
      .map((t) => button(this.ctx.texts.say(t.form.label), () => this.open(t), { class: 'quiet', key: `tool-${t.form.form}` }))
    const options = this.chooses.flatMap((c) => c.buttons()).filter((b) => idle || !busy || b.matches('.ends'))
    const most = this.active?.leads ? BESIDE.map : this.active ? BESIDE.tray : MANY
    const many = options.filter((b) => !b.matches('.ends')).length + (idle ? switches.length : 0) > most
    return this.placed([this.host.takeBack(), idle ? switches : null, options, said?.acts], many)
  }

  /** Buttons in their places: what cancels, what answers and what ends each have their own. @param {any[]} buttons @param {boolean} [many] */
  placed(buttons, many = false) {
    /** @type {Record<string, HTMLElement[]>} */
    const at = { more: [], no: [], go: [], end: [] }
    for (const b of buttons.flat(3).filter(Boolean)) at[b.matches('.go') ? 'go' : b.dataset.key === 'cancel' ? 'no' : b.matches('.ends') ? 'end' : 'more'].push(b)
    at.more.push(...at.end.splice(1))
    return h('div.acts', { class: many ? 'many' : '' }, Object.entries(at).map(([name, own]) => h(`div.at-${name}`, {}, own)))
  }

  /** @param {{title: any, ask?: any, clause?: string | null, hint?: any, bad?: boolean, warn?: boolean, more?: any}} said */
  words({ title, ask, clause, hint, bad, warn, more }) {
    return h(
      'div.words',
      {},
      h('p.ask', { 'aria-live': 'polite' }, h('b', {}, title), ' ', h('span.asked', {}, ask, ask ? ' ' : null, clause ? this.ctx.clause(clause) : null)),
      hint ? h('p.hint', { class: bad ? 'bad' : warn ? 'warn' : '', role: bad ? 'alert' : undefined }, hint) : null,
      more,
    )
  }

  confirming() {
    const t = this.ctx.texts,
      { option, answer } = /** @type {NonNullable<typeof this.pending>} */ (this.pending)
    const begun = option.ends ? this.mapTools.map((tool) => tool.unsent()).find(Boolean) : null
    const cancel = button(t.t('game.cancel'), () => this.back(), { class: 'quiet', key: 'cancel' })
    /** @param {string} said @param {import('./protocol.js').Answer} sent @param {string} kind @param {string} key */
    const act = (said, sent, kind, key) =>
      button(
        said,
        () => {
          this.pending = null
          this.ctx.submit(sent)
        },
        { class: kind, key },
      )
    if (begun)
      return [
        this.words({ title: t.t('game.unsent.title', { what: begun.label }), clause: begun.clause, hint: t.t('game.unsent.hint') }),
        this.placed([cancel, act(t.t('game.unsent.without', { what: t.say(option.label) }), answer, 'quiet', 'without'), act(begun.label, begun.answer, 'go', 'go')]),
      ]
    const hint = option.warn ? t.say(option.warn) : t.t(option.needs?.most === 0 ? 'game.confirm.closes' : 'game.confirm.hint')
    return [
      this.words({ title: t.t('game.confirm.title', { what: t.say(option.label) }), clause: option.clause, hint, more: this.ctx.turn?.ending(option), warn: Boolean(option.warn) }),
      this.placed([cancel, act(t.say(option.label), answer, 'go', 'go')]),
    ]
  }

  /** @param {import('./protocol.js').Request} request of another seat */
  waiting(request) {
    const t = this.ctx.texts
    const done = request.together && request.has_answered?.length
    const open = this.ctx.store.card?.state === 'open'
    if (open) return this.words({ title: t.t('game.waiting.opponent'), hint: t.t('game.waiting.opponent_hint') })
    const title = t.t('game.waiting.for', { sides: request.asked.map((s) => t.seat(s)), n: request.asked.length })
    return [
      this.words({
        title,
        ask: t.say(request.prompt),
        clause: request.clause,
        hint: done ? t.t('game.waiting.answered', { sides: request.has_answered.map((s) => t.seat(s)) }) : null,
      }),
      this.placed([this.host.withdraw(), this.host.takeBack()]),
    ]
  }

  ended() {
    const t = this.ctx.texts,
      result = this.ctx.store.fragments.result ?? this.ctx.store.card?.result
    const title = !result
      ? t.t(this.ctx.store.card?.state === 'active' ? 'game.waiting.dice' : 'game.over')
      : result.winner
        ? t.t('game.won', { side: t.seat(result.winner) })
        : t.t('game.drawn')
    const { card } = this.ctx.store
    return [
      this.words({ title, ask: result ? t.t(result.key, result.args) : null, clause: result?.clause }),
      card?.state === 'finished' ? this.placed([h('a.button.go', { href: `/games/${card.id}/result` }, t.t('game.result'))]) : null,
    ]
  }
}
