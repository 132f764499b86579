// @ts-check
// Menu, tabs, themes and keys: what the page offers beside the game.
import { button, fill, h } from './dom.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

const THEMES = ['light', 'dark', 'contrast']

/** The theme that comes after the one shown. */
const comesNext = () => THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? '') + 1) % THEMES.length]

/** Light, dark and high contrast in turn; the server keeps it for the account. */
export function nextTheme() {
  const theme = comesNext()
  document.documentElement.dataset.theme = theme
  const form = new URLSearchParams({ theme, next: location.pathname })
  fetch('/preferences', { method: 'POST', body: form, credentials: 'same-origin', redirect: 'manual' }).catch(() => undefined)
}

/** @param {HTMLElement} at @param {import('./texts.js').Texts} t */
export function themeButton(at, t) {
  const draw = () => {
    at.textContent = t.t(`game.theme.${comesNext()}`)
  }
  at.addEventListener('click', nextTheme)
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ['data-theme'] })
  draw()
}

/** @typedef {{key: string, act?: () => void, href?: string, danger?: boolean}} Item */

/**
 * The menu: its items in groups, each with its heading; what ends the game stands last, apart.
 * @param {Ctx} ctx @param {HTMLElement} host @param {{items: () => {key: string, items: Item[]}[]}} opts
 */
export function menu(ctx, host, { items }) {
  const pop = h('div.menu-pop', { popover: 'auto', id: 'menu-pop' })
  const entry = (/** @type {Item} */ item) => {
    const words = ctx.texts.t(`game.menu.${item.key}`)
    if (item.href) return h('li', {}, h('a', { href: item.href }, words))
    const act = () => {
      pop.hidePopover()
      item.act?.()
    }
    return h('li', {}, button(words, act, { class: item.danger ? 'danger' : '' }))
  }
  const open = button(
    ctx.texts.t('game.menu'),
    () => {
      const groups = items().filter((group) => group.items.length)
      fill(pop, groups.map((group) => h('section', {}, h('h3', {}, ctx.texts.t(`game.menu.${group.key}`)), h('ul', {}, group.items.map(entry)))))
      pop.showPopover()
      const at = open.getBoundingClientRect()
      pop.style.top = `${at.bottom + 6}px`
      pop.style.right = `${Math.max(8, innerWidth - at.right)}px`
    },
    { class: 'menu-open' },
  )
  host.append(open, pop)
}

/** @typedef {[string, string][]} Keys  keys as printed on them, and the end of the text's name */

/** A question before something that can't be undone. @param {Ctx} ctx @param {string} key @param {() => void} yes @param {Record<string, any>} [args] */
export const ask = async (ctx, key, yes, args) => (await import('./dialogs.js')).ask(ctx, key, yes, args)

/** The list of keys. @param {Ctx} ctx @param {Keys} [rows] those of another page than the game's */
export const showKeys = async (ctx, rows) => (await import('./dialogs.js')).showKeys(ctx, rows)

/** A short word in the place of the hint, that goes by itself. @param {string} text @param {Node | null} [extra] */
export function toast(text, extra = null) {
  document.querySelector('.toast')?.remove()
  const el = h('p.toast', { role: 'status' }, text, ' ', extra)
  document.getElementById('foot')?.append(el)
  setTimeout(() => el.remove(), 6000)
}

export class Tabs {
  /** @param {HTMLElement} strip @param {Record<string, HTMLElement>} panes @param {(name: string) => string} label @param {(name: string) => void} onopen */
  constructor(strip, panes, label, onopen) {
    this.strip = strip
    this.panes = panes
    this.label = label
    this.onopen = onopen
    this.now = Object.keys(panes)[0]
    /** @type {Record<string, number>} */
    this.marks = {}
    strip.addEventListener('keydown', (e) => {
      const names = this.names(),
        i = names.indexOf(this.now)
      const to = e.key === 'ArrowRight' ? i + 1 : e.key === 'ArrowLeft' ? i - 1 : -1
      if (names[to]) this.open(names[to], true)
    })
  }

  names() {
    return Object.keys(this.panes).filter((n) => !this.panes[n].dataset.off)
  }

  /** A panel that was not there has something to show now. @param {string} name */
  add(name) {
    if (!this.panes[name].dataset.off) return
    delete this.panes[name].dataset.off
    this.draw()
  }

  /** @param {string} name @param {boolean} [focus] */
  open(name, focus = false) {
    this.now = name
    this.draw()
    this.onopen(name)
    if (focus) /** @type {HTMLElement | null} */ (this.strip.querySelector(`[data-key="${name}"]`))?.focus()
  }

  draw() {
    if (!this.names().includes(this.now)) this.now = 'log'
    for (const [name, pane] of Object.entries(this.panes)) pane.hidden = name !== this.now
    fill(
      this.strip,
      this.names().map((name) =>
        h(
          'button',
          {
            type: 'button',
            role: 'tab',
            'aria-selected': String(name === this.now),
            tabindex: name === this.now ? 0 : -1,
            'aria-controls': this.panes[name].id,
            data: { key: name },
            onclick: () => this.open(name),
          },
          this.label(name),
          this.marks[name] ? h('span.mark', {}, this.marks[name]) : null,
        ),
      ),
    )
    const now = /** @type {HTMLElement | null} */ (this.strip.querySelector('[aria-selected=true]'))
    if (now && now.offsetLeft + now.offsetWidth > this.strip.clientWidth) this.strip.scrollLeft = now.offsetLeft // never the column about it, whose head is the stack
  }
}
