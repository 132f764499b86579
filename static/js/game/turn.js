// @ts-check
// What helps to play a turn out: what is still open before a phase ends and a way through it, the odds that a planned move would
// bring, what the next check may cost. Loaded after the first view.
import { button, h, styled } from './dom.js'
import { placeOf } from './stances.js'

/** @typedef {import('./tool.js').Tool} Tool */
/** @typedef {import('./protocol.js').Open & {tool: Tool}} Item */

export class Turn {
  /** @param {import('./ctrl.js').Game} game @param {boolean} [plain] only what is still open: on a board of one's own */
  constructor(game, plain = false) {
    this.game = game
    this.plain = plain
    /** @type {{form: string, key: string, loc: string | null} | null} what is gone through, and where one is */
    this.now = null
    /** whether the odds of a planned move are in the panel */
    this.odds = false
    /** @type {import('./forecast.js').Foretelling | null} where the title's rules have such checks */
    this.foretold = null
    /** @type {import('./covers.js').Covers | null} where the title tells what a stack covers */
    this.covers = null
    styled('turn')
    if (game.parts.title.covers) void this.cover()
    if (game.parts.title.forecast && !plain) void this.foretell()
  }

  async foretell() {
    const { Foretelling } = await import('./forecast.js')
    this.foretold = new Foretelling(this.game)
  }

  async cover() {
    const { Covers } = await import('./covers.js')
    this.covers = new Covers(this.game)
  }

  /** Something has changed. */
  draw() {
    this.foretold?.lay()
    this.covers?.draw()
  }

  /** What the next check may cost a stack, in its card. @param {import('./decision.js').Ctx} ctx @param {string} loc */
  card(ctx, loc) {
    return ctx.store === this.game.store ? this.foretold?.card(loc) : null // not of what a film shows
  }

  // -- what is still open ----------------------------------------------------------------------------------

  /** @returns {Item[]} */
  items() {
    return this.game.decision.tools.flatMap((tool) => (tool.form.open ?? []).map((/** @type {import('./protocol.js').Open} */ open) => ({ ...open, tool })))
  }

  /** Said before a phase is ended. @param {import('./protocol.js').Option} option */
  ending(option) {
    const { ctx } = this.game,
      t = ctx.texts
    const line = (/** @type {Item} */ item) =>
      h(
        'li',
        {},
        t.say(item.what),
        ' ',
        ctx.clause(item.clause),
        button(t.t(steps(item) ? 'game.open.through' : 'game.open.show'), () => this.begin(item), { class: 'small', key: `open-${item.tool.form.form}` }),
      )
    const items = option.ends ? this.items() : []
    const open = items.length ? h('ul.still-open', { 'aria-label': t.t('open.title') }, items.map(line)) : null
    const cost = option.forecast ? this.foretold?.question() : null
    return open || cost ? h('div.turn-words', {}, open, cost) : null
  }

  /** @param {Item} item */
  begin(item) {
    const { decision } = this.game
    decision.pending = null
    if (!steps(item)) return decision.open(item.tool)
    this.now = { form: item.tool.form.form, key: item.what.key, loc: null }
    this.walk(1)
  }

  /** What is gone through, as far as it is still open. @returns {Item | null} */
  item() {
    const { now } = this
    if (!now) return null
    return this.items().find((item) => item.tool.form.form === now.form && item.what.key === now.key) ?? null
  }

  /** To the next place of it, or back; at first to the first that there is. @param {1 | -1} way */
  walk(way) {
    const { decision, board } = this.game
    const item = this.item() ?? this.items().find(steps)
    if (!item || decision.busy) return
    const { tool, at } = item
    const from = (this.item() && this.now?.loc) || null
    const here = from ? at.indexOf(from) : -1
    const near = way > 0 ? at.find((loc) => !from || loc > from) : at.findLast((loc) => !from || loc < from)
    const loc = here < 0 ? (near ?? at[way > 0 ? 0 : at.length - 1]) : at[(here + way + at.length) % at.length]
    this.now = { form: tool.form.form, key: item.what.key, loc }
    decision.pending = null
    while (!tool.idle && tool.back());
    if (decision.active !== tool) decision.open(tool)
    board.focus(loc)
    decision.tap(loc)
  }

  /** In the bar, while one goes through it. */
  strip() {
    const item = this.now && this.item()
    if (!item) return null
    const t = this.game.texts
    const stop = () => {
      this.now = null
      this.game.redraw()
    }
    const i = item.at.indexOf(this.now?.loc ?? '') + 1
    return h(
      'div.turn-words.walk',
      { role: 'group', 'aria-label': t.t('open.title') },
      h('span', {}, i ? t.t('game.open.at', { what: item.what, i, n: item.at.length }) : t.say(item.what)),
      button('‹', () => this.walk(-1), { class: 'small', key: 'walk-back', title: t.t('game.open.back') }),
      button('›', () => this.walk(1), { class: 'small', key: 'walk-next', title: t.t('game.open.next') }),
      button('×', stop, { class: 'small quiet', key: 'walk-done', title: t.t('game.open.done') }),
    )
  }

  // -- the attack that a move would allow ------------------------------------------------------------------

  /** A move is planned, or no more. @param {import('./move_tool.js').default} tool */
  prospect(tool) {
    if (this.plain) return
    const attacks = (tool.draft.goal && tool.preview?.effect?.attacks) || []
    if (attacks.length) this.show(tool, attacks, attacks[0])
    else if (this.odds) {
      this.odds = false
      void this.game.showOdds(this.game.store.fragments.battle ?? null, false)
    }
  }

  /** @param {import('./move_tool.js').default} tool @param {import('./protocol.js').Odds[]} attacks @param {import('./protocol.js').Odds} one */
  show(tool, attacks, one) {
    const t = this.game.texts
    this.odds = true
    const chips = attacks.map((odds) =>
      button(t.placeName(odds.target), () => this.show(tool, attacks, odds), { class: 'chip', key: `what-if-${odds.target}`, pressed: odds === one }),
    )
    void this.game.showOdds(one, true, {
      head: [h('p', {}, t.t('game.odds.if_there', { at: one.from })), attacks.length > 1 ? h('span.chips', {}, chips) : null],
      foot: button(t.t('game.odds.keep'), () => this.keep(tool, one), { class: 'quiet', key: 'keep-plan' }),
    })
  }

  /** The way, the attack and its odds, drawn on one's own map. @param {import('./move_tool.js').default} tool @param {import('./protocol.js').Odds} odds */
  async keep(tool, odds) {
    const way = tool.draft.path().map(placeOf)
    const sketch = await this.game.aids.sketched()
    const { ratio, clears, mean } = odds
    const note = clears.of ? [ratio, `${Math.round((100 * clears.n) / clears.of)} %`].filter(Boolean).join(', ') : `${mean.defender} : ${mean.attacker}`
    sketch.keep({ arrows: [way, [/** @type {string} */ (odds.from), odds.target]], rings: [odds.target], notes: { [odds.target]: note } })
    this.game.ctx.toast(this.game.texts.t('game.odds.kept'))
  }
}

/** Whether one goes through it place by place, with a tool that begins where it is tapped. @param {Item} item */
const steps = ({ tool, at }) => at.length > 0 && (tool.leads || tool.fights)
