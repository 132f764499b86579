// @ts-check
// The tools that answer forms, each loaded when a form of its kind is first asked.
import { ChooseTool } from './choose.js'

/** @typedef {import('./decision.js').Ctx} Ctx */

/** @type {Record<string, () => Promise<new (ctx: Ctx, form: any) => any>>} */
const LOAD = {
  allocate: async () => (await import('./allocate_tool.js')).AllocateTool,
  arrange: async () => (await import('./arrange_tool.js')).ArrangeTool,
  declare: async () => (await import('./declare_tool.js')).DeclareTool,
  line: async () => (await import('./line_tool.js')).LineTool,
  move: async () => (await import('./move_tool.js')).MoveTool,
  place: async () => (await import('./place_tool.js')).PlaceTool,
}

/** @type {Map<string, new (ctx: Ctx, form: any) => any>} */
const loaded = new Map([['choose', ChooseTool]])

/** Ask what the answer of a tool would do; its `preview` is null until that is known. @param {{ctx: Ctx, draft: {answer: () => any}, preview: any}} tool */
export async function weigh(tool) {
  tool.preview = null
  const said = await tool.ctx.preview(tool.draft.answer())
  if (!said) return
  tool.preview = said
  tool.ctx.redraw()
}

/** Before places in an order, which are not on the map. */
export const SLOT = 'slot:'

/** Whether a form of kind `place` asks for an order in slots only. @param {any} form */
export const isLine = (form) => form.kind === 'place' && form.groups.every((/** @type {any} */ g) => g.where.every((/** @type {string} */ loc) => loc.startsWith(SLOT)))

/** @param {any} form */
const toolOf = (form) => (isLine(form) ? 'line' : form.kind)

/** Fetch what a request needs; at once when it is here already. @param {any} request */
export async function loadTools(request) {
  const missing = new Set((request?.forms ?? []).map(toolOf).filter((/** @type {string} */ name) => !loaded.has(name)))
  await Promise.all([...missing].map(async (name) => loaded.set(name, await LOAD[name]())))
}

/** @param {Ctx} ctx @param {any} form of a request whose tools are loaded */
export function makeTool(ctx, form) {
  const Tool = loaded.get(toolOf(form))
  if (!Tool) throw new Error(`no tool for ${form.kind}`)
  return new Tool(ctx, form)
}
