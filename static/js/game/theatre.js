// @ts-check
// Before the die that decides: both sides face to face, with what each drew and whether it takes effect.
import { dieFace } from './battle.js'
import { fill, h, styled } from './dom.js'

styled('theatre')

/** @param {import('./decision.js').Ctx} ctx @param {HTMLElement} host @param {import('./protocol.js').Drawn[]} drawn */
export function draw(ctx, host, drawn) {
  const t = ctx.texts
  fill(
    host,
    drawn.map(({ side, says, cards }) =>
      h(
        'section',
        { class: `side-${side}` },
        h('h3', {}, t.seat(side), ' ', h('small', {}, t.say(says))),
        h(
          'ul',
          {},
          cards.map(({ label, face, works }) =>
            h('li', { class: works ? 'works' : 'idle' }, dieFace(face, false), h('span', {}, t.say(label), works ? null : h('small', {}, t.t('game.odds.idle')))),
          ),
        ),
      ),
    ),
  )
}
