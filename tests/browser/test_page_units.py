"""The browser's own logic, run inside Chromium without a server: digests, hashes, texts, the drafts of each form."""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from app.config import ROOT

FORMS = json.loads((Path(__file__).parent / "fixtures" / "forms.json").read_text())
ORIGIN = "http://page.test"
Run = Callable[..., Any]


def _static(route: Route) -> None:
    path = route.request.url.removeprefix(ORIGIN)
    if path == "/":
        route.fulfill(content_type="text/html", body="<!doctype html><title>units</title>")
    else:
        route.fulfill(content_type="text/javascript", body=(ROOT / path.lstrip("/")).read_text())


@pytest.fixture
def run(browser: Browser) -> Iterator[Run]:
    """Runs the body of an async function with a module of the game page as `m`, the fixtures as `f`, and `arg`."""
    page = browser.new_page()
    page.route(f"{ORIGIN}/**", _static)
    page.goto(f"{ORIGIN}/")

    def call(module: str, body: str, arg: Any = None) -> Any:
        script = f"async ([f, arg]) => {{ const m = await import('/static/js/game/{module}.js'); {body} }}"
        return page.evaluate(script, [FORMS, arg])

    yield call
    page.close()


def _digest(fragments: dict[str, Any]) -> int:
    sum_ = 0
    for key, content in fragments.items():
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        sum_ ^= zlib.crc32(f"{key}\n{text}".encode())
    return sum_


def test_digest_is_the_servers(run: Run) -> None:
    sum_ = "Object.entries(f.fragments).reduce((sum, [key, content]) => (sum ^ m.fragmentCrc(key, content)) >>> 0, 0)"
    assert run("digest", f"return {sum_}") == _digest(FORMS["fragments"])


def test_store_keeps_the_digest_while_fragments_come_and_go(run: Run) -> None:
    body = """const s = new m.Store()
        s.setView({ seq: 1, eye: 'allied', fragments: f.fragments })
        s.apply({ turn: { turn: 4 }, 'space:1336': { count: 1 } })
        s.apply({ 'space:1335': null })
        return [s.digest, s.fragments]"""
    digest, fragments = run("store", body)
    assert digest == _digest(fragments)
    assert sorted(fragments) == ["space:1336", "turn"]


@pytest.mark.parametrize("length", [0, 1, 55, 56, 64, 119, 200])
def test_own_sha256_agrees(run: Run, length: int) -> None:
    data = bytes(i * 7 % 256 for i in range(length))
    own = run("sha256", "return m.hex(m.sha256Plain(new Uint8Array(arg)))", list(data))
    assert own == hashlib.sha256(data).hexdigest()


def test_dice_are_owed_in_order(run: Run) -> None:
    body = """const none = { hash: null, nonce: null }, hashed = { hash: 'aa', nonce: null }
        const done = { hash: 'aa', nonce: 'bb' }
        const owed = (a, b) => m.owed({ seats: { a, b } }, 'a')
        return [owed(none, none), owed(none, hashed), owed(hashed, none), owed(hashed, hashed),
             owed(hashed, done), owed(done, hashed), m.owed(null, 'a')]"""
    assert run("dice", body) == ["hash", "hash", None, "nonce", "nonce", None, None]


TEXTS = """const names = new m.Names({ 'BR-INF-1F': { name: '1º de Fuzileiros' } },
        { hexes: { 1434: { name: 'Itapirú', terrain: 'river' }, 1533: { name: null } } }, ['allied'])
    const t = new m.Texts(arg.lang, arg.catalogue, names);"""


def test_texts_name_units_places_and_numbers(run: Run) -> None:
    catalogue = {
        "went": {"one": "{n} unit to {to}", "other": "{n} units to {to}: {units}"},
        "seat.allied": "Allies", "who": "{side} in {at}, {what}", "word": "two", "many": "{list}",
    }  # fmt: skip
    said = run("texts", TEXTS + """return [
        t.t('went', { units: ['BR-INF-1F', 'XX'], path: ['1533', '1434'] }),
        t.t('went', { n: 1, to: '1533' }),
        t.t('who', { side: 'allied', at: '1434', what: { key: 'word' } }),
        t.t('many', { list: [] }), t.t('who', {}), t.t('no.such.key'), t.signed(-2), t.signed(1), t.signed(0),
        t.parts('who', { side: 'allied', at: '1434', what: -1 }).filter((p) => p.loc).map((p) => p.loc)]""",
        {"lang": "en", "catalogue": catalogue})  # fmt: skip
    assert said == [
        "2 units to Itapirú (1434): 1º de Fuzileiros and XX", "1 unit to 1533", "Allies in Itapirú (1434), two",
        "–", "{side} in {at}, {what}", "no.such.key", "−2", "+1", "0", ["1434"],
    ]  # fmt: skip


def test_texts_say_yes_in_words_of_its_own_where_an_argument_has_some(run: Run) -> None:
    catalogue = {"shot": "{roll}: {hit}, {won}", "game.yes": "yes", "game.no": "no", "game.no.hit": "a miss"}
    body = TEXTS + "return [true, false].map((hit) => t.t('shot', { roll: 4, hit, won: hit }))"
    assert run("texts", body, {"lang": "en", "catalogue": catalogue}) == ["4: yes, yes", "4: a miss, no"]


def test_texts_take_the_plural_of_their_language(run: Run) -> None:
    catalogue = {"n": {"one": "{n} unidad", "other": "{n} unidades"}}
    body = TEXTS + "return [0, 1, 2].map((n) => t.t('n', { n }))"
    assert run("texts", body, {"lang": "es", "catalogue": catalogue}) == ["0 unidades", "1 unidad", "2 unidades"]


MOVE = """const d = new m.MoveDraft(f.move, (loc) => f.around[loc] ?? [])
    const family = (id) => (id.includes('SUP') ? 'slow' : 'foot');"""


def test_move_takes_a_stack_to_a_goal(run: Run) -> None:
    body = (
        MOVE
        + """const out = []
        out.push(d.pick('1437', family), d.pick('1338', family), [...d.units], d.answer())
        d.reach = f.reach
        out.push(d.aim('1434'), d.aim('1435'), d.path(), d.answer())
        d.toggle('BR-INF-2F')
        out.push(d.goal, d.question())
        return out"""
    )
    barred, picked, units, unfinished, blocked, aimed, path, answer, goal, question = run("move", body)
    assert [barred, picked, unfinished, blocked, aimed, goal] == [False, True, None, False, True, None]
    assert units == ["BR-INF-1F", "BR-INF-2F"]
    assert path == ["1338", "1437", "1436", "1435"]
    assert answer == {"form": "move", "units": units, "path": path, "aboard": {}}
    assert question == {"form": "move", "units": ["BR-INF-1F"], "aboard": {}}


def test_move_bends_through_places_and_back(run: Run) -> None:
    body = (
        MOVE
        + """d.pick('1338', family); d.reach = f.reach; d.aim('1435'); d.bend('1336')
        const bent = d.path(); d.bend('1336')
        return [bent, d.path(), d.bend('1434')]"""
    )
    bent, straight, outside = run("move", body)
    assert bent == ["1338", "1337", "1336", "1435"]
    assert straight == ["1338", "1437", "1436", "1435"]
    assert outside is False


def test_move_loads_ships_up_to_their_room(run: Run) -> None:
    body = (
        MOVE
        + """d.pick('1335', family); d.board('AR-INF-1', 'BR-TRA-T-1'); d.board('AR-INF-2', 'BR-TRA-T-1')
        const full = d.carriers('AR-INF-3'), units = [...d.units].sort()
        d.toggle('BR-TRA-T-1')
        return [full, units, d.aboard, [...d.units]]"""
    )
    full, units, aboard, left = run("move", body)
    assert full == [{"ship": "BR-TRA-T-1", "room": 0}]
    assert units == ["AR-INF-1", "AR-INF-2", "BR-TRA-T-1"]
    assert aboard == {}
    assert left == []


def test_all_that_can_go_aboard_finds_a_ship(run: Run) -> None:
    """The transport would take the foot first; it goes to the warship, so that the gun finds room too."""
    ships = [{"id": "T", "holds": 2, "takes": ["foot", "gun", "horse"]}, {"id": "W", "holds": 1, "takes": ["foot"]}]
    assert run("carry", "return m.loading(arg, {})", ships) == {"foot": "W", "gun": "T", "horse": "T"}
    assert run("carry", "return m.loading(arg, {gun: 'T', horse: 'T'})", ships[:1]) == {"gun": "T", "horse": "T"}


def test_what_goes_aboard_takes_the_room_it_weighs(run: Run) -> None:
    """A truck: all of it for a man, half for a point, none for leaders."""
    heavy = {"man": 2, "other": 2, "chief": 0, "staff": 0}
    truck = {"id": "T", "holds": 2, "takes": ["man", "other", "chief", "staff", "point"], "weighs": heavy}
    assert run("carry", "return m.loading(arg, {})", [truck]) == {"man": "T", "chief": "T", "staff": "T"}
    found = run("carry", "return m.loading(arg, {point: 'T'})", [truck])
    assert found == {"point": "T", "chief": "T", "staff": "T"}
    two = [truck, {**truck, "id": "U", "takes": ["man"]}]
    assert run("carry", "return m.loading(arg, {})", two) == {"man": "U", "other": "T", "chief": "T", "staff": "T"}
    body = "return ['man', 'point', 'chief'].map((c) => m.roomOf(arg, {point: 'T', man: 'U'}) >= m.weight(arg, c))"
    assert run("move", body, truck) == [False, True, True]


def test_the_losses_of_many_dice_are_added_up(run: Run) -> None:
    die = {"faces": [{"loss": n} for n in (0, 0, 0, 1, 1, 2)]}
    one, two = (run("forecast", "return m.total([{checks: arg}])", [die] * n) for n in (1, 2))
    assert one == {"mean": 0.7, "least": 0, "most": 2, "nine": 2}
    assert two == {"mean": 1.3, "least": 0, "most": 4, "nine": 3}


def test_place_counts_what_stands_and_what_it_costs(run: Run) -> None:
    body = """const d = new m.PlaceDraft(f.place), out = []
        d.pick(['a', 'b', 'c']); out.push(d.legal(), d.drop('1336'), d.drop('1335'), d.missing())
        d.pick(['x']); out.push(d.legal(), d.drop('1336'), d.count('1336'), d.spent())
        d.pick(['a', 'x']); out.push(d.legal())
        d.pickBox('1'); out.push(d.legal().sort(), d.drop('1335'), d.boxAt('1335')); d.lift(['a', 'b', 'c'])
        out.push(d.boxAt('1335'), d.answer())
        d.suggest(); out.push(d.answer())
        return out"""
    assert run("place", body) == [
        ["1335"], False, True, 0, ["1336", "1400"], True, 2, {"brazil": 2}, ["1336"],
        ["1335", "1336"], True, "1", None, {"form": "set_up", "placed": {"x": "1336"}, "boxes": {}},
        {"form": "set_up", "placed": FORMS["place"]["suggested"], "boxes": {"1": "1335"}},
    ]  # fmt: skip


def test_declare_starts_with_everybody(run: Run) -> None:
    body = """const d = new m.DeclareDraft(f.declare)
        const out = [d.aim('1999'), d.aim('1434'), d.answer(), d.from()]
        d.toggleAll('1435'); out.push(d.answer(), d.from())
        d.toggle('c'); out.push(d.answer())
        return out"""
    full = {"form": "attack", "target": "1434", "units": ["a", "b", "c"]}
    assert run("declare", body) == [False, True, full, ["1435", "1534"], {**full, "units": ["c"]}, ["1534"], None]


def test_allocate_leaves_the_last_for_last(run: Run) -> None:
    body = """const d = new m.AllocateDraft(f.allocate), out = []
        out.push(d.bar('here', 'ship'), d.toggle('here', 'ship'), d.toggle('there', 'ship2'),
            d.toggle('there', 'weak2'), d.toggle('there', 'ship2'), d.complete)
        d.toggle('there', 'weak2'); out.push([...d.of('there')])
        d.fill((u) => (u.startsWith('weak') ? 1 : 5)); out.push(d.complete, d.answer(), d.bar('here', 'ship'))
        return out"""
    lots = {"here": ["strong", "weak"], "there": ["ship2", "weak2"]}
    assert run("allocate", body) == [
        "last", False, False, True, True, False, [], True, {"form": "losses", "lots": lots}, "full",
    ]  # fmt: skip


def test_arrange_moves_boxes_between_spaces(run: Run) -> None:
    body = """const d = new m.ArrangeDraft(f.arrange), out = [d.changed, d.put('1500')]
        d.pick('2'); out.push(d.put('1335'), { ...d.boxes }); out.push(d.put('1337'), d.answer().boxes, d.changed)
        d.clear(); out.push(d.changed)
        return out"""
    assert run("arrange", body) == [
        False, False, True, {"1": None, "2": "1335", "3": None},
        True, {"1": "1337", "2": "1335", "3": None}, True, False,
    ]  # fmt: skip


def test_film_shows_any_moment(run: Run) -> None:
    body = """const step = (i) => ({ event: 'e', data: {}, fragments: { a: i, [`b${i}`]: i % 3 ? i : null, b0: 0 } })
        const entry = (_, i) => ({ seq: i + 1, steps: [step(2 * i), step(2 * i + 1)] })
        const frames = m.framesOf(Array.from({ length: 100 }, entry)), film = new m.Film(frames, { start: true })
        const straight = (n) => frames.slice(0, n).reduce((all, x) => m.fold(all, x.step.fragments), { start: true })
        const equal = (n) => JSON.stringify(film.at(n)) === JSON.stringify(straight(n))
        const same = [0, 1, 63, 64, 65, 199, 200, 130, 2].map(equal)
        return [same, film.upTo(1), film.upTo(100), film.upTo(0)]"""
    same, after_first, after_all, before = run("film", body)
    assert all(same)
    assert [after_first, after_all, before] == [2, 200, 0]


def test_log_sorts_steps_by_what_they_tell(run: Run) -> None:
    body = """const step = (data, fragments = {}) => ({ event: 'e', data, fragments })
        const phase = step({ phase: 1 }, { turn: {} }), march = step({ path: ['1338', '1337'], units: ['a'] })
        const fight = step({ target: '1434', roll: 3, odds: {} })
        const kinds = (s, cost) => [...m.kindsOf(s, cost)]
        return [kinds(march, false), kinds(fight, true),
            [phase, march, step({}, { 'space:1434': {}, turn: {} })].map(m.onlyPhase),
            [march, fight, step({})].map(m.placeOf), [1, 4, 9].map(m.roman)]"""
    assert run("log", body) == [
        ["moves"], ["fights", "losses"], [True, False, False], ["1337", "1434", None], ["I", "IV", "IX"],
    ]  # fmt: skip


def test_what_is_looked_up_is_said_by_what_stands_there(run: Run) -> None:
    """A table of one column by what it gives, one of many by the rows that are lit."""
    body = """const texts = { say: (label) => label, t: (key, args) => `${args.row} on ${args.faces}` }
        const row = (key, ...cells) => ({ key, name: '', cells })
        const points = { title: '', columns: ['points'], head: ['operation points'],
            rows: [row('0', '3'), row('2', '4'), row('4', '6'), row('99', '8')] }
        const odds = { title: '', columns: ['1', '2'], head: ['1:1', '2:1'],
            rows: [row('1', 'AL', 'AL'), row('2', 'AL', 'EX'), row('3', 'EX', 'DL')] }
        const of = (rows, column) => ({ id: 't', rows, column })
        const said = (grid, look) => m.inWords(texts, { grids: [grid] }, look)
        return [said(points, { label: '1', table: of({ 1: '2', 2: '2', 3: '4', 4: '4', 5: '99', 6: '99' }) }),
            said(odds, { table: of({ 2: '1', 3: '2', 4: '3' }, '1') }), said(odds, { table: of(['1', '3'], '2') })]"""
    assert run("lookup", body) == [
        "1: operation points · 4 on 1, 2; 6 on 3, 4; 8 on 5, 6",
        "1:1 · AL on 2, 3; EX on 4",
        "2:1 · 1, 3",
    ]


def test_the_dead_are_counted_where_the_title_has_them(run: Run) -> None:
    body = """const dead = new m.Dead('pool:dead', { 'pool:dead:allied': { units: [{}] } })
        const grave = (n) => ({ units: Array.from({ length: n }, () => ({})) })
        const die = (n) => dead.grewBy({ fragments: { 'pool:dead:allied': grave(n) } })
        const elsewhere = new m.Dead('pool:lost', {})
        return [die(2), die(1), die(4), dead.grewBy({ fragments: { turn: {} } }), dead.grewBy({}),
            elsewhere.grewBy({ fragments: { 'pool:lost_red': grave(3), 'pool:dead:allied': grave(1) } })]"""
    assert run("dead", body) == [1, 0, 3, 0, 0, 3]


def test_a_turn_dice_and_losses_are_heard_when_wanted(run: Run) -> None:
    body = """const on = { mine: true }, off = { mine: false }, roll = { data: { roll: 3 } }, played = []
        const grave = (n) => ({ data: {}, fragments: { 'pool:gone:red': { units: Array(n).fill({}) } } })
        const before = { request: off, fragments: grave(1).fragments }
        const s = new m.Sound(before, 'pool:gone', (names) => played.push(names))
        const tell = (...told) => (played.length = 0, s.tell(...told), played.flat())
        const wanted = [s.on]
        window.matchMedia = () => ({ matches: true })
        wanted.push(s.on)
        s.turn()
        wanted.push(...played.flat())
        return [tell(off), tell(on, [roll]), tell(on, [roll, grave(2), roll]), tell(on, [grave(1)]),
            tell(off, [{ data: {} }]), tell(on, [{ data: {} }]),
            (s.turn(), tell(on, [roll])), [...wanted, s.on]]"""
    assert run("sound", body) == [
        [], ["die", "turn"], ["die", "loss"], [], [], ["turn"], [], [True, False, "turn", False]]  # fmt: skip


@pytest.mark.parametrize("name", ["turn", "die", "loss"])
def test_sounds_are_short_and_soft(run: Run, name: str) -> None:
    body = """const audio = new OfflineAudioContext(1, 48000, 48000), long = m.TONES[arg](audio, 0)
        const wave = (await audio.startRendering()).getChannelData(0).map(Math.abs)
        return [long, Math.max(...wave), Math.max(...wave.slice(long * 48000))]"""
    long, loud, after = run("tones", body, name)
    assert 0.2 < long < 0.7
    assert 0.02 < loud < 0.5
    assert after < 0.001


def test_every_text_of_the_page_exists() -> None:
    known = {key for path in (ROOT / "static/texts/parts").glob("*.en.json") for key in json.loads(path.read_text())}
    sources = [p.read_text() for p in (ROOT / "static/js/game").glob("*.js")]
    used = {key for source in sources for key in _keys(source)}
    assert used - known == set()


def _keys(source: str) -> Iterator[str]:
    """Literal keys of the page's own texts in a source."""
    for piece in source.replace('"', "'").split("'"):
        if piece.startswith("game.") and piece.replace(".", "").replace("_", "").isalnum():
            yield piece
