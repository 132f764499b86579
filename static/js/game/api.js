// @ts-check
// The HTTP side of the protocol. Every call resolves to JSON or throws a `Refusal`.

/** A refusal in words the reader can be shown: nothing was changed. */
export class Refusal extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    const error = body?.error ?? {}
    super(error.text ?? error.key ?? `HTTP ${status}`)
    this.status = status
    this.key = error.key ?? 'game.error.unknown'
    this.args = error.args ?? {}
    this.clause = error.clause ?? null
    this.body = body
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {}

/**
 * @param {string} url @param {{method?: string, body?: any}} [opts]
 * @returns {Promise<any>}
 */
export async function request(url, { method = 'GET', body } = {}) {
  let response
  try {
    response = await fetch(url, {
      method,
      headers: body === undefined ? { accept: 'application/json' } : { accept: 'application/json', 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
    })
  } catch (cause) {
    throw new Unreachable('unreachable', { cause })
  }
  const type = response.headers.get('content-type') ?? ''
  const data = response.status !== 204 && type.includes('json') ? await response.json() : null
  if (!response.ok) throw new Refusal(response.status, data)
  return data
}

export class GameApi {
  /** @param {string} game @param {string | null} seat */
  constructor(game, seat) {
    /** the token of a private game's link, for those who only look on */
    this.token = new URLSearchParams(location.search).get('token')
    this.base = `/api/games/${encodeURIComponent(game)}`
    this.seat = seat
  }

  /** @param {string} path of the game's API @param {Record<string, any>} [query] */
  url(path, query = {}) {
    return this.at(this.base + path, query)
  }

  /** An address, with whose eyes to look. @param {string} path @param {Record<string, any>} [query] */
  at(path, query = {}) {
    const q = new URLSearchParams()
    for (const [k, v] of Object.entries({ ...query, seat: this.seat, token: this.token }))
      if (v !== null && v !== undefined) q.set(k, String(v))
    return `${path}${q.size ? `?${q}` : ''}`
  }

  /** @param {string} path @param {Record<string, any>} [query] */
  get(path, query) {
    return request(this.url(path, query))
  }

  /** @param {string} path @param {any} [body] @param {string} [method] */
  post(path, body = {}, method = 'POST') {
    return request(this.url(path), { method, body })
  }

  /**
   * Everything the seat was told from an entry on, page after page.
   * @param {number} since @param {(entries: any[]) => void} each
   */
  async record(since, each) {
    for (let from = /** @type {number | null} */ (since); from !== null && from !== undefined;) {
      const page = await this.get('/record', { since: from })
      each(page.entries)
      from = page.next ?? null
    }
  }
}
