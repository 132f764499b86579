"""Every route, tried by everybody: who is let in, who is not, and that nothing changes for those who are not."""

import re
from collections.abc import Callable
from typing import Any

from tests.app.access.stage import ROLES, SIZES, Stage, every_route
from tests.app.access.table import NOT_NOW, ROUTES

Picks = Callable[[int, str, list[str]], list[str]]  # the route's number and path, the roles
GUARDED = ("/admin", "/support", "/reports", "/api/reports", "/leagues/organisers")
RULING = ("/rule", "/audit")  # addresses that end so are guarded, too
DEFAULTS = {"{game_id}": "{game}", "{event_id}": "{event}", "{league_id}": "{league}"}


def filled(value: Any, at: dict[str, str]) -> Any:
    """With what stands for the names in braces."""
    if isinstance(value, dict):
        return {name: filled(one, at) for name, one in value.items()}
    if not isinstance(value, str):
        return value
    for name, other in DEFAULTS.items():
        value = value.replace(name, other)
    return re.sub(r"\{(\w+)\}", lambda found: at[found[1]], value)


def outcome(answer: Any) -> str:
    """A letter of the table, or the status."""
    if answer.status_code == 401 or answer.headers.get("location", "").startswith("/sign-in"):
        return "S"
    known = {403: "F", 404: "N", 400: "A", 409: "A"}
    return "A" if answer.status_code < 400 else known.get(answer.status_code, str(answer.status_code))


def test_the_table_has_every_route() -> None:
    here = [(method, path) for method, path, *_ in ROUTES]
    assert len(here) == len(set(here))
    assert set(here) == set(every_route()) - {("WEBSOCKET", "/api/games/{game_id}/socket")}


def everybody(_number: int, _path: str, roles: list[str]) -> list[str]:
    return roles


def seat(_number: int, path: str, roles: list[str]) -> list[str]:
    return [role for role in roles if role == "seat" or path.endswith("/enter")]  # an event needs some to start


def sample(number: int, path: str, roles: list[str]) -> list[str]:
    """Somebody unknown and one more, each time another; everybody at the doors of those who look after the site."""
    if path.startswith(GUARDED) or path.endswith(RULING):
        return roles
    others = [role for role in roles if role != "anonymous"]
    return [role for role in roles if role == "anonymous"] + others[number % max(1, len(others)) :][:1]


def tried(stage: Stage, refused: Picks, allowed: Picks) -> list[str]:
    """What went otherwise than the table says, of those of the refused and of the allowed who are picked. If none of
    these could, the others of the allowed are tried until one can."""
    wrong = []
    for number, (method, path, who, body, address) in enumerate(ROUTES):
        to, said = filled(address or path, stage.at), filled(body, stage.at)
        letters = dict(zip(ROLES, who, strict=True))
        may = [role for role in ROLES if letters[role] == "A"]
        stage.keep()
        stage.touched()
        for role in refused(number, path, [role for role in ROLES if role not in may]):
            answer = stage.send(role, method, to, said)
            if outcome(answer) != letters[role]:
                wrong.append(f"{role}: {method} {to}: {answer.status_code} for {letters[role]} {answer.text[:300]}")
        if changed := stage.touched():
            wrong.append(f"refused, but changed: {method} {to}: {changed}")
        gave: dict[str, int] = {}
        picked = allowed(number, path, may)
        for role in picked + [role for role in may if role not in picked]:
            if role not in picked and min(gave.values(), default=500) < 400:
                break
            answer = stage.send(role, method, to, said)
            done = answer.status_code == 404 and min(gave.values(), default=404) < 400  # by one who came before
            if outcome(answer) != "A" and not done:
                wrong.append(f"{role}: {method} {to}: {answer.status_code} for A {answer.text[:300]}")
            gave[role] = answer.status_code
            stage.keep()
        if gave and min(gave.values()) >= 400 and path not in NOT_NOW:
            wrong.append(f"nobody could: {method} {to}: {gave}")
    return wrong


@SIZES
def test_everybody_gets_what_the_table_says(stage: Stage, whole: bool) -> None:
    assert not (tried(stage, everybody, everybody) if whole else tried(stage, sample, seat))
