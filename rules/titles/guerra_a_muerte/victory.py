"""11 How the game is won, and 10.5 the garrisons that the crown must keep."""

from __future__ import annotations

from rules.mechanics.ending import finish
from rules.titles.guerra_a_muerte.battle import show
from rules.titles.guerra_a_muerte.board import CAVALRY, HALF, INFANTRY, PATRIOT, ROYALIST
from rules.titles.guerra_a_muerte.control import holds, rebellious
from rules.titles.guerra_a_muerte.position import Position


def patriot_halves(pos: Position) -> int:
    """11.1, 12.1.4 Areas of the patriots in halves: shared ones and those with rebels count half, areas of 0 points
    nothing."""
    total = 0
    for area in pos.game.land:
        if pos.game.worth[area]:
            total += 1 if rebellious(pos, area) else holds(pos, area)[PATRIOT]
    return total


def royalist_continent(pos: Position) -> dict[str, int]:
    """11.1.1, 11.1.3 The crown's areas on the continent, in halves; the islands and areas of 0 points left out."""
    islands = pos.game.lists["islands"]
    found = {a: holds(pos, a)[ROYALIST] for a in pos.game.land if pos.game.worth[a] and a not in islands}
    return {a: n for a, n in found.items() if n}


def garrison(pos: Position, areas: list[str]) -> int:
    """10.5 Steps of regular infantry and cavalry of the crown in some areas."""
    return sum(pos.steps(u) for a in areas for u in pos.units_in(a, ROYALIST)
               if pos.unit(u).regular and pos.unit(u).type in (INFANTRY, CAVALRY))


def short_of_garrison(pos: Position) -> bool:
    """10.5, 12.1.4, 12.2.4, 12.3.4 Whether one of the two garrisons is too small."""
    wanted, lists = pos.game.scenario["garrison"], pos.game.lists
    return bool(garrison(pos, lists["garrison_mexico"]) < wanted["mexico"]
            or garrison(pos, lists["garrison_caribbean"]) < wanted["caribbean"])


def after_penalty(pos: Position, halves: dict[str, int]) -> dict[str, int]:
    """10.5 (ruling 25) Two of the crown's areas go to the patriot, who takes those of most worth."""
    if not short_of_garrison(pos):
        return halves
    dearest = sorted(halves, key=lambda a: (-halves[a] * pos.game.worth[a], a))
    gone = dearest[:pos.game.scenario["garrison"]["areas"]]
    return {a: n for a, n in halves.items() if a not in gone}


def patriot_score(pos: Position) -> int:
    """12.1.4, 12.2.4 The patriots' areas in halves, with the two for a missing garrison."""
    more = pos.game.scenario["garrison"]["areas"] * HALF if short_of_garrison(pos) else 0
    return patriot_halves(pos) + more


def decide(pos: Position) -> None:
    """11.1, 12.3.4 At the end of the last turn the areas are counted, 5.1.3 with all boxes open: who holds what may
    hang on what is in them."""
    opened = [name for area in sorted({a for boxes in pos.armies.values() for a in boxes.values() if a is not None})
              for name in show(pos, area)]
    terms = pos.game.scenario["victory"]
    if short_of_garrison(pos):
        pos.tell("garrison_short", pos.game.scenario["garrison"]["clause"], ROYALIST,
                 mexico=garrison(pos, pos.game.lists["garrison_mexico"]),
                 caribbean=garrison(pos, pos.game.lists["garrison_caribbean"]), reveals=True)
    if terms["kind"] == "areas":
        by_areas(pos, patriot_score(pos))
    else:
        by_continent(pos, after_penalty(pos, royalist_continent(pos)))
    pos.touched.add("result")
    pos.tell("game_over", "11.1", (pos.result or {}).get("winner"), reveals=bool(opened))


def by_areas(pos: Position, halves: int) -> None:
    """12.1.4, 12.2.4 So many areas win for the patriot, fewer are a draw, still fewer the crown's (ruling 43)."""
    terms, clause = pos.game.scenario["victory"], pos.game.scenario["victory"]["clauses"][0]
    areas = f"{halves / HALF:g}"
    if halves >= terms["patriot"]:
        finish(pos, PATRIOT, "areas_patriot", clause, areas=areas)
    elif halves >= terms["draw"]:
        finish(pos, None, "areas_draw", clause, areas=areas)
    else:
        finish(pos, ROYALIST, "areas_royalist", clause, areas=areas)


def by_continent(pos: Position, held: dict[str, int]) -> None:
    """11.1.1, 11.1.2, 11.1.3 Two areas of at most four points, fifteen areas, and all between them a draw (ruling
    17)."""
    terms = pos.game.scenario["victory"]
    halves = sum(held.values())
    worth = sum(pos.game.worth[a] for a in held)
    areas = f"{halves / HALF:g}"
    if halves >= terms["royalist"] * HALF:
        finish(pos, ROYALIST, "continent_royalist", "11.1.3", areas=areas, points=worth)
    elif halves <= terms["patriot"][0] * HALF and worth <= terms["patriot"][1]:
        finish(pos, PATRIOT, "continent_patriot", "11.1.1", areas=areas, points=worth)
    elif halves >= terms["draw"][0] * HALF and worth >= terms["draw"][1]:
        finish(pos, None, "continent_draw", "11.1.2", areas=areas, points=worth)
    else:
        finish(pos, None, "continent_between", "11.1.2", areas=areas, points=worth)
