// @ts-check
/**
 * The board: a map with counters that can be looked at, pointed at and drawn upon. It knows no rule and no socket.
 *
 *     const board = createBoard(element, { mapSvgText, symbolsSvgText, units, places: await placesOf(map, units), label })
 *     board.setFragments(view.fragments)
 *     board.on('tap', ({ loc, unit }) => ...)
 *
 * @typedef {import('./geometry.js').Places} Places
 * @typedef {import('./geometry.js').Point} Point
 * @typedef {object} Options
 * @property {string} mapSvgText  text of map.svg
 * @property {string} symbolsSvgText  text of counters.svg
 * @property {Record<string, {nation?: string, side?: string}>} units  units.json `units`
 * @property {Places} places  geometry of the map (places.js)
 * @property {string} label  accessible name of the board
 * @property {string} [help]  how to use it by keyboard, read after the name
 * @property {(said: import('./map_layers.js').Said) => string} [say]  words on the layers of the map
 * @property {(loc: string) => string} [describe]  what a screen reader hears when the cursor comes to a place
 * @property {boolean} [later]  whether what the first view can do without waits for `refit`
 * @property {() => {fixed: Iterable<Element>, passing: Iterable<Element>}} [covers]  what of the page may lie over the
 *     board, all the time or for a while: the whole sheet, and what is to be seen, is shown where it is free
 *
 * @typedef {object} BoardEvent
 * @property {string | null} loc  the place under the pointer or cursor
 * @property {string | null} unit  the top unit seen there
 * @property {string} pointerType  mouse, touch, pen or keyboard
 * @property {Point} point  in the board's element, CSS pixels
 * @property {string | null} [from]  drag and drop: the place the units were taken up at
 * @property {'start' | 'over' | 'cancel'} [phase]  drag
 * @property {string} [key]  key: its name
 * @property {KeyboardEvent} [event]  key: to prevent its default
 * @property {number} [zoom]  view
 * @property {Point} [middle]  view: the point of the sheet in the middle
 */
import { Camera } from './camera.js'
import { calm } from './dom.js'
import { listen } from './events.js'
import { corners, middle } from './free.js'
import { pathLine, stanceOf } from './geometry.js'
import { Layers } from './layers.js'
import { Overlay } from './overlay.js'
import { Renderer } from './render.js'
import { State } from './state.js'

export { counterSvg } from './counters.js'

const FLASH = 720 // ms
const READABLE = 1.05 // zoom at which every text of a counter is legible
const EDGE = 70 // pixels: a place nearer to the rim than this is brought in
const NEAR = 6 // the same, of counters that fight

/** @param {HTMLElement} element  sized by the page; the board fills it @param {Options} options */
export function createBoard(element, options) {
  const { places, units } = options
  const view = document.createElement('div')
  const block = document.createElement('div')
  const live = document.createElement('div')
  view.className = 'board-view'
  view.tabIndex = 0
  view.setAttribute('role', 'application')
  view.setAttribute('aria-label', options.label)
  if (options.help) view.setAttribute('aria-description', options.help)
  block.className = 'board-sheet'
  live.className = 'board-live'
  live.setAttribute('aria-live', 'polite')
  view.append(block)
  // it was come to by Tab, and no place of it is under the cursor yet
  view.addEventListener('keyup', (e) => view.classList.toggle('keyed', e.key === 'Tab' && !cursor))
  view.addEventListener('blur', () => view.classList.remove('keyed'))
  element.replaceChildren(view, live)

  const state = new State()
  const layers = new Layers(block, options.mapSvgText, options.symbolsSvgText)
  const owner = (/** @type {string} */ id) => units[id]?.nation ?? units[id]?.side ?? ''
  const side = (/** @type {string} */ id) => units[id]?.side ?? ''
  places.follow?.(layers.map)
  const renderer = new Renderer(layers, places, state, owner, side)
  const overlay = new Overlay(layers, places, (loc) => state.occupied(loc))
  /** @type {Map<string, Set<(e: BoardEvent) => void>>} */
  const handlers = new Map()
  /** @type {import('./minimap.js').Minimap | null} */
  let minimap = null
  /** @type {typeof import('./motion.js') | null} */
  let motion = null
  /** @type {Set<string>} */
  let draggable = new Set()
  /** @type {string | null} */
  let cursor = null
  /** @type {{node: SVGElement, from: string, over: string | null, mark: SVGElement | null} | null} */
  let drag = null
  /** @type {string | null | undefined} */
  let hovered
  /** @type {SVGElement | null} */
  let sketches = null
  /** @type {SVGElement | null} */
  let thrown = null
  /** @type {SVGElement | null} */
  let shades = null
  /** @type {import('./map_layers.js').MapLayers | null} */
  let laid = null
  let layings = 0
  /** @type {Record<string, boolean>} layers as their viewer wants them */
  const wanted = {}
  let single = false
  let lettering = 0
  let begun = !options.later
  /** @type {HTMLElement | null} */
  let small = null

  const covers = options.covers ?? (() => ({ fixed: [], passing: [] }))
  const camera = new Camera(view, block, layers.bounds, layers.core, covers, settled, () => {
    minimap?.drawFrame()
    emit('view', { loc: null, unit: null, pointerType: '', point: { x: 0, y: 0 }, zoom: camera.zoom, middle: camera.middle })
  })

  /** @param {string} name @param {BoardEvent} detail */
  function emit(name, detail) {
    for (const handler of handlers.get(name) ?? []) handler(detail)
  }
  /** @param {Point} point */
  const at = (point) => places.at(camera.under(point))
  const shows = (/** @type {string} */ name) => wanted[name] ?? state.layers.get(name)?.shown !== false

  /** What the view lays over the map; what draws it is loaded with the first of it. */
  async function lay() {
    layings = state.laid
    const { MapLayers } = await import('./map_layers.js')
    laid ??= new MapLayers(layers, places, options.say ?? ((said) => said.key))
    laid.draw(state.layers, shows)
    emit('layers', { loc: null, unit: null, pointerType: '', point: { x: 0, y: 0 } })
  }

  const layAnew = () => {
    if (begun && state.laid !== layings) void lay()
  }

  const redraw = (/** @type {Iterable<string>} */ locs) => {
    renderer.draw(locs)
    layAnew()
    overlay.drawCosts()
    minimap?.drawDots()
    lettering ||= requestAnimationFrame(letter)
  }

  /** Names of places, where what stands there leaves room. */
  function letter() {
    cancelAnimationFrame(lettering)
    lettering = 0
    if (begun) void layers.letter(() => camera.zoom, (loc) => (places.has(loc) ? places.centre(loc) : null), () => (places.camp ? null : renderer.boxes()))
  }

  /** @param {number} zoom */
  function settled(zoom) {
    const grown = layers.draw(zoom, view, places.room)
    if (begun) void renderer.setGrown(grown).then(letter)
    letter()
  }

  /** The first view is there: the rest of it. */
  function begin() {
    begun = true
    layAnew()
    void afterwards()
    settled(camera.zoom)
  }

  /** What the first view can do without. */
  async function afterwards() {
    motion ??= await import('./motion.js')
    const { Minimap } = await import('./minimap.js')
    if (small) minimap ??= new Minimap(small, camera, places, state)
  }

  /** @type {import('./events.js').Tell} */
  function tell(name, { point, pointerType, from, spot, ...rest }) {
    const pointed = pointerType === 'keyboard' && cursor ? cursor : spot ? places.at(/** @type {Point} */ (spot)) : at(point)
    const loc = pointed && name !== 'hover' && !overlay.offers(pointed) ? state.homeOf(pointed) : pointed
    const start = from ? at(/** @type {Point} */ (from)) : null
    const taken = start && state.homeOf(start)
    if (name === 'hover') {
      if (loc === hovered) return
      hovered = loc
      view.style.cursor = loc && state.occupied(loc) ? 'pointer' : ''
    }
    if (name === 'tap' && loc && pointerType !== 'keyboard') {
      cursor = loc
      overlay.setCursor(null)
    }
    if (name === 'drag' || name === 'drop') carry(name, taken, loc, point, rest.phase)
    emit(name, { loc, unit: state.top(loc), pointerType, point, ...(taken ? { from: taken } : {}), ...rest })
  }

  /** What a unit at a place looks like on the way: as it stands there if it is a block of troops, else its counter. @param {string} loc @param {string} id @returns {string | Element} */
  const pictureOf = (loc, id) => layers.of.counters.querySelector(`[data-at="${loc}"] [data-unit="${id}"]`) ?? `c-${id}`

  /** @param {string} name @param {string | null} from @param {string | null} over @param {Point} point @param {unknown} phase */
  function carry(name, from, over, point, phase) {
    if (phase === 'start' && from && motion) {
      const ids = [...(state.selected.get(from) ?? [])]
      const shown = ids.length ? ids : [state.top(from)].filter((id) => id !== null)
      drag = { node: motion.ghost(shown.map((id) => pictureOf(from, id)).reverse()), from, over: null, mark: null }
      block.append(drag.node)
    }
    if (!drag || !motion) return
    if (over !== drag.over) {
      drag.mark?.remove()
      drag.over = over
      drag.mark = over && over !== drag.from ? overlay.mark(over, 'drop') : null
    }
    drag.node.style.transform = motion.placeAt(camera.toSheet(point), layers.bounds)
    if (name === 'drop' || phase === 'cancel') {
      drag.node.remove()
      drag.mark?.remove()
      drag = null
    }
  }

  /** A place with what stands there. @param {string[]} locs @returns {import('./free.js').Rect} */
  function extent(locs) {
    const boxes = locs.map((loc) => renderer.boxOf(loc)).filter((box) => box !== null)
    const points = locs.map(places.centre)
    return {
      left: Math.min(...points.map((p) => p.x), ...boxes.map((b) => b.left)),
      top: Math.min(...points.map((p) => p.y), ...boxes.map((b) => b.top)),
      right: Math.max(...points.map((p) => p.x), ...boxes.map((b) => b.right)),
      bottom: Math.max(...points.map((p) => p.y), ...boxes.map((b) => b.bottom)),
    }
  }

  /** @param {string} loc */
  function seen(loc) {
    if (camera.fitted) return camera.sees([places.centre(loc)], 0) // the whole sheet stays where it is
    return camera.sees([places.centre(loc)], EDGE) && camera.sees(corners(extent([loc])), 0)
  }

  /** @param {string} loc */
  function show(loc) {
    if (!seen(loc)) camera.bring(middle(extent([loc])), camera.zoom, true)
  }

  /** A fight into sight: its target with those who attack it, once what the page says of it has its place. @param {string[]} locs */
  function showFight(locs) {
    requestAnimationFrame(() => {
      const here = locs.filter(places.has)
      if (here.length && !camera.sees(corners(extent(here)), NEAR)) camera.bring(middle(extent(here)), camera.zoom, true)
    })
  }

  /** @param {string} key  an arrow, or '' to put the cursor into the middle */
  function moveCursor(key) {
    putCursor(cursor ? places.step(cursor, key) ?? cursor : at({ x: camera.width / 2, y: camera.height / 2 }) ?? places.all[0])
    return true
  }

  /** @param {string} next */
  function putCursor(next) {
    cursor = next
    view.classList.remove('keyed')
    overlay.setCursor(next)
    show(next)
    live.textContent = options.describe?.(next) ?? next
    emit('hover', { loc: next, unit: state.top(next), pointerType: 'keyboard', point: camera.toWindow(places.centre(next)) })
  }

  const deaf = listen(view, camera, {
    tell,
    draggable: (point) => draggable.has(state.homeOf(at(point) ?? '')),
    single: (point) => single || at(point) === overlay.path.at(-1), // the goal of a planned path may be tapped again
    moving: (on) => view.classList.toggle('panning', on),
    cursor: moveCursor,
    atCursor: () => (cursor ? camera.toWindow(places.centre(cursor)) : null),
  })
  const watching = new ResizeObserver(() => camera.measure())
  watching.observe(view)
  camera.measure()
  document.fonts.ready.then(letter)
  if (begun) void afterwards()

  return {
    /** Draw a whole view. @param {Record<string, any>} fragments */
    setFragments: (fragments) => redraw(state.apply(fragments, true)),
    /** Draw what changed. @param {Record<string, any>} changed */
    applyFragments: (changed) => redraw(state.apply(changed, false)),
    /** Where a stack can go, or null. @param {{cost: Record<string, number>, via?: Record<string, string>} | null} reach */
    setReach: (reach) => overlay.setReach(reach?.cost ?? null, reach?.via),
    /** A planned path from where the units stand; `costs` are the points used up to each place. @param {string[]} path @param {(number | undefined)[]} [costs] */
    setPath: (path, costs = []) => overlay.setPath(path, costs),
    /** Places that can be attacked. @param {string[]} locs */
    setTargets: (locs) => overlay.setTargets(locs),
    /** Places that can be chosen; `dim` veils all others. @param {string[]} locs @param {{dim?: boolean}} [how] */
    setChoices: (locs, { dim = false } = {}) => overlay.setChoices(locs, dim),
    /** A planned or running attack. `name` takes the place of the target's printed name. @param {{target: string, from: string[], label?: string, name?: string} | null} attack */
    setAttack: (attack) => {
      if (attack && attack.target !== overlay.attacked) showFight([attack.target, ...attack.from])
      overlay.setAttack(attack)
    },
    /** What was done last. @param {{path: string[]}[]} moves */
    setLastMoves: (moves) => overlay.setLastMoves(moves),
    /** Lift units; those of a stack are shown on top. @param {Record<string, string[]>} selection  unit ids by place */
    select: (selection) => redraw(state.select(selection)),
    /** Places whose units may be taken up by dragging. @param {Iterable<string>} locs */
    setDraggable: (locs) => {
      draggable = new Set(locs)
    },
    /** Bring a place to the middle, near enough to read. @param {string} loc @param {{zoom?: number, slowly?: boolean}} [how] */
    focus: (loc, { zoom = Math.max(camera.zoom, READABLE), slowly = true } = {}) => {
      if (places.has(loc)) camera.bring(places.centre(loc), zoom, slowly)
    },
    /** Bring places into sight together, near enough to read where there is room for all; nothing if they'd be farther than `least`. @param {string[]} locs @param {number} [least]  zoom @returns {boolean} whether it was done */
    frame: (locs, least = 0) => {
      const here = locs.filter(places.has)
      if (!here.length) return false
      const box = extent(here),
        room = camera.roomy()
      const fits = (/** @type {number} */ free, /** @type {number} */ size) => free / (size + 2 * Math.min(EDGE, free / 5))
      const zoom = Math.min(READABLE, fits(room.right - room.left, box.right - box.left), fits(room.bottom - room.top, box.bottom - box.top))
      if (zoom >= least) camera.bring(middle(box), zoom, true)
      return zoom >= least
    },
    /** Whether a place is seen, under nothing that lies over the board. @param {string} loc */
    seen: (loc) => places.has(loc) && seen(loc),
    /** Bring a place into sight, if it is not. @param {string} loc */
    show: (loc) => {
      if (places.has(loc)) show(loc)
    },
    fit: () => camera.fit(),
    /** The page has just changed the room that the board has. */
    measure: () => camera.measure(),
    /** Show the whole sheet anew, if it is shown: what lies over it has changed. */
    refit: () => {
      if (camera.fitted) camera.fit()
      else settled(camera.zoom)
      if (!begun) setTimeout(begin)
    },
    /** @param {number} factor */
    zoomBy: (factor) => camera.zoomBy(factor),
    get zoom() {
      return camera.zoom
    },
    /** Where a place is in the board's element, in CSS pixels. @param {string} loc */
    pointOf: (loc) => camera.toWindow(places.centre(loc)),

    /**
     * Show units on their way; meanwhile they are not drawn where they came from. The view is not changed: apply the
     * step's fragments when the promise is done.
     * @param {string[] | number} moved  unit ids, or how many unknown ones
     * @param {string[]} path
     * @param {number} [ms]
     */
    async animateMove(moved, path, ms = 240) {
      const known = path.map((step) => stanceOf(step).at).filter(places.has)
      if (!known.length) return
      const [start] = known
      const ids = Array.isArray(moved) ? moved : []
      const side = state.spaces.get(start)?.side ?? ''
      const { ghost, travel } = motion ?? (await import('./motion.js'))
      const symbols = Array.isArray(moved) ? [...ids].reverse().map((id) => pictureOf(start, id)) : Array(Math.min(moved, 4)).fill(`back-${side}`)
      const node = ghost(symbols)
      block.append(node)
      state.away.set(start, { units: new Set(ids), count: Array.isArray(moved) ? 0 : moved })
      renderer.draw([start])
      await travel(node, pathLine(places, known), layers.bounds, ms)
      state.away.delete(start)
      requestAnimationFrame(() => {
        node.remove()
        renderer.draw([start])
      })
    },
    /** Put the keyboard's cursor on a place and bring it into sight. @param {string} loc */
    moveCursor: (loc) => {
      if (places.has(loc)) putCursor(loc)
    },
    /** Give it the keyboard, if it is seen, and the key that asked for it. @param {string} [arrow] */
    enter: (arrow) => {
      view.focus({ preventScroll: true })
      if (arrow && document.activeElement === view) moveCursor(arrow)
    },
    /** Places whose stacks can do something; the rest is drawn dull. @param {string[] | null} locs null = none is dull */
    setActive: (locs) => renderer.setActive(locs && new Set(locs)),
    /** Show the ground without counters, while something is held. @param {boolean} on */
    setBare: (on) => view.classList.toggle('bare', on),
    /** Whether two taps in quick succession are two taps, and do not zoom. @param {boolean} on */
    setSingleTaps: (on) => {
      single = on
    },
    /** What a player has drawn for himself. @param {import('./plans.js').Plans} plans */
    async setPlans(plans) {
      const { drawPlans } = await import('./plans.js')
      sketches ??= layers.group('over', 'plans')
      sketches.replaceChildren(...drawPlans(plans, places))
    },
    /** A light over what something speaks of. @param {string[]} locs */
    async setShade(locs) {
      const { drawShade } = await import('./shade.js')
      shades ??= layers.group('reach', 'shade')
      shades.replaceChildren(...drawShade(locs, places))
      if (locs.length && !locs.some(seen)) show(locs[0])
    },
    /** Draw the eye to a place. @param {string} loc */
    flash: (loc) => {
      if (!places.has(loc)) return
      const node = overlay.mark(loc)
      setTimeout(() => node.remove(), calm() ? FLASH * 2 : FLASH)
    },
    /** A die falls beside a place, and lies there for a while. @param {string} loc @param {number} face @param {boolean} hit */
    async throwDie(loc, face, hit) {
      if (!places.has(loc)) return
      const { throwDie } = await import('./dice.js')
      thrown ??= layers.group('over', 'dice')
      throwDie(thrown, places.centre(loc), face, hit)
    },
    /** What lay over the board is gone: the sheet fills it again. */
    tidy: () => camera.tidy(),
    /** What the view lays over the map, and whether each is shown. */
    layers: () => [...state.layers].map(([name, { title }]) => ({ name, title, shown: shows(name) })),
    /** @param {string} name @param {boolean} shown */
    showLayer(name, shown) {
      wanted[name] = shown
      if (state.layers.has(name)) void lay()
    },
    /** A small map of the whole in an element of the page. @param {HTMLElement} into */
    minimap: (into) => {
      small = into
      if (begun) void afterwards()
    },
    /**
     * Listen: tap, hover, longpress, drag, drop, key, view, layers (those of the view have changed).
     * @param {string} name @param {(e: BoardEvent) => void} handler @returns {() => void} stops
     */
    on(name, handler) {
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler))
      return () => handlers.get(name)?.delete(handler)
    },
    /** The place under the keyboard's cursor. */
    get cursor() {
      return cursor
    },
    destroy() {
      deaf()
      watching.disconnect()
      element.replaceChildren()
    },
  }
}
