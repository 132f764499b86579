"""Nonsense in every field of every call, page, form and websocket message: refused, never a fault of the server."""

import json
import string
from itertools import islice
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.app.access.stage import Stage
from tests.app.access.table import ROUTES
from tests.app.access.test_routes import filled

QUIET: dict[str, Any] = {"deadline": None, "database": None, "derandomize": True,
                         "suppress_health_check": list(HealthCheck)}  # fmt: skip
JUNK: list[Any] = [
    "", "\0", " ", "x" * 5000, "-1", "0", "99999999999999999999999", "NaN", "1e400", "2026-13-45", "9999-12-31T23:59",
    "0001-01-01", "[]", "{}", "%s'\";--", "<script>", "../..", "\u202e\U0001f600", "true",
]  # fmt: skip
NAMES = ("seq", "before", "q", "title", "theme", "t", "seat", "token", "after", "check", "status", "done", "next",
         "player", "message", "line", "back", "digest", "lang", "sent")  # fmt: skip
REAL = {"game_id": "game", "event_id": "event", "number": "order", "vacation": "vacation", "channel_id": "channel",
        "board_id": "board"}  # fmt: skip
WORDS = {"title_id": "toy", "lang": "en", "name": "Ana"}


@pytest.fixture
def calm(stage: Stage) -> Stage:
    """A stage whose server answers 500 where it would raise."""
    for role, browser in list(stage.browsers.items()):
        stage.browsers[role] = TestClient(browser.app, raise_server_exceptions=False, follow_redirects=False)
        stage.browsers[role].portal = browser.portal
    return stage


def api_calls(stage: Stage, examples: int, step: int = 1) -> list[str]:
    """What the server answered with 5xx, of so many calls to each operation of its OpenAPI schema, or to each n-th."""
    faults = []
    schema = schemathesis.openapi.from_dict(stage.browsers["seat"].app.openapi())  # type: ignore[attr-defined]
    for found in islice(schema.get_all_operations(), 0, None, step):
        assert isinstance(found, Ok), found
        operation = found.ok()

        @settings(max_examples=examples, **QUIET)
        @given(case=operation.as_strategy(), known=st.booleans())
        def call(case: Any, known: bool) -> None:
            at = {name: stage.at[where] for name, where in REAL.items()} | WORDS
            if known:
                case.path_parameters = {name: at.get(name, value) for name, value in case.path_parameters.items()}
            said = case.as_transport_kwargs(base_url="http://testserver")
            said["headers"] = {k: v for k, v in said["headers"].items() if k.lower() != "user-agent"}
            said.pop("cookies", None)
            browser = stage.browsers["seat"]
            browser.cookies.clear()
            browser.cookies.set("session", stage.cookies["seat"])
            answer = browser.request(**said)
            if answer.status_code >= 500:
                faults.append(f"{said['method']} {said['url']} {said.get('json')!r:.200} {said.get('params')}")

        stage.keep()
        call()
    return faults


def test_no_call_of_the_api_breaks_the_server(calm: Stage) -> None:
    assert not api_calls(calm, 3, step=4)


@pytest.mark.long
def test_no_call_of_the_api_breaks_the_server_many_times(calm: Stage) -> None:
    assert not api_calls(calm, 200)


def forms(stage: Stage, examples: int) -> list[str]:
    """The same of pages and forms, whose fields are replaced, left out and added to."""
    faults: list[str] = []
    for method, path, _, body, address in ROUTES:
        if not path.startswith(("/api/", "/sheet/")):
            stage.keep()
            _form(stage, method, filled(address or path, stage.at), filled(body or {}, stage.at), examples, faults)
    return faults


def _form(stage: Stage, method: str, to: str, fields: dict[str, Any], examples: int, faults: list[str]) -> None:
    @settings(max_examples=examples, **QUIET)
    @given(
        wrong=st.dictionaries(st.sampled_from([*fields, "act", "roles"]), st.sampled_from([None, *JUNK])),
        query=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(JUNK), max_size=2),
        role=st.sampled_from(("seat", "admin", "organiser")),
        upload=st.booleans(),
    )
    def send(wrong: dict[str, Any], query: dict[str, str], role: str, upload: bool) -> None:
        said = {name: value for name, value in {**fields, **wrong}.items() if value is not None}
        files = {next(iter(fields), "text"): ("a.txt", b"\xff\0")} if upload and method == "POST" else None
        more = {"data": said, "files": files} if files else {}
        answer = stage.send(role, method, to, said, params=query, **more)
        if answer.status_code >= 500:
            faults.append(f"{method} {to} {query} {said!r:.300} {'with a file' if files else ''}")

    send()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an upload that nobody asked for
def test_no_form_breaks_the_server(calm: Stage) -> None:
    assert not forms(calm, 20)


# -- websockets --------------------------------------------------------------------------------------

KINDS = ("answer", "preview", "reach", "view", "ping")
FIELDS = ("n", "type", "seq", "key", "answer", "form", "units", "aboard", "to", "yes", "text")


def deep(levels: int) -> Any:
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(string.printable + "\0é\U0001f600", max_size=20) | st.sampled_from([deep(300), "x" * 5000]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["form", "option", "path", "units", ""]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
MESSAGES = st.dictionaries(st.sampled_from(FIELDS), VALUES).flatmap(
    lambda said: st.sampled_from(KINDS).map(lambda kind: {"type": kind, **said})
)
WORST = ("", "{", "null", "[]", '"x"', "{}", '{"type": null}', "\0", "[" * 5000,
         '{"n": ' + "[" * 300 + "]" * 300 + "}", '{"type": "\\ud800"}', "1e999",
         '{"type": "chat", "text": "' + "x" * 300_000 + '"}')  # fmt: skip
FRAMES: list[dict[str, Any]] = [{"text": text} for text in WORST]
FRAMES += [{"bytes": data} for data in (b"", b"\xff\xfe", b'{"type": "ping"}', b"\0" * 1000)]


def talk(stage: Stage, frame: dict[str, Any]) -> str | int:
    """Sends one frame, then a ping: `pong`, if it was answered, else the code of the end. Faults of the server are
    raised."""
    browser = TestClient(stage.browsers["seat"].app)
    browser.portal = stage.browsers["seat"].portal
    headers = {"cookie": f"session={stage.cookies['seat']}"}
    with browser.websocket_connect(f"/api/games/{stage.at['game']}/socket", headers=headers) as line:
        line.send({"type": "websocket.receive", **frame})
        line.send_json({"type": "ping", "n": "last"})
        try:
            while True:
                said = line.receive_json()
                if said["type"] == "pong" and said["n"] == "last":
                    return "pong"
        except WebSocketDisconnect as end:
            return end.code


def test_odd_frames_are_refused_or_end_the_line(stage: Stage) -> None:
    for frame in FRAMES:
        expected = 1003 if "bytes" in frame else "pong"
        assert talk(stage, frame) == expected, str(frame)[:100]


@pytest.mark.parametrize("odd", ['{"x": 1%s}' % ("0" * 30), '{"form": "\\ud800"}', '{"\\ud800": 1}'])
def test_an_answer_that_cannot_be_kept_is_refused(stage: Stage, odd: str) -> None:
    browser, at = stage.browsers["seat"], f"/api/games/{stage.at['game']}/preview"
    headers = {"content-type": "application/json", "cookie": f"session={stage.cookies['seat']}"}
    assert browser.post(at, content=f'{{"answer": {odd}}}', headers=headers).status_code == 422
    assert browser.post(at, content='{"answer": {"x": 1e30}}', headers=headers).status_code == 200


def messages(stage: Stage, examples: int) -> None:
    @settings(max_examples=examples, **QUIET)
    @given(MESSAGES)
    def send(said: dict[str, Any]) -> None:
        assert talk(stage, {"text": json.dumps(said)}) == "pong"

    send()


def test_no_message_breaks_the_line(stage: Stage) -> None:
    messages(stage, 40)


@pytest.mark.long
def test_no_message_breaks_the_line_many_times(stage: Stage) -> None:
    messages(stage, 3000)
