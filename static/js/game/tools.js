// @ts-check
// The tools that answer forms: for a form of kind KIND the default export of KIND_tool.js, loaded when it is first asked.

/** @typedef {import('./decision.js').Ctx} Ctx */
/** @typedef {import('./tool.js').Tool} Tool */
/** @typedef {import('./protocol.js').Form} Form */
/** @typedef {new (ctx: Ctx, form: any) => Tool} Kind */

/** @type {Map<string, Kind>} */
const loaded = new Map()

/** Fetch what a request needs; at once when it is here already. @param {{forms?: Form[]} | null} request */
export async function loadTools(request) {
  const missing = new Set((request?.forms ?? []).map((form) => form.kind).filter((kind) => !loaded.has(kind)))
  await Promise.all([...missing].map(async (kind) => loaded.set(kind, (await import(`./${kind}_tool.js`)).default)))
}

/** @param {Ctx} ctx @param {Form} form of a request whose tools are loaded */
export function makeTool(ctx, form) {
  const Kind = loaded.get(form.kind)
  if (!Kind) throw new Error(`no tool for ${form.kind}`)
  return new Kind(ctx, form)
}
