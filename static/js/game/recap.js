// @ts-check
// 'Since you left': what came while a seat was away, offered as a film on the map.
import { button, fill } from './dom.js'
import { Film, framesOf } from './film.js'
import { kindsOf, onlyPhase } from './log.js'
import { Seen } from './visit.js'

export class Recap {
  /**
   * @param {import('./decision.js').Ctx} ctx @param {HTMLElement} bar for the player's controls @param {HTMLElement} host where it is offered
   * @param {{game: string, seat: () => string | null, sides: () => string[], stage: import('./stage.js').Stage, onfilm: (running: boolean) => void, ontable: (past: import('./decision.js').Ctx) => void}} opts
   */
  constructor(ctx, bar, host, opts) {
    this.ctx = ctx
    this.bar = bar
    /** @type {import('./replay.js').Player | null} loaded when first needed */
    this.player = null
    this.host = host
    this.opts = opts
    this.seen = new Seen(opts.game, opts.seat())
    /** whether all was shown, or passed over; until then nothing new counts as seen */
    this.upToDate = false
    /** the entry known when this reader answered last */
    this.given = Infinity
  }

  /** The player, while the film runs. */
  get film() {
    return this.player?.film ? this.player : null
  }

  /** Another seat looks now. */
  reset() {
    this.seen = new Seen(this.opts.game, this.opts.seat())
    this.upToDate = false
    this.given = Infinity
    fill(this.host)
  }

  /** Once the record is here, or one comes back to the page. */
  offer() {
    if (this.film || this.ctx.store.card?.state === 'finished') return fill(this.host)
    const sides = this.opts.sides(),
      { store, texts } = this.ctx
    const entries = store.log().filter((e) => e.seq > this.seen.at && e.seq <= store.seq && !e.retracted)
    const fresh = framesOf(entries).filter(({ step }) => !onlyPhase(step))
    if (this.seen.first || !fresh.some(({ step }) => sides.length !== 1 || step.side !== sides[0])) return this.upToDate ? undefined : this.seenAll()
    this.upToDate = false
    this.show('game.since', fresh.length, this.seen.at)
  }

  /** The button that plays what came after an entry. @param {string} key @param {number} n @param {number} from */
  show(key, n, from) {
    fill(
      this.host,
      button(this.ctx.texts.t(key, { n }), () => this.play(from), { class: 'since', key: 'since' }),
    )
  }

  /** @param {number} from the entry after which it begins */
  async play(from) {
    const { Player } = await import('./replay.js')
    this.player ??= new Player(this.ctx, this.bar, {
      stage: this.opts.stage,
      ontable: this.opts.ontable,
      onend: () => this.end(),
      why: () => this.ctx.texts.t('game.since.then', { skip: this.ctx.texts.t('game.replay.skip') }),
    })
    const film = new Film(framesOf(this.ctx.store.log()))
    fill(this.host)
    this.opts.onfilm(true)
    this.player.open(film, film.upTo(from), true)
    this.bar.focus()
  }

  /** The film is over, or was left. */
  end() {
    this.seenAll()
    this.opts.onfilm(false)
  }

  /** News: for who looks on they count as seen; the other side's turn is offered as a film all the same. */
  onTold() {
    if (document.hidden || !this.upToDate || this.film) return
    const { store } = this.ctx,
      sides = this.opts.sides()
    this.seen.mark(store.seq)
    if (sides.length !== 1 || !store.request?.mine) return
    const steps = framesOf(store.log().filter((e) => e.seq > this.given && !e.retracted)).filter(({ step }) => !onlyPhase(step))
    if (steps.some(({ step }) => step.side && step.side !== sides[0] && kindsOf(step, false).size)) this.show('game.watch.turn', steps.length, this.given)
  }

  /** An answer is given: what comes now can be seen as a film later. */
  gives() {
    this.seenAll()
    this.given = this.ctx.store.seq
  }

  seenAll() {
    this.upToDate = true
    this.given = Math.min(this.given, this.ctx.store.seq)
    this.seen.mark(this.ctx.store.seq)
    fill(this.host)
  }
}
