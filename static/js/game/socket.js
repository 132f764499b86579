// @ts-check
// The live connection to a game: notices when it is dead, opens another by itself, and catches up from the last entry seen.

const FIRST_WAIT = 500,
  LONGEST_WAIT = 20_000,
  PING_EVERY = 15_000,
  PATIENCE = 5_000, // for whatever must be answered: a ping, a question, an answer, the opening itself
  LONGEST_SLEEP = 40_000 // between two pulses: then the machine slept, and so did the connection

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
    this.heard = 0 // when something came last
    this.spoke = false // whether anything came over what is there now
    this.beaten = Date.now()
    this.retry = 0
    this.doubt = 0
    this.n = 0
    /** @type {Map<number, {resolve: (v: any) => void, reject: (e: Error) => void}>} */
    this.waiting = new Map()
    this.pulse = setInterval(() => this.beat(), PING_EVERY)
    this.online = () => this.renew()
    this.seen = () => {
      if (!document.hidden) this.beat()
    }
    addEventListener('online', this.online)
    document.addEventListener('visibilitychange', this.seen)
    this.connect()
  }

  get open() {
    return this.ws?.readyState === WebSocket.OPEN
  }

  connect() {
    clearTimeout(this.retry)
    if (this.closed || this.ws) return
    const target = new URL(this.url(), location.href)
    target.protocol = target.protocol === 'https:' ? 'wss:' : 'ws:'
    const ws = new WebSocket(target)
    this.ws = ws
    this.spoke = false
    this.expect() // the server speaks first
    ws.onmessage = (event) => {
      this.hear()
      this.receive(JSON.parse(event.data))
    }
    ws.onclose = ({ reason }) => {
      // the rules have changed under the game: its address now leads to the page that mends it
      if (reason === 'games.out_of_step') return location.reload()
      this.later()
    }
  }

  /** Something came: what is there is alive. */
  hear() {
    this.heard = Date.now()
    this.wait = FIRST_WAIT
    clearTimeout(this.doubt)
    this.doubt = 0
    if (this.spoke) return
    this.spoke = true
    this.onstate(true)
  }

  /** Something must come: if nothing does for a few seconds, what is there is dead. */
  expect() {
    this.doubt ||= setTimeout(() => (this.spoke ? this.renew() : this.later()), PATIENCE)
  }

  /** Another one after a while, each time after a longer one. */
  later() {
    this.drop()
    this.retry = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2))
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT)
  }

  /** Gives up what is there, without waiting for its close, which may take minutes; its questions are offline. */
  drop() {
    clearTimeout(this.doubt)
    this.doubt = 0
    const { ws } = this
    this.ws = null
    if (ws) {
      ws.onmessage = ws.onclose = null
      ws.close()
    }
    for (const { reject } of this.waiting.values()) reject(new Error('offline'))
    this.waiting.clear()
    if (!this.closed) this.onstate(false)
  }

  /** Another connection in its place, at once. */
  renew() {
    if (this.closed) return
    this.drop()
    this.connect()
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

  /** @param {any} message @returns {boolean} whether it went out; whether it arrived only a reply can tell */
  send(message) {
    if (!this.open) return false
    this.ws?.send(JSON.stringify(message))
    return true
  }

  /**
   * Send a question with a number and wait for the reply that bears it: a refusal has a `key`, a connection that is lost
   * meanwhile has none. @param {any} message @returns {Promise<any>}
   */
  ask(message) {
    const n = ++this.n
    return new Promise((resolve, reject) => {
      this.waiting.set(n, { resolve, reject })
      if (this.send({ ...message, n })) return this.expect()
      this.waiting.delete(n)
      reject(new Error('offline'))
    })
  }

  beat() {
    const slept = Date.now() - this.beaten > LONGEST_SLEEP && !document.hidden
    this.beaten = Date.now()
    if (!this.ws) return this.connect()
    if (slept && Date.now() - this.heard > LONGEST_SLEEP) return this.renew()
    if (this.send({ type: 'ping' })) this.expect()
  }

  close() {
    this.closed = true
    clearInterval(this.pulse)
    clearTimeout(this.retry)
    removeEventListener('online', this.online)
    document.removeEventListener('visibilitychange', this.seen)
    this.drop()
  }
}
