"""Where and with whom the tests of chapters 11 to 13 play: hexsides of a kind, forces of a strength.

`TARGET` and the six clear hexes around it lie where both sides have a supply line and no river counts, so that an
attack there has no modifier but those of its phase and its forces.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.rules.titles.triple_alliance.builders import Play, answer, data, forms, last, lots, play, position

GAME = position(clear=True).game
MAP = GAME.map
TARGET = "1437"
AROUND = ("1436", "1536", "1537", "1438", "1337", "1336")
WATCH = {"PY-CAV-24": "3041", "BR-CAV-4GN": "3042"}  # two far away, so that both sides can always attack
ACROSS_ROUGH = ("1924", "2025")  # 11.19: from the clear over a minor river into the rough


def sides(terrain: str | None = None, *, minor: bool = False, road: bool = False, start: str | None = None,
          country: str | None = None) -> Iterator[tuple[str, str]]:
    """Hexsides (from, to) into a terrain, over a minor river or not, along a road or not; no rail, no ship's way."""
    for a, near in MAP.neighbours.items():
        for b in near:
            if terrain in (None, MAP.hexes[b].terrain) and start in (None, MAP.hexes[a].terrain) \
                    and country in (None, MAP.hexes[b].country) and MAP.edge("minor_river", a, b) == minor \
                    and MAP.edge("road", a, b) == road and not MAP.edge("rail", a, b) and not GAME.navigable(a, b):
                yield a, b


def side(terrain: str | None = None, **kind: object) -> tuple[str, str]:
    """The first such hexside."""
    return next(sides(terrain, **kind))  # type: ignore[arg-type]


def force(total: int, factor: str, *, side: str, types: Sequence[str] = ("infantry",), guard: bool | None = False,
          nation: str | None = None, without: Sequence[str] = ()) -> list[str]:
    """As few units as can be whose printed factors sum to a total, in the order of the counter sheet."""
    raw = data().files["units"]["units"]
    found: dict[int, list[str]] = {0: []}
    for unit, u in raw.items():
        if u["side"] != side or u["type"] not in types or unit in without or guard not in (None, u["guard"]) \
                or nation not in (None, u["nation"]):
            continue
        for sum_, units in sorted(found.items(), reverse=True):
            more = sum_ + u[factor]
            if more <= total and len(units) + 1 < len(found.get(more, [""] * 300)):
                found[more] = [*units, unit]
    return found[total]


def kind(side: str, type_: str, n: int = 1, *, guard: bool = False, nation: str | None = None) -> list[str]:
    """The first units of a type."""
    raw = data().files["units"]["units"]
    units = [u for u, r in raw.items() if r["side"] == side and r["type"] == type_ and r["guard"] == guard
             and nation in (None, r["nation"])]
    assert len(units) >= n
    return units[:n]


def trail(start: str, steps: int, *, without: Sequence[str] = ()) -> list[str]:
    """A path whose every hex costs 1 in any half of the year and is no railway."""
    costs = GAME.march_costs(True, False)
    path = [start]

    def go_on() -> bool:
        if len(path) == steps + 1:
            return True
        for near in MAP.neighbours[path[-1]]:
            if costs[path[-1], near] == 1 and near not in path and near not in without and near not in GAME.rail:
                path.append(near)
                if go_on():
                    return True
                path.pop()
        return False

    assert go_on()
    return path


def battle(side_: str, where: Mapping[str, Sequence[str]], *, phase: int = 2, dice: Sequence[int] = (), turn: int = 3,
           options: Mapping[str, str] | None = None, **more: Any) -> Play:
    """A combat phase with these units on the map, and the two that watch far away."""
    units = {**WATCH, **{u: hex_ for hex_, us in where.items() for u in us}}
    body = {"turn": turn, "phase": f"{side_}_combat_{phase}", "clear": True, "units": units, **more}
    return play(body, dice, options)


def take(game: Play, seat: str, form: str, *units: str) -> None:
    """Answer an allocation with units of its only lot."""
    [lot] = lots(game, seat, form)
    answer(game, seat, form, lots={lot: list(units)} if units else {})


def fought(game: Play) -> dict[str, Any]:
    """The odds of the newest combat die, with everything known."""
    found: dict[str, Any] = last(game, "combat_rolled")["odds"]
    return found


def settle(game: Play) -> None:
    """Answer all that an attack still asks: no supply, the first units as losses, no advance."""
    while game.asked and not ({"attack", "no_attack", "move"} & set(forms(game, game.asked[0]))):
        seat = game.asked[0]
        for form in forms(game, seat).values():
            answer(game, seat, form["form"], lots={lot["id"]: lot["units"][: lot["min"]] for lot in form["lots"]})
            break
