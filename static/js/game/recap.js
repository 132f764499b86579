// @ts-check
// 'Since you left': what came while a seat was away, offered as a film on the map.
import { button, fill } from './dom.js'
import { Film, framesOf } from './film.js'
import { onlyPhase } from './log.js'
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
  }

  /** The player, while the film runs. */
  get film() {
    return this.player?.film ? this.player : null
  }

  /** Another seat looks now. */
  reset() {
    this.seen = new Seen(this.opts.game, this.opts.seat())
    this.upToDate = false
    fill(this.host)
  }

  /** Once the record is here, or one comes back to the page. */
  offer() {
    if (this.film) return
    const sides = this.opts.sides(),
      { store, texts } = this.ctx
    const entries = store.log().filter((e) => e.seq > this.seen.at && e.seq <= store.seq && !e.retracted)
    const fresh = framesOf(entries).filter(({ step }) => !onlyPhase(step))
    if (this.seen.first || !fresh.some(({ step }) => sides.length !== 1 || step.side !== sides[0])) return this.seenAll()
    this.upToDate = false
    fill(
      this.host,
      button(texts.t('game.since', { n: fresh.length }), () => this.play(), { class: 'since', key: 'since' }),
    )
  }

  async play() {
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
    this.player.open(film, film.upTo(this.seen.at), true)
    this.bar.focus()
  }

  /** The film is over, or was left. */
  end() {
    this.seenAll()
    this.opts.onfilm(false)
  }

  onTold() {
    if (!document.hidden && this.upToDate) this.seen.mark(this.ctx.store.seq)
  }

  seenAll() {
    this.upToDate = true
    this.seen.mark(this.ctx.store.seq)
    fill(this.host)
  }
}
