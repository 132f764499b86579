// @ts-check
// What helps to look and to plan: finding, peeking into stacks, the last fight, drawing. What they need is loaded when used.
import { request } from './api.js'
import { byId } from './dom.js'

/** @typedef {import('./ctrl.js').Game} Game */

export class Aids {
  /** @param {Game} game */
  constructor(game) {
    this.game = game
    /** @type {import('./sketch.js').Sketch | null} */
    this.sketch = null
    /** @type {Promise<import('./sketch.js').Sketch> | null} */
    this.loading = null
    /** @type {import('./find.js').Find | null} */
    this.find = null
  }

  /** What a screen reader hears of the space under the cursor. @param {string} loc */
  tell(loc) {
    const { decision, recap, shown, texts: t } = this.game,
      space = shown.store.space(loc),
      verb = recap.film ? null : decision.marks.verb(loc)
    const heard = [
      space?.count ? `${t.seat(space.side)}, ${t.t('game.units', { n: space.count })}` : '',
      verb === 'goal' ? t.t('game.text.cost', { cost: decision.marks.reach?.cost[loc] ?? '' }) : verb ? t.t(`game.cursor.${verb}`) : '',
    ].filter(Boolean)
    return heard.length ? `${t.place(loc)}: ${heard.join('; ')}` : t.place(loc)
  }

  /** Whether taps on the map draw now. */
  get drawing() {
    return this.sketch?.active ?? false
  }

  async load() {
    const { Peek } = await import('./peek.js')
    new Peek(() => this.game.shown, byId('map'), () => !byId('tray').hidden)
    if (this.game.plays) await this.sketched()
  }

  /** The drawing, loaded once. */
  sketched() {
    this.loading ??= this.loadSketch().catch((error) => {
      this.loading = null
      throw error
    })
    return this.loading
  }

  /** Another seat looks now: what the last one drew goes, its own comes. */
  async reset() {
    if (this.drawing) this.sketch?.close()
    await this.loading
    this.loading = this.sketch = null
    if (this.game.plays) await this.sketched()
  }

  /** What this seat drew before. */
  async loadSketch() {
    const { game } = this
    const { Sketch } = await import('./sketch.js')
    const url = `/api/games/${game.parts.game}/plans?seat=${game.mine[0]}`
    const sketch = new Sketch(game.ctx, byId('sketch'), {
      load: () => request(url),
      save: (plans) => request(url, { method: 'PUT', body: plans }),
      onclose: () => game.redraw(),
    })
    await sketch.load()
    this.sketch = sketch
    return sketch
  }

  async openSketch() {
    if (this.game.plays) await this.sketched().then((sketch) => sketch.open(), (error) => this.game.refused(error))
  }

  async openFind() {
    const { board, ctx } = this.game
    const { Find } = await import('./find.js')
    this.find ??= new Find(ctx, {
      choose: ({ at }) => {
        board.moveCursor(at)
        board.focus(at) // and near enough to read
        board.flash(at)
        board.enter()
      },
    })
    this.find.open()
  }

  /** The fight told last, on the map and in the panel. */
  async lastFight() {
    ;(await import('./fights.js')).lastFight(this.game)
  }

  /** The cursor goes to the next stack that can do something, or be attacked. @param {1 | -1} way @returns {boolean} */
  nextStack(way) {
    const { board, decision, store } = this.game
    const open = [...new Set([...decision.marks.targets, ...decision.marks.choices])].filter((loc) => store.space(loc)?.count).sort()
    const now = board.cursor ? open.indexOf(board.cursor) : -1
    const next = open[now < 0 && way < 0 ? open.length - 1 : now + way]
    if (next) board.moveCursor(next)
    return Boolean(next)
  }
}
