"""How each printed fact is checked against the title's data and constants. One function per fact, by its id, true when
it holds."""

import re
from collections.abc import Callable
from typing import Any

from rules.titles.ultimo_hombre import TITLE
from rules.titles.ultimo_hombre.board import LIMIT, SIDES, SLOTS, STRATEGIC_NATIONS, Game
from rules.titles.ultimo_hombre.control import PRIZES
from rules.titles.ultimo_hombre.movement import ALLOWANCE, LEADER_PACE
from rules.titles.ultimo_hombre.position import BOX, Position
from rules.titles.ultimo_hombre.setup import begin
from rules.titles.ultimo_hombre.transport import LONG_ROAD
from rules.titles.ultimo_hombre.turn import PHASES
from tests.rules.harness import options
from tests.rules.titles.ultimo_hombre.builders import data

CHECKS: dict[str, Callable[[Any], object]] = {}


def check(function: Callable[[Any], object]) -> Callable[[Any], object]:
    CHECKS[function.__name__] = function
    return function


def game() -> Game:
    game: Game = TITLE.game(data(), "war")
    return game


def start() -> Position:
    return begin(game(), dict.fromkeys(options(TITLE), False))


def spaces(**wanted: Any) -> set[str]:
    return {s.id for s in game().spaces.values() if all(getattr(s, k) == v for k, v in wanted.items())}


def kinds() -> set[tuple[str, str]]:
    return {(u.nation, u.type) for u in game().units.values()}


def y(space: str) -> int:
    """How far south a space is drawn."""
    depth: int = data().files["map"]["spaces"][space]["y"]
    return depth


# -- contents and map ----------------------------------------------------------------------------------------


@check
def sides(value: Any) -> object:
    return all({u.nation for u in game().units.values() if u.side == side} == set(value[side]) for side in SIDES)


@check
def counter_samples(value: Any) -> object:
    return {(v["nation"], v["type"]) for v in value} <= kinds() and any(
        u.nation == "paraguay" and u.type == "infantry" and u.reduced for u in game().units.values())


@check
def unit_types(value: Any) -> object:
    return {u.type for u in game().units.values()} == set(value)


@check
def leader_boxes(value: Any) -> object:
    return value is (set(start().leaders.values()) == {BOX})


@check
def space_colours(value: Any) -> object:
    return {s.country for s in game().spaces.values()} == set(value)


@check
def strategic_frame(value: Any) -> object:
    return {game().spaces[s].country for s in spaces(strategic=True)} == set(value)


@check
def regions(value: Any) -> object:
    return {r["id"] for r in data().files["map"]["regions"]} == set(value) and all(spaces(region=r) for r in value)


@check
def region_count(value: Any) -> object:
    return len(data().files["map"]["regions"]) == value


@check
def mato_grosso(value: Any) -> object:
    return set(value["includes"]) <= spaces(region="mato_grosso")


@check
def chaco(value: Any) -> object:
    north_to_south = sorted(spaces(region="el_chaco"), key=y)
    return (north_to_south[0], north_to_south[-1]) == (value["from"], value["to"])


@check
def alto_parana(value: Any) -> object:
    north_to_south = sorted(spaces(region="alto_parana"), key=y)
    return (north_to_south[0], north_to_south[-1]) == (value["north_end"], value["south_end"])


@check
def paraguay(value: Any) -> object:
    others = spaces(region="el_chaco") | spaces(region="alto_parana") | spaces(region="mato_grosso")
    return value == "all_other_spaces" and spaces(region="paraguay") == spaces(country="paraguay") - others


@check
def entre_rios(value: Any) -> object:
    return spaces(region="entre_rios") == set(value) and set(value) <= spaces(country="argentina")


@check
def uruguay(value: Any) -> object:
    return value == "all_white_spaces" and spaces(region="uruguay") == spaces(country="uruguay")


@check
def rio_grande_do_sul(value: Any) -> object:
    return value == "all_southern_green_spaces" \
        and spaces(region="rio_grande_do_sul") == spaces(country="brazil") - spaces(region="mato_grosso")


@check
def named_spaces(value: Any) -> object:
    files = data().files["map"]["spaces"]
    return set(value) == {s for s, d in files.items() if d["named"]}


@check
def connections(value: Any) -> object:
    return {kind for near in game().links.values() for kind in near.values()} == set(value)


@check
def coast(value: Any) -> object:
    ports = ("buenos_aires", "montevideo", "rio_grande", "porto_alegre")
    return value is all(game().spaces[s].main_river for s in ports)


@check
def water_lines(_value: Any) -> object:
    return all(game().spaces[a].main_river and game().spaces[b].main_river
               for a, near in game().river.items() for b in near)


@check
def strategic(value: Any) -> object:
    return all(spaces(strategic=True, country=nation) == set(there) for nation, there in value.items())


@check
def no_way_by_water(value: Any) -> object:
    """Without option 2 Brazil has no water of its own from the coast to Cuiabá."""
    begin_, goal = value["no_friendly_river_link"]
    found, edge = {begin_}, [begin_]
    while edge:
        new = [n for n in game().river[edge.pop()] if n not in found and game().spaces[n].control == "allied"]
        found |= set(new)
        edge += new
    return goal not in found


# -- set-up --------------------------------------------------------------------------------------------------


@check
def decks(value: Any) -> object:
    pos = start()
    return (len(pos.decks), len(pos.in_use)) == (value["decks"], value["initial_cards"]) and not any(pos.hands.values())


@check
def first_player(value: Any) -> object:
    return start().agenda[0] == ["begin_turn", value]


@check
def phases(value: Any) -> object:
    return list(PHASES) == value


@check
def setup_names(value: Any) -> object:
    return set(value) <= set(start().here)


@check
def columns(value: Any) -> object:
    return all(len(start().stack(s)) >= 4 for s in value)


@check
def uruguay_at_start(value: Any) -> object:
    return all(game().spaces[s].control == value["side"] for s in spaces(country="uruguay"))


@check
def blancos_at_home(_value: Any) -> object:
    pos = start()
    return all(pos.at[u] in spaces(country="uruguay") for u, d in game().units.items()
               if d.nation == "uruguay_blanco" and not d.special)


# -- units, leaders, capitals --------------------------------------------------------------------------------


@check
def moves(value: Any) -> object:
    return value == ALLOWANCE


@check
def stack_limit(value: Any) -> object:
    return value == LIMIT


@check
def slots(value: Any) -> object:
    return value == SLOTS


@check
def factors(_value: Any) -> object:
    """A die decides: no factor hits always, and the reduced side is weaker."""
    return all(1 <= u.full <= 5 and (u.reduced is None or 1 <= u.reduced < u.full) for u in game().units.values())


@check
def one_sided(value: Any) -> object:
    return value is any(u.reduced is None for u in game().units.values())


@check
def a_leader_worth(value: Any) -> object:
    return any(x["side"] == value["side"] and x["capture"].get("vp") == value["capture_vp"]
               for x in game().leaders.values())


@check
def leader(value: Any) -> object:
    there = game().leaders[value["id"]]
    return there["side"] == value["side"] and value.get("capture", there["capture"]["type"]) == there["capture"]["type"]


@check
def bonus_types(value: Any) -> object:
    return {x["capture"]["type"] for x in game().leaders.values()} == set(value)


@check
def capitals(value: Any) -> object:
    return [c["id"].removeprefix("capital_") for c in game().capitals] == value


@check
def first_capital(value: Any) -> object:
    return game().capital == value


@check
def capital_points(value: Any) -> object:
    *scoring, fifth = game().capitals
    return all(c["vp"] > 0 and not c["wins"] for c in scoring) and fifth["wins"] and value["V"] == "allied_win"


# -- bonuses and cards ---------------------------------------------------------------------------------------


@check
def space_bonus(value: Any) -> object:
    return any(getattr(s, value) for s in game().spaces.values())


@check
def uruguayan_cards(value: Any) -> object:
    return value is all(game().spaces[s].cards >= 1 for s in spaces(country="uruguay"))


@check
def legion_militar(value: Any) -> object:
    card = next(c for c in game().cards.values() if c["title"] == value["title"])
    (effect,) = card["effects"]
    return card["side"] == value["side"] and effect["op"] == "place_unit" \
        and effect["units"] == ["ar_legion_militar"] and effect["at"]["spaces"] == [value["effect"]["at"]] \
        and game().units["ar_legion_militar"].special


@check
def events_that_capture(value: Any) -> object:
    return value is any(e["op"] == "place_unit" and e["at"]["control"] == "any"
                        for c in game().cards.values() for e in c["effects"])


@check
def special_units_by_one_card(_value: Any) -> object:
    named = [u for c in game().cards.values() for e in c["effects"] for u in e.get("units", [])]
    return sorted(named) == sorted(u for u, d in game().units.items() if d.special)


@check
def reserves(value: Any) -> object:
    return {game().units[u].nation for u, pool in game().pools.items() if pool == "reserve"} == set(value) \
        == {n for nations in STRATEGIC_NATIONS.values() for n in nations}


@check
def prizes(value: Any) -> object:
    return set(PRIZES) == set(value) and all(game().spaces[s].control == "allied" for s in value)


# -- options -------------------------------------------------------------------------------------------------


@check
def option_count(value: Any) -> object:
    return len(options(TITLE)) == value


@check
def leaders_pace(value: Any) -> object:
    return value["leader_move"] == LEADER_PACE


@check
def long_road(value: Any) -> object:
    return all(LONG_ROAD[s] == (value["to"],) for s in value["from"]) \
        and set(LONG_ROAD[value["to"]]) == set(value["from"])


@check
def free_units(value: Any) -> object:
    free = game().scenario["free_units"]
    return value["columns"] == 3 and len(free) <= LIMIT * len(spaces(country="paraguay"))


@check
def treaty_cavalry(value: Any) -> object:
    there = game().scenario["treaty_units"]
    return set(there) == set(value["spaces"]) and all(
        (game().units[u].nation, game().units[u].type, game().units[u].full)
        == tuple(value["unit"][k] for k in ("nation", "type", "factor")) for u in there.values())


# -- the words of the page -----------------------------------------------------------------------------------


@check
def names_kept(_value: Any) -> object:
    """Units keep their names in their own language: no unit is called "battalion" or "regiment"."""
    names = [d["name"] for d in data().files["units"]["units"].values()]
    return not any(re.search(r"\b(battalion|regiment|cavalry|infantry)\b", name, re.IGNORECASE) for name in names)
