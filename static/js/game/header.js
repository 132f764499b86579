// @ts-check
// The head of the page: title and turn, the turn track with its steps, the players.
import { fill, h, s } from './dom.js'
import { phaseOf, roman } from './log.js'
import { sideOf } from './sides.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

/** The side's own emblem, so that colour is never alone. @param {string} side */
function sideSign(side) {
  return s(
    'svg',
    { class: 'sign', width: 16, height: 16, viewBox: '-4.5 -4.5 9 9', 'aria-hidden': 'true' },
    s('use', { href: `#e-${side}` }),
  )
}

export class Header {
  /** @param {Ctx} ctx @param {{game: HTMLElement, track: HTMLElement, players: HTMLElement}} at @param {string[]} seats */
  constructor(ctx, at, seats) {
    this.ctx = ctx
    this.at = at
    this.seats = seats
  }

  draw() {
    const { store, texts: t } = this.ctx
    const { turn, track } = store.fragments
    const over = Boolean(store.fragments.result ?? store.card?.result)
    const cell = track?.cells.find((/** @type {any} */ c) => c.state === 'now')
    const period = cell ? t.say(cell.title) : ''
    const dated = !cell || cell.label.includes('/') // "5/34" is May 1934
    const hour = cell?.label.includes(':')
    const number = dated ? '' : hour ? cell.label : t.t('game.turn_of', { turn: Number(cell.label) ? roman(Number(cell.label)) : cell.label })
    const step = over || !turn ? '' : t.say(phaseOf(turn))
    const phase = step ? h('span.phase', {}, step) : null
    const [first, last] = dated ? [period, ''] : [number, period] // what is short comes first: on a phone the end may be cut
    const said = (/** @type {string} */ words) => (words ? h('span', {}, words) : null)
    const unproved = store.card?.imported?.faults.length ? h('span.tag.unproved', { title: t.t('game.unproved_what') }, t.t('game.unproved')) : null
    fill(this.at.game, h('span', {}, t.t('title.name')), h('small', {}, said(first), phase, last ? h(step.includes(last) ? 'span.twice' : 'span', {}, last) : null), unproved)
    fill(
      this.at.track,
      h(
        'ol.turns',
        { 'aria-label': t.t('game.track') },
        (track?.cells ?? []).map((/** @type {any} */ c) =>
          h(
            'li',
            {
              class: [c.state, ...(c.marks ?? [])].join(' '),
              title: [t.say(c.title), ...(c.marks ?? []).map((/** @type {string} */ m) => t.t(`mark.${m}`))].filter(Boolean).join(', '),
              'aria-current': c.state === 'now' ? 'step' : undefined,
            },
            c.label,
          ),
        ),
      ),
      h(
        'ol.steps',
        {},
        (turn?.steps ?? []).map((/** @type {any} */ step) =>
          h('li', { class: over ? '' : step.state, 'aria-current': step.state === 'now' && !over ? 'step' : undefined }, t.say(step.label)),
        ),
      ),
    )
    this.players()
    document.title = t.t('game.page_title', { title: t.t('title.name'), mark: store.request?.mine ? '● ' : '' })
  }

  players() {
    const { store, texts: t } = this.ctx
    const request = store.request
    fill(
      this.at.players,
      this.seats.map((seat) => {
        const who = store.card?.seats?.[seat] ?? {}
        const asked = Boolean(request?.asked.includes(seat))
        const mine = store.card?.your_seats?.includes(seat)
        const side = sideOf(store.card, seat)
        return h(
          'div.player',
          { class: `side-${side} seat-${seat} ${asked ? 'active' : ''} ${mine ? 'you' : ''}` },
          sideSign(side),
          h(
            'span.name',
            {},
            who.name ??
              (who.bot ? t.t('game.bot_named', { name: t.has(`bot.${who.bot}`) ? t.t(`bot.${who.bot}`) : who.bot }) : t.t(who.guest ? 'game.guest' : 'game.nobody')),
            h('small', {}, t.seat(seat), side === seat ? '' : ` (${t.seat(side)})`, mine ? ` · ${t.t('game.you')}` : ''),
          ),
          h(
            'span.dot',
            {
              class: who.bot ? 'bot' : who.online ? 'on' : 'off',
              title: t.t(who.bot ? 'game.bot' : who.online ? 'game.online' : 'game.offline'),
            },
            h('span.vh', {}, t.t(who.bot ? 'game.bot' : who.online ? 'game.online' : 'game.offline')),
          ),
          asked ? h('span.vh', {}, t.t('game.to_move')) : null,
        )
      }),
    )
  }
}
