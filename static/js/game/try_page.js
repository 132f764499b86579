// @ts-check
// The page of a board that one tries: the game's page without an opponent, with its branches in a panel of their own.
import { request } from './api.js'
import { Game } from './ctrl.js'
import { button, byId, fill, h } from './dom.js'
import { menu, nextTheme, showKeys, toast } from './menu.js'
import { BoardApi, BoardSync } from './try_sync.js'
import { layDice } from './try_dice.js'

export class TryPage extends Game {
  /** @param {import('./ctrl.js').Parts} parts */
  constructor(parts) {
    super({ ...parts, seat: null })
    /** @type {BoardApi} */
    this.api = this.newApi(parts.game)
    const { on } = this.sync
    /** @type {any} what was last told of the board: its branches, and whose it is */
    this.around = parts.first
    this.laying = false
    this.board_ = new BoardSync(this.store, this.api, on, {
      laying: () => this.laying,
      lay: (due) => layDice(this.ctx, due),
      moved: (body) => this.moved(body),
      copied: (id) => location.assign(`/boards/${id}#${this.board_.node}`),
    })
    this.sync = this.board_
    /** @type {import('./try_hand.js').Hand | null} while a position is put by hand */
    this.hand = null
    this.aids.loadSketch = () => this.loadSketch()
    for (const name of ['chat', 'notes']) byId(`pane-${name}`).dataset.off = 'off'
    byId('menu').replaceChildren()
    menu(this.ctx, byId('menu'), { items: () => this.items() })
    this.tabs.open('board')
    addEventListener('hashchange', () => this.goto(Number(location.hash.slice(1)) || 0))
  }

  /** @param {string} board */
  newApi(board) {
    return new BoardApi(board)
  }

  async start() {
    const node = Number(location.hash.slice(1)) || 0
    const { loadTools } = await import('./tools.js')
    await loadTools(this.parts.first.request)
    this.sync.start(this.parts.first)
    if (node) await this.goto(node)
    setTimeout(() => this.past().catch((error) => this.refused(error)))
  }

  async past() {
    const { Peek } = await import('./peek.js')
    new Peek(() => this.shown, byId('map'), () => !byId('tray').hidden)
    this.turn = new (await import('./turn.js')).Turn(this, true)
    this.drawPanes()
  }

  /** Nothing is hidden here, and nobody else plays. */
  get mine() {
    return this.parts.card.your_seats
  }

  items() {
    const { node } = this.board_
    const rules = `/titles/${byId('main').dataset.title}/rules`
    return [
      { key: 'of_map', items: [
        { key: 'find', act: () => this.aids.openFind() },
        ...(this.around.mine ? [{ key: 'sketch', act: () => this.aids.openSketch() }] : []),
        { key: 'text', act: () => this.toggleText() },
        { key: 'print', act: () => print() },
        { key: 'rules', href: rules },
      ] },
      { key: 'of_game', items: [
        ...(this.around.mine ? [{ key: 'by_hand', act: () => this.byHand() }] : []),
        { key: 'file', href: this.api.url('/file', { node }) },
        ...(this.around.game ? [{ key: 'game', href: `/games/${this.around.game}` }] : []),
      ] },
      { key: 'of_page', items: [
        { key: 'theme', act: () => nextTheme() },
        { key: 'keys', act: () => showKeys(this.ctx) },
        { key: 'lobby', href: '/' },
      ] },
    ]
  }

  /** @param {any} body */
  moved(body) {
    this.around = body
    this.api.node = body.node
    this.store.card = this.parts.card
    const hash = body.node ? `#${body.node}` : location.pathname
    if (location.hash !== hash) history.replaceState(null, '', hash)
    this.drawn()
    this.drawBoard()
  }

  /** The node where the board stands. */
  get here() {
    return this.around.nodes.find((/** @type {any} */ n) => n.id === this.around.node)
  }

  /** What was drawn beside this node. */
  drawn() {
    const plans = { arrows: [], rings: [], notes: {}, ...this.here?.plans }
    const { sketch } = this.aids
    if (sketch) {
      sketch.plans = plans
      sketch.path = []
      sketch.show()
    } else if (this.plotted || this.here?.plans?.arrows) this.board.setPlans(plans).catch(() => undefined)
    this.plotted = Boolean(this.here?.plans?.arrows)
  }

  async loadSketch() {
    const { Sketch } = await import('./sketch.js')
    const sketch = new Sketch(this.ctx, byId('sketch'), {
      load: async () => ({ arrows: [], rings: [], notes: {}, ...this.here?.plans }),
      save: (plans) => {
        const { here } = this
        here.plans = plans
        return this.api.post('/note', { node: here.id, text: here.note, plans }, 'PUT')
      },
      onclose: () => this.redraw(),
    })
    await sketch.load()
    this.aids.sketch = sketch
    return sketch
  }

  /** Counters are picked up and put down; what was under way is gone back to before. */
  async byHand() {
    await this.doing(async () => {
      let { here } = this
      if (!here.rests) {
        while (here && !here.rests && here.parent !== null) here = this.around.nodes[here.parent]
        await this.board_.go(here.id)
        toast(this.texts.t('boards.hand_back'))
      }
      const { Hand } = await import('./try_hand.js')
      this.hand = new Hand(this)
      await this.hand.open()
    })
  }

  /** @param {string | null} loc */
  tap(loc) {
    if (this.hand) this.hand.tap(loc)
    else super.tap(loc)
  }

  /** @param {number} node */
  async goto(node) {
    if (node === this.board_.node) return
    try {
      await this.board_.go(node)
    } catch (error) {
      this.refused(error)
    }
  }

  /** @param {() => Promise<any>} deed */
  async doing(deed) {
    try {
      await deed()
    } catch (error) {
      this.refused(error)
    }
  }

  drawBoard() {
    if (this.hand) return this.hand.draw()
    const t = this.texts,
      { around, here } = this
    const script = around.script > 0 && !led(around.nodes, around.node).some((n) => n.put || n.dealt) && led(around.nodes, around.node).length < around.script
    fill(byId('pane-board'), [
      h(
        'div.board-acts',
        {},
        here?.parent !== null && button(t.t('boards.back'), () => this.goto(here.parent), { key: 'back' }),
        script && around.mine && button(t.t('boards.next'), () => this.doing(() => this.board_.step()), { class: 'go', key: 'next' }),
        button(t.t(this.laying ? 'boards.laying' : 'boards.falling'), () => this.turnDice(), { pressed: this.laying, key: 'dice' }),
        around.mine && button(t.t('boards.by_hand'), () => this.byHand(), { key: 'by-hand' }),
        around.mine && around.guess && button(t.t('boards.deal'), () => this.doing(() => this.board_.deal()), { key: 'deal' }),
        !around.private && button(t.t('boards.share'), () => this.share(), { key: 'share' }),
        !around.mine && button(t.t('boards.copy'), () => this.doing(() => this.board_.copy()), { class: 'go', key: 'copy' }),
        around.mine && around.account && button(t.t(around.kept ? 'boards.let_go' : 'boards.keep'), () => this.keep(), { key: 'keep' }),
      ),
      this.noteBox(here),
      h('h3', {}, t.t('boards.branches')),
      this.branch(null),
    ])
  }

  /** What one writes beside the node where the board stands. @param {any} here */
  noteBox(here) {
    const t = this.texts
    if (!this.around.mine) return here?.note ? h('p.note', {}, here.note) : null
    const text = /** @type {HTMLTextAreaElement} */ (
      h('textarea', { rows: 2, maxlength: 500, 'aria-label': t.t('boards.note'), placeholder: t.t('boards.note') }, here?.note ?? '')
    )
    text.addEventListener('change', () =>
      this.doing(async () => {
        await this.api.post('/note', { node: here.id, text: text.value }, 'PUT')
        here.note = text.value
        this.drawBoard()
      }),
    )
    return text
  }

  /** The answers that follow a node, one below the other; where there are several each begins a list. @param {number | null} parent @returns {HTMLElement} */
  branch(parent) {
    const rows = /** @type {HTMLElement[]} */ ([])
    let next = this.around.nodes.filter((/** @type {any} */ n) => n.parent === parent)
    while (next.length === 1) {
      rows.push(this.leaf(next[0]))
      next = this.around.nodes.filter((/** @type {any} */ n) => n.parent === Number(rows.at(-1)?.dataset.node))
    }
    if (next.length) rows.push(h('li', {}, next.map((/** @type {any} */ n) => h('ul.branch', {}, this.leaf(n), this.branch(n.id)))))
    return h('ul.branch', {}, rows)
  }

  /** @param {any} node */
  leaf(node) {
    const t = this.texts
    const kind = node.put ? 'boards.by_hand' : node.dealt && node.id ? 'boards.dealt' : 'boards.begin'
    const form = node.form && t.has(`form.${node.form}`) ? t.t(`form.${node.form}`) : (node.form ?? t.t(kind))
    const words = [node.seat ? `${t.seat(node.seat)}: ${form}` : form, node.dice.length ? ` (${node.dice.join(', ')})` : '']
    return h(
      'li',
      { data: { node: node.id } },
      h('a', { href: `#${node.id}`, 'aria-current': node.id === this.around.node ? 'true' : undefined }, words),
      node.note && h('small', {}, node.note),
    )
  }

  turnDice() {
    this.laying = !this.laying
    this.drawBoard()
  }

  async share() {
    try {
      await navigator.clipboard.writeText(location.href)
      toast(this.texts.t('boards.copied'))
    } catch {
      prompt(this.texts.t('boards.share'), location.href)
    }
  }

  keep() {
    return this.doing(async () => {
      await request(`${this.api.base}/kept`, { method: 'PUT', body: { kept: !this.around.kept } })
      this.around.kept = !this.around.kept
      this.drawBoard()
    })
  }
}

/** The nodes that lead to one, itself included, without the first. @param {any[]} nodes @param {number} id @returns {any[]} */
function led(nodes, id) {
  const way = []
  for (let at = nodes[id]; at && (at.parent !== null || at.dealt); at = nodes[at.parent]) {
    way.push(at)
    if (at.parent === null) break
  }
  return way
}
