// @ts-check
// Showing steps on the map one after the other, as they happened.
import { placeOf } from './log.js'

const TOO_MANY = 10

export class Stage {
  /** @param {import('./decision.js').Board} board */
  constructor(board) {
    this.board = board
    /** @type {Promise<void>} */
    this.tail = Promise.resolve()
    this.waiting = 0
    /** while another film runs, the live game is not shown */
    this.held = false
    /** how often a whole view was shown: it holds all that was on its way before */
    this.views = 0
  }

  /** @param {Record<string, any>} fragments everything */
  show(fragments) {
    this.views++
    this.board.setFragments(fragments)
  }

  /** One step: its move, then what it changed. @param {any} step */
  async act(step) {
    const { path, units, count } = step.data ?? {},
      { views } = this
    if (!document.hidden) {
      if (path?.length > 1) {
        this.board.show(path.at(-1))
        await this.board.animateMove(units ?? count ?? 1, path)
      } else {
        const at = placeOf(step)
        if (at) {
          this.board.show(at)
          this.board.flash(at)
        }
      }
    }
    if (views === this.views) this.board.applyFragments(step.fragments ?? {})
  }

  /** A die falls where it was thrown for; nobody has to wait for it. @param {any} step */
  roll(step) {
    const { roll, hit } = step.data ?? {},
      at = placeOf(step)
    if (typeof roll === 'number' && at && !document.hidden) this.board.throwDie(at, roll, hit === true)
  }

  /** Live steps, queued; too many at once are only applied. @param {any[]} steps @param {(step: any) => Promise<void> | void} [before] what comes before a step */
  play(steps, before) {
    if (this.held) return
    this.waiting += steps.length
    const quick = this.waiting > TOO_MANY,
      { views } = this
    this.tail = this.tail
      .then(async () => {
        for (const step of steps) {
          if (this.held || views !== this.views) break
          await before?.(step)
          if (this.held || views !== this.views) break
          this.roll(step)
          if (quick) this.board.applyFragments(step.fragments ?? {})
          else await this.act(step)
        }
      })
      .finally(() => {
        this.waiting -= steps.length
      })
  }
}
