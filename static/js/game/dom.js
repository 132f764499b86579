// @ts-check
// Building and finding elements. Text always goes in as text nodes, never as markup.

/** @typedef {Node | string | number | null | undefined | false | Array<any>} Child */

/**
 * Make an element: `h('button.go', {type: 'button', onclick}, 'Move')`.
 * @param {string} spec tag and classes, `tag.class.class`
 * @param {Record<string, any>} [props] attributes; `on…` are listeners, `data` goes to the data set, `style` to the style
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split('.')
  const el = document.createElement(tag || 'div')
  if (classes.length) el.className = classes.join(' ')
  setProps(el, props)
  add(el, children)
  return el
}

/** @param {Element} el @param {Record<string, any>} props */
function setProps(el, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) el.addEventListener(name.slice(2), value)
    else if (name === 'data') for (const [k, v] of Object.entries(value)) /** @type {HTMLElement} */ (el).dataset[k] = String(v)
    else if (name === 'style') for (const [k, v] of Object.entries(value)) /** @type {HTMLElement} */ (el).style.setProperty(k, String(v))
    else if (name === 'class') el.classList.add(...String(value).split(' ').filter(Boolean))
    else if (name === 'checked' || name === 'disabled' || name === 'value' || name === 'indeterminate')
      /** @type {any} */ (el)[name] = value
    else el.setAttribute(name, value === true ? '' : String(value))
  }
}

const SVG = 'http://www.w3.org/2000/svg'

/**
 * Make an SVG element.
 * @param {string} tag @param {Record<string, string | number>} [attrs] @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, attrs = {}, ...children) {
  const el = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attrs)) el.setAttribute(name, String(value))
  add(el, children)
  return el
}

/** @param {Element} el @param {Child[]} children */
function add(el, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (Array.isArray(child)) add(el, child)
    else el.append(child instanceof Node ? child : String(child))
  }
}

/**
 * Replace all children, keeping the keyboard focus on the control with the same `data-key`; where there is none any more, the
 * element itself takes it, so that Tab goes on from here.
 * @param {HTMLElement} el @param {...Child} children
 */
export function fill(el, ...children) {
  const held = el.contains(document.activeElement)
  const key = held ? /** @type {HTMLElement} */ (document.activeElement).dataset.key : undefined
  const top = el.scrollTop
  el.replaceChildren()
  add(el, children)
  el.scrollTop = top
  if (!held) return
  if (key) /** @type {HTMLElement | null} */ (el.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({ preventScroll: true })
  if (el.contains(document.activeElement)) return
  if (!el.hasAttribute('tabindex')) el.tabIndex = -1
  el.focus({ preventScroll: true })
}

/** The element with this id; the page's template promises it. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const el = document.getElementById(id)
  if (!el) throw new Error(`the page has no #${id}`)
  return el
}

/**
 * A button.
 * @param {Child} label @param {() => void} onclick
 * @param {{class?: string, key?: string, disabled?: boolean, title?: string, pressed?: boolean}} [opts]
 */
export function button(label, onclick, opts = {}) {
  return h(
    'button',
    {
      type: 'button',
      class: opts.class,
      disabled: opts.disabled,
      title: opts.title,
      onclick,
      'aria-label': opts.title && typeof label !== 'string' ? opts.title : undefined,
      'aria-pressed': opts.pressed === undefined ? undefined : String(opts.pressed),
      data: opts.key ? { key: opts.key } : {},
    },
    label,
  )
}

/** The first view is there: what it can do without comes after this. */
export const shown = new Promise((done) => addEventListener('shown', done, { once: true }))

/** Styles that come with the module which needs them. @param {string} name of a sheet */
export function styled(name) {
  const href = new URL(`../../css/${name}.css`, import.meta.url).pathname
  if (!document.querySelector(`link[href="${href}"]`)) document.head.append(h('link', { rel: 'stylesheet', href }))
}
