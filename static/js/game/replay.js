// @ts-check
// The player: runs through steps on the map with captions; 'since you left' and whole games alike.
import { cardView } from './cards.js'
import { button, fill, h, s } from './dom.js'
import { Glance } from './glance.js'
import { headOf, onlyPhase } from './log.js'
import { Store } from './store.js'
import { sentence, stepMessage } from './texts.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {import('./film.js').Film} Film */

const KEYS = /** @type {import('./menu.js').Keys} */ ([
  ['Space', 'play'],
  [', .', 'step'],
  ['← → ↑ ↓', 'arrows'],
  ['Enter', 'look'],
  ['+ − 0', 'zoom'],
  ['H', 'bare'],
  ['Esc', 'escape'],
  ['?', 'help'],
])
const SPEEDS = [2400, 1200, 450] // ms between steps
const ICONS = {
  first: 'M3 2v12M13 2 5 8l8 6z',
  back: 'M12 2 4 8l8 6z',
  pause: 'M4 2v12M6 2v12M10 2v12M12 2v12',
  step: 'M4 2l8 6-8 6z',
  last: 'M13 2v12M3 2l8 6-8 6z',
}

/** @param {keyof typeof ICONS} name */
const icon = (name) =>
  s('svg', { class: 'icon', width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: ICONS[name] }))

export class Player {
  /**
   * @param {Ctx} ctx @param {HTMLElement} bar where the controls go
   * @param {{stage: {show: (f: Record<string, any>) => void, act: (step: any) => Promise<void>}, onend: () => void, onmove?: (seq: number) => void, ontable?: (past: Ctx) => void, closable?: boolean, extra?: () => Node[], why?: () => any}} opts `ontable` draws cards and battle as they were; `why` nothing can be done with an open stack
   */
  constructor(ctx, bar, opts) {
    this.ctx = ctx
    this.bar = bar
    this.opts = opts
    /** @type {Film | null} */
    this.film = null
    this.n = 0
    this.speed = 1
    this.timer = 0
    this.playing = false
    this.keys = KEYS
    /** the page's tools, with the game as it was */
    this.moment = ctx
    this.glance = new Glance(ctx.board, () => this.moment, opts.why)
  }

  /** @param {Film} film @param {number} [from] frames already seen @param {boolean} [auto] start at once */
  open(film, from = 0, auto = false) {
    this.film = film
    this.goTo(from)
    if (auto) this.play()
  }

  /** Jump, without the moves between. @param {number} n */
  goTo(n) {
    if (!this.film) return
    this.n = Math.max(0, Math.min(n, this.film.length))
    this.opts.stage.show(this.film.at(this.n))
    this.point()
    this.arrived()
  }

  /** One frame on, its move shown; what only ends or begins a phase is passed over. */
  async next() {
    const film = this.film
    if (!film || this.n >= film.length) return this.pause()
    let step = film.frames[this.n++].step
    while (onlyPhase(step) && this.n < film.length) {
      await this.opts.stage.act(step)
      step = film.frames[this.n++].step
    }
    if (this.film !== film) return
    this.point()
    this.draw()
    await this.opts.stage.act(step)
    if (this.film === film) this.arrived()
  }

  /** On the map: the way that was gone, or who attacks whom while they fight. */
  point() {
    const { board } = this.ctx,
      frames = this.film?.frames.slice(0, this.n) ?? [],
      data = frames.at(-1)?.step.data ?? {}
    board.setLastMoves(data.path?.length > 1 ? [data] : [])
    const attack = frames.findLast(({ step }) => step.data?.target && Array.isArray(step.data.from))?.step.data
    const label = data.odds?.ratio?.replace(':', ' : ') ?? '…'
    const { target, from } = attack ?? {}
    board.setAttack(target && target === data.target ? { target, from, label, name: this.ctx.texts.placeName(target) } : null)
  }

  arrived() {
    this.opts.onmove?.(this.frame()?.entry.seq ?? 0)
    this.draw()
  }

  frame() {
    return this.n > 0 ? (this.film?.frames[this.n - 1] ?? null) : null
  }

  play() {
    this.playing = true
    const tick = async () => {
      if (!this.playing) return
      await this.next()
      if (this.film && this.n >= this.film.length) return this.pause()
      if (this.playing) this.timer = setTimeout(tick, SPEEDS[this.speed])
    }
    tick()
  }

  /** By hand: one on, its move shown, or back. @param {1 | -1} [way] */
  step(way = 1) {
    this.pause()
    if (way > 0) this.next()
    else this.goTo(this.n - 1)
  }

  toggle() {
    if (this.playing) this.pause()
    else this.play()
  }

  /** A place was tapped: its stack is opened, while the film waits. @param {string | null} loc */
  look(loc) {
    if (this.glance.open(loc)) this.pause()
  }

  pause() {
    this.playing = false
    clearTimeout(this.timer)
    this.draw()
  }

  close() {
    this.playing = false
    clearTimeout(this.timer)
    this.film = null
    this.point()
    this.bar.hidden = true
    this.glance.open(null)
    this.opts.onend()
  }

  draw() {
    if (!this.film) return
    const t = this.ctx.texts,
      total = this.film.length,
      frame = this.frame()
    this.bar.hidden = false
    this.moment = this.past()
    this.glance.draw()
    this.opts.ontable?.(this.moment)
    const slider = h('input.slide', {
      type: 'range',
      min: 0,
      max: total,
      value: this.n,
      'aria-label': t.t('game.replay.position'),
      data: { key: 'slide' },
      oninput: (/** @type {Event} */ e) => {
        this.pause()
        this.goTo(Number(/** @type {HTMLInputElement} */ (e.target).value))
      },
    })
    fill(
      this.bar,
      h(
        'div.caption',
        { 'aria-live': 'polite' },
        h('small', {}, frame ? this.when() : t.t('game.replay.begin'), ' · ', t.t('game.n_of_m', { n: this.n, m: total })),
        h(
          'p',
          {},
          frame
            ? [
                sentence(t, stepMessage(frame.step), { onplace: this.ctx.focus }),
                ' ',
                frame.step.clause ? this.ctx.clause(frame.step.clause) : null,
              ]
            : t.t('game.replay.ready'),
        ),
        frame && t.has(`card.${frame.step.data?.card}.title`) ? cardView(this.ctx, { id: frame.step.data.card }, { small: true, side: frame.step.side ?? '' }) : null,
      ),
      h(
        'div.controls',
        {},
        button(
          icon('first'),
          () => {
            this.pause()
            this.goTo(0)
          },
          { title: t.t('game.replay.first'), key: 'first', disabled: this.n === 0 },
        ),
        button(
          icon('back'),
          () => this.step(-1),
          { title: t.t('game.replay.back'), key: 'back', disabled: this.n === 0 },
        ),
        this.playing
          ? button(icon('pause'), () => this.pause(), { title: t.t('game.replay.pause'), key: 'play', class: 'go' })
          : button(t.t('game.replay.play'), () => this.play(), { key: 'play', class: 'go', disabled: this.n >= total }),
        button(
          icon('step'),
          () => this.step(),
          { title: t.t('game.replay.step'), key: 'step', disabled: this.n >= total },
        ),
        button(
          icon('last'),
          () => {
            this.pause()
            this.goTo(total)
          },
          { title: t.t('game.replay.last'), key: 'last', disabled: this.n >= total },
        ),
        h(
          'span.speeds',
          { role: 'group', 'aria-label': t.t('game.replay.speed') },
          SPEEDS.map((_, i) =>
            button(
              '›'.repeat(i + 1),
              () => {
                this.speed = i
                this.draw()
              },
              { class: 'chip', pressed: this.speed === i, title: t.t(`game.replay.speed${i}`), key: `speed-${i}` },
            ),
          ),
        ),
        slider,
        this.opts.extra?.(),
        this.opts.closable === false ? null : button(t.t('game.replay.skip'), () => this.close(), { key: 'skip', class: 'quiet' }),
      ),
    )
  }

  /** The page's tools, but with the game as it was at this frame. @returns {Ctx} */
  past() {
    const film = /** @type {Film} */ (this.film),
      store = new Store()
    store.fragments = film.at(this.n)
    for (const { entry, step } of film.frames.slice(0, this.n)) {
      const told = store.entries.get(entry.seq)
      store.entries.set(entry.seq, { ...entry, retracted: false, steps: [...(told?.steps ?? []), step] })
      if (step.event === 'taken_back' || step.event === 'patched') store.retract(step.data.to, entry.seq)
    }
    return { ...this.ctx, store }
  }

  when() {
    const turn = this.film?.at(this.n).turn
    return turn ? headOf(this.ctx.texts, turn) : ''
  }
}
