// @ts-check
// Keeping the store true: the first view, what is told, what was missed, and a whole view when in doubt.
import { GameSocket } from './socket.js'

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./api.js').GameApi} GameApi */

const TOLD_WITHIN = 1500 // ms
const OVERLAP = 50 // entries read again, since they may have been taken back

export class Sync {
  /**
   * @param {Store} store @param {GameApi} api
   * @param {{onview: (kept?: any) => void, ontold: (steps: any[]) => void, onlog: () => void, ontakenback: (to: number) => void, oncard: () => void, onchat: (message: any) => void, onrefused: (error: any) => void, online: (on: boolean) => void}} on
   */
  constructor(store, api, on) {
    this.store = store
    this.api = api
    this.on = on
    /** @type {GameSocket | null} */
    this.socket = null
    this.doubting = false
    /** @type {{seq: number, resolve: () => void}[]} */
    this.awaited = []
  }

  /** The first view, then the live line. @param {any} first what `GET view` gives, perhaps with the kept draft */
  start(first) {
    this.takeView(first)
    this.connect()
  }

  /** All that was told before; drawn once, however long it is. */
  async past() {
    await this.api.record(0, (entries) => this.store.addEntries(entries))
    this.on.onlog()
  }

  connect() {
    this.socket = new GameSocket({
      url: () => this.api.url('/socket', { since: this.store.seq }),
      onmessage: (message) => this.receive(message),
      onstate: (online) => this.on.online(online),
    })
  }

  stop() {
    this.socket?.close()
  }

  /** @param {any} body view, request, card and what may be taken back; with the page also the draft */
  takeView(body) {
    this.store.setView(body.view)
    this.store.request = body.request
    this.store.card = body.card ?? this.store.card
    this.store.takeBack = body.take_back
    this.doubting = false
    this.on.onview(body.draft)
    this.arrived()
  }

  /** @param {any} message */
  receive(message) {
    switch (message.type) {
      case 'view':
        return this.takeView(message)
      case 'told':
        return this.told(message)
      case 'taken_back':
        this.store.addEntries(message.entries)
        for (const entry of message.entries)
          if (entry.kind === 'take_back' || entry.kind === 'patch')
            this.store.retract(Math.min(message.to, ...entry.steps.map((/** @type {any} */ s) => s.data.to)), entry.seq)
        this.on.ontakenback(message.to)
        this.takeView(message)
        return this.on.onlog()
      case 'card':
        this.store.card = message
        return this.on.oncard()
      case 'chat':
        return this.on.onchat(message)
      case 'refused':
        return this.on.onrefused(message.error)
    }
  }

  /** @param {any} message */
  told(message) {
    const { store } = this
    const news = message.entries.filter((/** @type {any} */ e) => e.seq > store.seq)
    store.addEntries(message.entries)
    const steps = news.flatMap((/** @type {any} */ e) => e.steps)
    for (const step of steps) store.apply(step.fragments ?? {})
    if (message.seq >= store.seq) {
      store.seq = message.seq
      store.request = message.request
      store.takeBack = message.take_back
      if (message.digest !== store.digest) return this.doubt()
    }
    this.on.ontold(steps)
    this.arrived()
  }

  /** What is here may be wrong: ask for the whole. */
  async doubt() {
    if (this.doubting) return
    this.doubting = true
    if (!this.socket?.send({ type: 'view' })) await this.catchUp()
  }

  /** Everything anew over HTTP, and the entries that were missed or marked. */
  async catchUp() {
    const body = await this.api.get('/view')
    await this.api.record(Math.max(0, this.store.lastEntry - OVERLAP), (entries) => {
      this.store.addEntries(entries)
    })
    this.takeView(body)
    this.on.onlog()
  }

  /**
   * Give an answer; resolves to the number of its entry when its effects are in the store.
   * @param {number} seq the entry it answers @param {string} key one per click @param {any} answer @returns {Promise<number>}
   */
  async answer(seq, key, answer) {
    const { seq: entry } = await this.ask('answer', { seq, key, answer }, '/answers')
    if (this.store.seq < entry && this.socket?.open) await this.news(entry)
    if (this.store.seq < entry) await this.catchUp()
    return entry
  }

  /** The news of an entry; they come before the reply to an answer, unless something was in their way. @param {number} seq */
  news(seq) {
    return new Promise((/** @type {(v?: any) => void} */ resolve) => {
      this.awaited.push({ seq, resolve })
      setTimeout(resolve, TOLD_WITHIN)
    })
  }

  /** What waits for news that are here. */
  arrived() {
    for (const one of this.awaited) if (one.seq <= this.store.seq) one.resolve()
    this.awaited = this.awaited.filter((one) => one.seq > this.store.seq)
  }

  /**
   * Over the live connection; by HTTP without one, or when it is lost before the reply: what arrived twice counts once.
   * @param {'answer' | 'preview' | 'reach'} type @param {any} body @param {string} path of the game's API
   */
  async ask(type, body, path = `/${type}`) {
    if (this.socket?.open) {
      try {
        return await this.socket.ask({ type, ...body })
      } catch (error) {
        if (/** @type {any} */ (error).key) throw error
      }
    }
    return this.api.post(path, body)
  }
}
