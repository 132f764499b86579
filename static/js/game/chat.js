// @ts-check
// Chat between the players, and the reader's private notes.
import { button, fill, h } from './dom.js'
import { brief } from '../site/moment.js'
import { sideOf } from './sides.js'

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {{id: number, at: string, seat?: string | null, side?: string | null, name: string, text: string}} Message */

const SAVE_AFTER = 700

export class Chat {
  /** @param {Ctx} ctx @param {HTMLElement} host @param {{send: (text: string, to: string) => Promise<Message>, side: string | null, mayWrite: boolean, page: string, onunread: (n: number) => void, onread: () => void}} opts */
  constructor(ctx, host, opts) {
    this.ctx = ctx
    this.opts = opts
    /** @type {Message[]} */
    this.messages = []
    this.unread = 0
    this.open = false
    this.list = h('ol.talk', { 'aria-live': 'polite', 'aria-label': ctx.texts.t('game.tab.chat'), tabindex: 0 })
    this.input = /** @type {HTMLInputElement} */ (
      h('input', {
        type: 'text',
        maxlength: 2000,
        autocomplete: 'off',
        'aria-label': ctx.texts.t('game.chat.write'),
        placeholder: ctx.texts.t('game.chat.write'),
      })
    )
    const t = ctx.texts
    /** To whom: shown where partners play on the reader's side. */
    this.to = /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { 'aria-label': t.t('game.chat.to') },
        h('option', { value: 'all' }, t.t('game.chat.to_all')),
        opts.side ? h('option', { value: 'side' }, t.t('game.chat.to_side', { side: opts.side })) : null,
      )
    )
    host.append(
      this.list,
      ...(opts.mayWrite ? [h('a.whole', { href: opts.page }, ctx.texts.t('game.chat.page'))] : []),
      opts.mayWrite
        ? h(
            'form.write',
            {
              onsubmit: (/** @type {Event} */ e) => {
                e.preventDefault()
                this.say()
              },
            },
            opts.side ? this.to : null,
            this.input,
            button(ctx.texts.t('game.chat.send'), () => this.say()),
          )
        : h('p.empty', {}, ctx.texts.t('game.chat.only_players')),
    )
    this.draw()
  }

  async say() {
    const text = this.input.value.trim()
    if (!text) return
    this.input.value = ''
    try {
      this.hear(await this.opts.send(text, this.to.value))
    } catch {
      this.input.value = text
      this.ctx.toast(this.ctx.texts.t('game.chat.not_sent'))
    }
  }

  /** @param {Message[]} messages */
  set(messages) {
    this.messages = messages
    this.draw()
  }

  /** @param {Message} message */
  hear(message) {
    if (this.messages.some((m) => m.id === message.id)) return
    this.messages.push(message)
    if (this.open) this.opts.onread()
    else this.unread++
    this.opts.onunread(this.unread)
    this.draw()
  }

  /** @param {boolean} open */
  show(open) {
    this.open = open
    if (open) {
      this.unread = 0
      this.opts.onread()
    }
    this.opts.onunread(this.unread)
    if (open) this.list.scrollTop = this.list.scrollHeight
  }

  draw() {
    const t = this.ctx.texts
    fill(
      this.list,
      this.messages.length
        ? this.messages.map((m) =>
            h(
              'li',
              { class: `${m.seat ? `side-${sideOf(this.ctx.store.card, m.seat)}` : ''} ${m.side ? 'to-side' : ''}` },
              h('b', {}, m.name),
              h('time', { datetime: m.at }, brief(m.at, t.lang)),
              m.side ? h('small', {}, ` ${t.t('game.chat.to_side', { side: m.side })}`) : null,
              h('p', {}, m.text),
            ),
          )
        : h('li.empty', {}, t.t('game.chat.empty')),
    )
    this.list.scrollTop = this.list.scrollHeight
  }
}

/** Private notes, saved as one writes. @param {Ctx} ctx @param {HTMLElement} host @param {import('./api.js').GameApi} api */
export async function openNotes(ctx, host, api) {
  const t = ctx.texts,
    state = h('small.state', { role: 'status' })
  const area = /** @type {HTMLTextAreaElement} */ (
    h('textarea', { 'aria-label': t.t('game.notes.title'), placeholder: t.t('game.notes.hint') })
  )
  fill(host, area, state)
  let timer = 0
  const save = async () => {
    try {
      await api.post('/notes', { text: area.value }, 'PUT')
      state.textContent = t.t('game.notes.saved')
    } catch {
      state.textContent = t.t('game.notes.not_saved')
    }
  }
  area.addEventListener('input', () => {
    state.textContent = ''
    clearTimeout(timer)
    timer = setTimeout(save, SAVE_AFTER)
  })
  area.value = (await api.get('/notes')).text ?? ''
}
