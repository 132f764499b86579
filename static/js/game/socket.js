// @ts-check
// The live line to a game: reconnects by itself and catches up from the last entry it has seen.

const FIRST_WAIT = 500,
  LONGEST_WAIT = 20_000,
  PING_EVERY = 25_000,
  SILENCE = 60_000

export class GameSocket {
  /**
   * @param {{url: () => string, onmessage: (message: any) => void, onstate: (online: boolean) => void}} opts
   *   `url` is asked at every attempt, since it carries the last entry seen
   */
  constructor({ url, onmessage, onstate }) {
    this.url = url
    this.onmessage = onmessage
    this.onstate = onstate
    this.wait = FIRST_WAIT
    this.closed = false
    /** @type {WebSocket | null} */
    this.ws = null
    this.heard = 0
    this.retry = 0
    this.n = 0
    /** @type {Map<number, {resolve: (v: any) => void, reject: (e: Error) => void}>} */
    this.waiting = new Map()
    this.pulse = setInterval(() => this.beat(), PING_EVERY)
    this.wake = () => {
      if (!this.open) this.connect()
    }
    addEventListener('online', this.wake)
    this.connect()
  }

  get open() {
    return this.ws?.readyState === WebSocket.OPEN
  }

  connect() {
    clearTimeout(this.retry)
    if (this.closed || this.ws?.readyState === WebSocket.CONNECTING) return
    const target = new URL(this.url(), location.href)
    target.protocol = target.protocol === 'https:' ? 'wss:' : 'ws:'
    const ws = new WebSocket(target)
    this.ws = ws
    ws.onopen = () => {
      this.wait = FIRST_WAIT
      this.heard = Date.now()
      this.onstate(true)
    }
    ws.onmessage = (event) => {
      this.heard = Date.now()
      this.receive(JSON.parse(event.data))
    }
    ws.onclose = ({ reason }) => {
      if (this.ws !== ws) return
      // the rules have changed under the game: its address now leads to the page that mends it
      if (reason === 'games.out_of_step') return location.reload()
      for (const { reject } of this.waiting.values()) reject(new Error('offline'))
      this.waiting.clear()
      if (this.closed) return
      this.onstate(false)
      this.retry = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2))
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT)
    }
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === 'pong') return
    const asked = message.n === undefined ? undefined : this.waiting.get(message.n)
    if (asked) {
      this.waiting.delete(message.n)
      if (message.error) asked.reject(Object.assign(new Error(message.error.key), message.error))
      else asked.resolve(message)
      return
    }
    this.onmessage(message)
  }

  /** @param {any} message @returns {boolean} whether it went out */
  send(message) {
    if (!this.open) return false
    this.ws?.send(JSON.stringify(message))
    return true
  }

  /** Send a question with a number and wait for the reply that bears it. @param {any} message @returns {Promise<any>} */
  ask(message) {
    const n = ++this.n
    return new Promise((resolve, reject) => {
      this.waiting.set(n, { resolve, reject })
      if (!this.send({ ...message, n })) {
        this.waiting.delete(n)
        reject(new Error('offline'))
      }
    })
  }

  beat() {
    if (!this.open) return
    if (Date.now() - this.heard > SILENCE) this.ws?.close()
    else this.send({ type: 'ping' })
  }

  close() {
    this.closed = true
    clearInterval(this.pulse)
    clearTimeout(this.retry)
    removeEventListener('online', this.wake)
    this.ws?.close()
  }
}
