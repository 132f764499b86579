// @ts-check
// The page of a lesson: a board that one tries, with what is asked beside the map and what is said to each answer.
import { Refusal, request } from './api.js'
import { button, byId, fill, h } from './dom.js'
import { TryPage } from './try_page.js'
import { BoardApi } from './try_sync.js'

/** Answers and views of a lesson come with what the lesson says; all else is the board's. */
class LessonApi extends BoardApi {
  /** @param {string} path @param {Record<string, any>} [query] */
  url(path, query = {}) {
    const own = ['/view', '/answers', '/go', '/hints'].includes(path)
    return super.at((own ? this.base.replace('/api/boards/', '/api/lessons/') : this.base) + path, this.with(path, query))
  }

  /** @param {string} path @param {any} [body] @param {string} [method] */
  async post(path, body = {}, method = 'POST') {
    const said = await request(this.url(path), { method, body })
    if (!said?.refused) return said
    const { text, clause } = said.refused
    throw Object.assign(new Refusal(400, { error: { text, clause } }), { key: '', why: said.why, whyClause: said.clause })
  }
}

export class LessonPage extends TryPage {
  /** @param {import('./ctrl.js').Parts} parts */
  constructor(parts) {
    super(parts)
    /** how many hints of the step are shown */
    this.hints = 0
    /** @type {any} why the rules refused the last answer */
    this.no = null
    this.askedAt = ''
  }

  /** @param {string} board */
  newApi(board) {
    return new LessonApi(board)
  }

  /** @param {string} key @param {Record<string, any>} [args] */
  word(key, args = {}) {
    return String(this.parts.first.words[key]).replace(/\{(\w+)\}/g, (_, name) => args[name])
  }

  /** @param {any} body */
  moved(body) {
    const at = `${body.lesson.step} ${body.lesson.verdict === 'on'}`
    if (at !== this.askedAt) this.hints = 0
    this.askedAt = at
    this.no = null
    super.moved(body)
  }

  /** The map opens on what is asked. */
  begins() {
    const { at } = this.around.lesson
    return this.texts.names.places.has(at) ? at : super.begins()
  }

  /** @param {any} error */
  refused(error) {
    if (!error.why) super.refused(error)
    if (!(error instanceof Refusal) || error.status !== 400) return
    this.no = error
    this.drawLesson()
  }

  drawBoard() {
    const { around } = this
    fill(byId('pane-board'), [
      h(
        'div.board-acts',
        {},
        around.node > 0 && button(this.word('again'), () => this.goto(0), { key: 'again' }),
        h('a.button', { href: `/boards/${this.parts.game}#${around.node}` }, this.word('free')),
      ),
      h('h3', {}, this.texts.t('boards.branches')),
      this.branch(null),
    ])
    this.drawLesson()
  }

  drawLesson() {
    const { lesson } = this.around,
      host = byId('lesson')
    host.dataset.verdict = this.no ? 'refused' : lesson.verdict
    fill(host, [
      h('header', {}, h('h2', {}, lesson.title), h('small', {}, this.word('step', { n: Math.min(lesson.step + 1, lesson.of), of: lesson.of }))),
      h('div.said', { role: 'status' }, this.verdict(lesson)),
      !lesson.over && lesson.verdict === '' && lesson.step === 0 && h('p.goal', {}, lesson.goal),
      lesson.say && h('p.ask', {}, lesson.say),
      lesson.hints?.slice(0, this.hints).map((/** @type {string} */ hint) => h('p.hint-of', {}, hint)),
      lesson.over && h('p.success', {}, lesson.success),
      h('div.lesson-acts', {}, this.acts(lesson)),
    ])
  }

  /** What is said to the last answer. @param {any} lesson */
  verdict(lesson) {
    const clause = (/** @type {string | null} */ id) => (id ? [' ', this.ctx.clause(id)] : null)
    if (this.no)
      return h('p.no', {}, h('b', {}, this.word('refused')), ' ', this.no.why ? [this.no.why, clause(this.no.whyClause)] : [this.inWords(this.no), clause(this.no.clause)])
    if (lesson.verdict === 'wrong') return h('p.no', {}, h('b', {}, this.word('wrong')), ' ', lesson.why, clause(lesson.clause))
    if (lesson.verdict === 'allowed') return h('p.no', {}, this.word('allowed'))
    if (lesson.verdict === 'free') return h('p.no', {}, this.word('off'))
    if (lesson.verdict === 'on') return h('p', {}, this.word('on', { n: lesson.left }))
    return lesson.done ? h('p.yes', {}, lesson.verdict === 'right' && h('b', {}, this.word('right')), ' ', lesson.done) : null
  }

  /** @param {any} lesson */
  acts(lesson) {
    const here = this.around.nodes.find((/** @type {any} */ n) => n.id === this.around.node)
    const astray = ['wrong', 'allowed', 'free'].includes(lesson.verdict)
    if (astray) return button(this.word('back'), () => this.goto(here.parent ?? 0), { class: 'go', key: 'lesson-back' })
    if (lesson.over) return this.whatFollows()
    if (lesson.given) return button(this.word('go'), () => this.doing(() => this.goOn()), { class: 'go', key: 'lesson-go' })
    const hints = lesson.hints?.length ?? 0
    return [
      this.hints < hints && button(this.word(this.hints ? 'hint_more' : 'hint'), () => this.hint(), { key: 'lesson-hint' }),
      button(this.word('computer'), () => this.considered(), { class: 'quiet', key: 'lesson-computer' }),
      lesson.verdict === 'on' && button(this.word('back'), () => this.goto(here.parent ?? 0), { class: 'quiet', key: 'lesson-back' }),
    ]
  }

  hint() {
    this.hints += 1
    this.drawLesson()
  }

  /** What the computer would consider; the lesson may be about something else. */
  async considered() {
    const { showHints } = await import('./hints.js')
    await showHints(this, this.word('computer_what'))
  }

  /** The answer that the lesson gives itself. */
  async goOn() {
    this.board_.took(await this.api.post('/go', { node: this.around.node }))
  }

  whatFollows() {
    const { lesson_follows: follows } = this.parts.first
    const list = `/titles/${byId('main').dataset.title}/lessons`
    return [
      follows &&
        h('form', { method: 'post', action: `${list}/${follows.name}` }, h('button.go', { type: 'submit', data: { key: 'lesson-next' } }, this.word('next', follows))),
      h('a.button', { href: list }, this.word('all')),
      !document.body.dataset.account && h('a.button', { href: '/sign-up' }, this.word('keep')),
    ]
  }
}
