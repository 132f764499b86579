// @ts-check
// What the counters of a stack cover whose card is open (zones, fields of fire), laid over the map while it is.

const LAYER = 'covers'

export class Covers {
  /** @param {import('./ctrl.js').Game} game */
  constructor(game) {
    this.game = game
    this.tray = game.decision.host.tray
    this.asked = ''
    new MutationObserver(() => this.draw()).observe(this.tray, { attributeFilter: ['data-at', 'hidden'] })
    this.draw()
  }

  /** The card is another, or the game has gone on. */
  async draw() {
    const { api, board, recap, store } = this.game
    const space = this.tray.hidden || recap.film ? '' : (this.tray.dataset.at ?? '')
    const asked = space && `${space} ${store.seq}`
    if (asked === this.asked && (!asked || board.layers().some((l) => l.name === LAYER))) return
    this.asked = asked
    const parts = asked ? await api.get('/covers', { space }).catch(() => []) : []
    if (asked === this.asked) board.applyFragments({ [`layer:${LAYER}`]: parts.length ? { title: { key: 'game.covers' }, shown: true, parts } : null })
  }
}
