// @ts-check
/** Small helpers for SVG nodes. */

const NS = 'http://www.w3.org/2000/svg'

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(NS, tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value))
  node.append(...children)
  return node
}

/** The root of SVG text, adopted into this document. @param {string} text @returns {SVGSVGElement} */
export function parse(text) {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  if (root.localName !== 'svg') throw new Error('not an SVG')
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(root, true)))
}

/** Whether the system asks for less motion. */
export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches
