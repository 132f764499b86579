// @ts-check
// A board that one tries, over HTTP alone: each answer is a node of its branches, and dice may be laid by hand.
import { GameApi, request } from './api.js'
import { Sync } from './sync.js'

export class BoardApi extends GameApi {
  /** @param {string} board */
  constructor(board) {
    super(board, null)
    this.base = `/api/boards/${encodeURIComponent(board)}`
    /** where the board stands */
    this.node = 0
  }

  /** What is asked of a position is asked of this one. @param {string} path @param {Record<string, any>} [query] */
  url(path, query = {}) {
    return super.url(path, this.with(path, query))
  }

  /** @param {string} path @param {Record<string, any>} query */
  with(path, query) {
    return ['/forecast', '/covers', '/hints'].includes(path) ? { node: this.node, ...query } : query
  }
}

export class BoardSync extends Sync {
  /**
   * @param {import('./store.js').Store} store @param {BoardApi} api @param {ConstructorParameters<typeof Sync>[2]} on
   * @param {{laying: () => boolean, lay: (due: any) => Promise<number[] | null>, moved: (body: any) => void, copied: (id: string) => void}} page
   */
  constructor(store, api, on, page) {
    super(store, api, on)
    this.page = page
    this.node = 0
    this.doubting = false
  }

  connect() {}

  async past() {}

  async doubt() {
    if (this.doubting) return
    this.doubting = true
    await this.go(this.node)
  }

  async catchUp() {
    await this.go(this.node)
  }

  /** @param {any} body */
  start(body) {
    this.whole(body)
  }

  /** The board as it stands at a node. @param {number} node */
  async go(node) {
    this.whole(await this.api.get('/view', { node }))
  }

  /** @param {any} body */
  whole(body) {
    this.node = body.node
    this.store.entries.clear()
    this.store.addEntries(body.entries)
    this.page.moved(body)
    this.takeView(body)
    this.on.onlog()
  }

  /** @param {number} _seq @param {string} _key @param {any} answer @returns {Promise<number>} */
  async answer(_seq, _key, answer) {
    const dice = this.page.laying() ? /** @type {number[][]} */ ([]) : null
    for (;;) {
      const said = await this.api.post('/answers', { node: this.node, answer, dice })
      if (!said.due) return this.took(said)
      const faces = await this.page.lay(said.due)
      if (!faces) {
        await this.go(this.node)
        return this.store.seq
      }
      dice?.push(faces)
    }
  }

  /** The next answer of the example. */
  async step() {
    this.took(await this.api.post('/step', { node: this.node }))
  }

  /** What is guessed is dealt anew. */
  async deal() {
    this.whole(await this.api.post('/deal', {}))
  }

  /** @param {any} said @returns {number} the entry of the answer */
  took(said) {
    this.node = said.node
    this.page.moved(said)
    this.told(said)
    this.on.onlog()
    return said.entries[0]?.seq ?? said.seq
  }

  /** @param {'answer' | 'preview' | 'reach'} type @param {any} body */
  ask(type, body) {
    return this.api.post(`/${type}`, { node: this.node, ...body })
  }

  /** A board of one's own with all of this one's branches. */
  async copy() {
    const { id } = await request(`${this.api.base}/copy`, { method: 'POST', body: {} })
    this.page.copied(id)
  }
}
