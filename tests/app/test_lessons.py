"""Lessons: every file is played, what is said to answers, and what is kept of who did which."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.boards import service as boards
from app.games import data
from app.lessons import service
from app.lessons.check import faults, play
from app.lessons.judging import Mark, Seen, fits, judge, refused_as, told
from app.lessons.lesson import BadLesson, Lesson, Step, lessons_of, read, subject
from app.rulebook.pictures import around, places_of
from app.sheet.raster import _together
from app.texts import LANGUAGES
from rules.titles import IDS
from tests.app.conftest import Person, Sql
from tests.conftest import PASSWORD

TITLE, FIRST = "triple_alliance", "01-march-a-stack"
ALL = [(title, name) for title in IDS for name in lessons_of(title)]

# What a title asks its players in, by the last words of its phases, and what no lesson plays yet.
PHASES = {
    "chaco": {"weather", "supply", "new_units", "movement", "reaction", "combat_1", "combat_0", "combat_2",
              "construction", "politics"},
    "guerra_a_muerte": {"events", "uprisings", "reorganisation", "patriot_operations", "royalist_operations", "end"},
    "triple_alliance": {"set_up", "events", "movement", "combat_1", "combat_2", "combat_3"},
    "ultimo_hombre": {"transport", "movement", "combat", "restore"},
    "austerlitz": {"command_change", "initiative", "activations", "no_marker", "removal", "rally", "rout_losses"},
}
NOT_YET: dict[str, set[str]] = {}
SHORT = 4  # minutes that a first lesson may take


@pytest.fixture(autouse=True)
def forgotten() -> None:
    boards._tables.clear()


@pytest.mark.parametrize(("title", "name"), ALL, ids=[f"{title}-{name}" for title, name in ALL])
def test_right_answers_pass_and_tempting_ones_do_not(title: str, name: str) -> None:
    before = lessons_of(title)[name].model_dump_json()
    assert list(faults(title, name)) == []
    assert lessons_of(title)[name].model_dump_json() == before  # the next one who plays it begins where this one did


@pytest.mark.parametrize("title", [title for title in IDS if lessons_of(title)])
def test_lessons_cover_every_phase(title: str) -> None:
    played = {phase for one in lessons_of(title).values() for phase in play(title, one).phases}
    missing = {phase for phase in PHASES[title] if not any(one.endswith(phase) for one in played)}
    assert missing == NOT_YET.get(title, set())


@pytest.mark.parametrize("title", [title for title in IDS if lessons_of(title)])
def test_there_are_enough_lessons_and_each_tempts(title: str) -> None:
    lessons = lessons_of(title)
    assert 8 <= len(lessons) <= 12
    for name, one in lessons.items():
        assert any(step.wrong for step in one.steps), name


def said(one: Lesson) -> Iterator[dict[str, str]]:
    yield from (one.title, one.goal, one.success)
    for step in one.steps:
        yield from (words for words in (step.say, step.done) if words)
        yield from step.hints
        yield from (wrong.why for wrong in step.wrong)


@pytest.mark.parametrize(("title", "name"), ALL, ids=[f"{title}-{name}" for title, name in ALL])
def test_every_text_is_there_in_words_of_its_own(title: str, name: str) -> None:
    for words in said(lessons_of(title)[name]):
        assert words.keys() == LANGUAGES.keys()
        assert words["en"] not in [words[lang] for lang in LANGUAGES if lang != "en"], words["en"]


def named(value: Any) -> Iterator[str]:
    """What an answer names: units, places, options."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, below in value.items():
            if key not in ("form", "seat"):
                yield from named(below)
    elif isinstance(value, list):
        for below in value:
            yield from named(below)


@pytest.mark.parametrize(("title", "name"), ALL, ids=[f"{title}-{name}" for title, name in ALL])
def test_no_hint_names_the_whole_answer(title: str, name: str) -> None:
    for step in lessons_of(title)[name].steps:
        for answer in step.solution:
            parts = set(named(answer))
            for hint in step.hints:
                assert len(parts) < 2 or not all(part in hint["en"] for part in parts), hint["en"]


def broken(**fields: Any) -> str:
    """What is said of the first lesson's file with some fields changed; None takes one out."""
    body = json.loads(json.dumps(lessons_of(TITLE)[FIRST].model_dump(exclude_none=True, exclude_defaults=True)))
    body = {key: value for key, value in {**body, **fields}.items() if value is not None}
    with pytest.raises(BadLesson) as bad:
        read("a.json", body)
    return str(bad.value)


def test_what_is_wrong_with_a_file_is_said_in_words() -> None:
    assert broken(goal=None) == "a.json: goal is missing"
    assert broken(goul="x") == "a.json: goul is no field of a lesson"
    assert broken(title={"en": "March", "es": "", "it": "Muovi"}) == "a.json: title says nothing in Spanish, Portuguese"
    step = {"solution": [{"form": "end"}], "say": dict.fromkeys(LANGUAGES, "x"), "done": dict.fromkeys(LANGUAGES, "x")}
    assert broken(steps=[step]) == "a.json: steps.0 asks without `hints`"
    assert broken(steps=[{"given": {"form": "end"}}]) == "a.json: the lesson asks nothing: every step is given"
    whole = {**step, "hints": [step["say"]]}
    assert broken(steps=[{**whole, "right": [{}]}]) == (
        "a.json: steps.0.right.0 fits every answer: give `answer`, `after` or both"
    )
    assert broken(steps=[{**whole, "solution": [{}, {}]}]) == (
        "a.json: steps.0 has a solution of 2 answers, but `within` is 1"
    )
    assert "minutes" in broken(minutes=11)


def test_what_is_wrong_when_it_is_played_is_said_too(monkeypatch: pytest.MonkeyPatch) -> None:
    one = lessons_of(TITLE)[FIRST]

    def heard(**changed: Any) -> list[str]:
        monkeypatch.setattr("app.lessons.check.lesson_of", lambda *_: one.model_copy(update=changed))
        return list(faults(TITLE, FIRST))

    assert heard(clauses=["99.9"]) == ["there is no clause 99.9"]
    assert "nobody" in heard(position={**one.position, "units": {"nobody": "1432"}})[0]
    first, second, third = one.steps
    stays = first.model_copy(update={"solution": [{"form": "move", "units": ["PY-INF-1"], "path": ["1432", "1433"]}]})
    assert "step 1, solution 1 is on, not right" in heard(steps=[stays, second, third])[0]
    far = first.model_copy(update={"solution": [{"form": "move", "units": ["PY-INF-1"], "path": ["1432", "1434"]}]})
    assert "step 1, solution 1 is refused: The path jumps over a hex. (11.1)" in heard(steps=[far, second, third])[0]
    laid = second.model_copy(update={"dice": [9]})
    assert "step 2: left over: 9" in heard(steps=[first, laid, third])
    (tempting,) = second.wrong
    other = tempting.model_copy(update={"tried": [second.solution[0]]})
    assert "is right" in heard(steps=[first, second.model_copy(update={"wrong": [other]}), third])[0]


@pytest.mark.parametrize("title", [title for title in IDS if lessons_of(title)])
def test_the_first_lesson_is_short_and_opens_on_what_is_asked(title: str) -> None:
    """Where the answer begins: on the map, and what answers stands there."""
    one = next(iter(lessons_of(title).values()))
    assert one.minutes <= SHORT
    at = told(one, Mark(), "en")["at"]
    stands = {unit for unit, place in one.position["units"].items() if place.partition("@")[0] == at}
    assert stands & set(named(one.steps[0].solution[0])), at


def test_the_map_opens_where_an_answer_begins() -> None:
    by_water = lessons_of("ultimo_hombre")["01-by-water"]
    assert told(by_water, Mark(), "en")["at"] == "porto_alegre"
    assert told(by_water, Mark(step=1), "en")["at"] == "goya"
    force = lessons_of("guerra_a_muerte")["04-interception"]
    assert [told(force, Mark(step=n), "en")["at"] for n in range(3)] == ["charcas", "charcas", None]
    assert "at" not in told(by_water, Mark(step=2), "en")


def test_who_takes_nothing_need_not_send_an_empty_list() -> None:
    """The page leaves out lots of which nothing is taken."""
    nothing, some = {"form": "remove", "lots": {"remove": []}}, {"form": "remove", "lots": {"remove": ["LIM-F-3-V"]}}
    words = dict.fromkeys(LANGUAGES, "Well.")
    step = Step.model_validate({"say": words, "solution": [nothing], "hints": [words], "done": words})
    for given in (nothing, {"form": "remove", "lots": {}}):
        assert judge(step, Mark(), "french", given, Seen()).verdict == "right"
    assert judge(step, Mark(), "french", some, Seen()).verdict == "allowed"


def test_a_reason_for_a_refusal_is_said_of_refusals_alone() -> None:
    """The same shape of answer may be refused without a leader and right with one."""
    one = lessons_of("chaco")["02-a-leader-into-the-zone"].steps[0]
    barred = next(wrong for wrong in one.wrong if wrong.refused)
    led = one.solution[-1]
    assert fits(barred, led)
    assert refused_as(one, barred.tries[0]) is barred
    mark = judge(one, Mark(), "paraguay", led, Seen(after={"space:2540": {"units": [{"id": u} for u in led["units"]]}}))
    assert mark.verdict == "right"


def start(browser: TestClient, name: str = FIRST) -> str:
    made = browser.post(f"/titles/{TITLE}/lessons/{name}", follow_redirects=False)
    assert made.status_code == 303, made.text
    return str(made.headers["location"].rpartition("/")[2])


def give(browser: TestClient, board: str, node: int, answer: dict[str, Any]) -> dict[str, Any]:
    body = {"node": node, "answer": {key: value for key, value in answer.items() if key != "seat"}}
    given: dict[str, Any] = browser.post(f"/api/lessons/{board}/answers", json=body).raise_for_status().json()
    return given


def finish(browser: TestClient, name: str = FIRST) -> dict[str, Any]:
    """A lesson by its solution; what is said at its end."""
    board, node, told = start(browser, name), 0, {}
    for step in lessons_of(TITLE)[name].steps:
        for answer in step.solution:
            told = give(browser, board, node, answer)
            node = told["node"]
    return told


def done(browser: TestClient) -> int:
    page = browser.get(f"/titles/{TITLE}/lessons").raise_for_status().text
    return page.count("<strong>done</strong>")


def test_a_lesson_is_played_to_its_end_without_an_account(client: TestClient) -> None:
    assert done(client) == 0
    over = finish(client)["lesson"]
    assert (over["over"], over["step"], over["of"], over["verdict"]) == (True, 3, 3, "right")
    assert over["success"].startswith("You have marched")
    assert done(client) == 1
    assert "Go on with the lessons" in client.get("/").text


def test_wrong_answers_are_turned_back(client: TestClient) -> None:
    board = start(client)
    ended = give(client, board, 0, {"form": "end", "option": "end"})
    assert (ended["lesson"]["verdict"], ended["lesson"]["clause"]) == ("wrong", "5.1")
    assert ended["lesson"]["why"].startswith("The phase is over")
    stuck = client.post(f"/api/lessons/{board}/answers", json={"node": ended["node"], "answer": {"form": "no_attack"}})
    assert stuck.json()["error"]["key"] == "lessons.go_back"
    back = client.get(f"/api/lessons/{board}/view?node=0").json()["lesson"]
    assert (back["verdict"], back["step"]) == ("", 0)
    on = give(client, board, 0, {"form": "move", "units": ["PY-INF-1"], "path": ["1432", "1433", "1434"]})
    assert (on["lesson"]["verdict"], on["lesson"]["left"]) == ("on", 2)
    move = {"form": "move", "units": ["PY-INF-1"], "path": ["1432", "1434"]}
    refused = client.post(f"/api/lessons/{board}/answers", json={"node": 0, "answer": move})
    assert (refused.status_code, refused.json()["error"]["clause"]) == (400, "11.1")


def test_what_is_allowed_but_not_asked_is_shown_and_led_back(client: TestClient) -> None:
    board = start(client, "02-what-a-march-costs")
    march = {"form": "move", "units": ["PY-CAV-5"], "path": ["1730", "1729"]}
    node = give(client, board, 0, march)["node"]
    stray = give(client, board, node, {"form": "move", "units": ["PY-ART-3"], "path": ["1730", "1729"]})
    assert stray["lesson"]["verdict"] == "allowed"


def test_a_tempting_answer_that_the_rules_refuse_has_its_reason(client: TestClient) -> None:
    board = start(client, "10-paraguay-answers")
    told = give(client, board, 0, {"form": "meet_invasion", "lots": {"force": ["PY-INF-1", "PY-INF-3"]}})
    assert told["node"] == 0
    assert told["refused"]["clause"] == "8.2"
    assert told["refused"]["text"]
    assert told["why"].startswith("That battalion has an Allied unit")


def test_dice_fall_as_the_lesson_lays_them(client: TestClient) -> None:
    for _ in range(3):
        board = start(client, "03-the-first-attack")
        assert give(client, board, 0, lessons_of(TITLE)["03-the-first-attack"].steps[0].solution[0])["nodes"][1][
            "dice"
        ] == [6]


def test_off_its_way_a_lesson_says_so(client: TestClient) -> None:
    board = start(client)
    move = {"form": "move", "units": ["PY-INF-1"], "path": ["1432", "1433"]}
    freely = client.post(f"/api/boards/{board}/answers", json={"node": 0, "answer": move}).raise_for_status().json()
    seen = client.get(f"/api/lessons/{board}/view?node={freely['node']}").json()["lesson"]
    assert seen["verdict"] == "free"
    assert client.get(f"/boards/{board}").status_code == 200


def test_the_computer_says_what_it_would_consider_in_a_lesson_and_on_no_other_board(client: TestClient) -> None:
    board = start(client)
    hints = client.get(f"/api/lessons/{board}/hints").raise_for_status().json()["hints"]
    assert 1 <= len(hints) <= 3
    assert all(hint["clause"] and hint["label"]["key"] for hint in hints)
    first = give(client, board, 0, {**hints[0]["answer"]})
    assert first["node"] == 1
    free = client.post("/api/boards", json={"title": TITLE, "file": {"position": {}}}).raise_for_status().json()["id"]
    assert client.get(f"/api/lessons/{free}/hints").status_code == 404
    assert client.get(f"/api/boards/{free}/hints").status_code == 404


def test_a_lesson_is_its_players_alone(client: TestClient, person: Person) -> None:
    board = start(client)
    other = person("Bea")
    assert other.get(f"/lessons/{board}").status_code == 200
    body = {"node": 0, "answer": {"form": "end", "option": "end"}}
    assert other.post(f"/api/lessons/{board}/answers", json=body).status_code == 403
    assert client.post(f"/api/lessons/{board}/go", json={"node": 0}).json()["error"]["key"] == "lessons.yours"


def test_what_was_done_before_goes_with_the_account(client: TestClient) -> None:
    finish(client)
    new = {"name": "Ana", "password": PASSWORD}
    assert client.post("/sign-up", data=new, follow_redirects=False).status_code == 303
    assert done(client) == 1
    finish(client, "02-what-a-march-costs")
    assert done(client) == 2
    client.post("/sign-out")
    assert done(client) == 0
    finish(client, "02-what-a-march-costs")
    client.post("/sign-in", data={"name": "Ana", "password": PASSWORD})
    assert done(client) == 2


def test_what_nobody_can_ask_for_is_forgotten(client: TestClient, sql: Sql) -> None:
    finish(client)

    def sweep() -> int:
        assert client.portal is not None
        swept: int = client.portal.call(service.sweep, client.app.state.games.store)  # type: ignore[attr-defined]
        return swept

    assert sweep() == 0
    sql("update lessons_done set done_at = now() - interval '366 days'")
    assert sweep() == 1
    assert done(client) == 0


def test_pages_of_lessons_speak_the_readers_language(client: TestClient) -> None:
    for lang in LANGUAGES:
        client.post("/preferences", data={"lang": lang, "next": "/"})
        first = lessons_of(TITLE)[FIRST]
        assert first.title[lang] in client.get(f"/titles/{TITLE}/lessons").text
        board = start(client)
        assert client.get(f"/api/lessons/{board}/view").json()["lesson"]["title"] == first.title[lang]
    assert client.get("/titles/none/lessons").status_code == 404
    assert client.post(f"/titles/{TITLE}/lessons/none").status_code == 404


def test_a_picture_is_of_what_the_lesson_is_about() -> None:
    """Units stand far apart, in corners of the map where the lesson asks for nothing."""
    one = lessons_of("chaco")["04-new-men"]
    places = places_of(data.current("chaco").files["map"])
    assert subject(one, places) == ["2807", "3001", "2440"]
    assert len(around(one.body, places)) > 3
    for title in IDS:
        known = places_of(data.current(title).files["map"])
        assert all(set(subject(lesson, known)) <= known for lesson in lessons_of(title).values())


def test_what_lies_too_far_apart_for_one_picture_is_shown_in_part() -> None:
    near, far = [(100.0, 100.0), (300.0, 200.0), (350.0, 400.0)], (5000.0, 4000.0)
    assert _together([*near, (500.0, 500.0)]) == [*near, (500.0, 500.0)]
    assert _together([far, *near]) == near
    assert _together([near[0], far]) == [near[0]]


def test_a_picture_shows_where_a_lesson_begins(client: TestClient) -> None:
    drawn = client.get(f"/titles/{TITLE}/lessons/{FIRST}.png")
    assert drawn.status_code == 200
    assert drawn.content.startswith(b"\x89PNG")
    assert f"/titles/{TITLE}/lessons/" in client.get("/").text
