"""What a position keeps of what was worked out from it is what would be worked out anew; searches that spare
themselves a part of the map find what those find that do not."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from rules import bots
from rules.bots.playout import chance
from rules.core.referee import Referee
from rules.maps.paths import Prices, connected, reach
from rules.titles.chaco import TITLE, stacking, supply, zoc
from rules.titles.chaco.position import Position
from rules.titles.chaco.search import lines_from, lines_to, spread, within
from rules.titles.chaco.units import SIDES, enemy
from tests.rules.harness import data

AGAIN: dict[str, Callable[..., Any]] = {
    "barred": supply.barred,
    "cut_off": supply.cut_off,
    "line": supply.line_reach,
    "live": zoc.live_zones,
    "sources": supply.sources,
    "serves": lambda pos, side, hex_, _radius: supply.serves(pos, side, hex_),
    "lines": lambda pos, side: full_lines(pos, side, lines_to),
    "held": lambda pos, side: pos.held(side),
    "army": lambda pos, side: pos.army(side),
    "chiefs": lambda pos, side: pos.chiefs(side),
    "zones": zoc.zones,
    "overfull": stacking.overfull,
}


def full_lines(pos: Position, side: str, find: Callable[..., dict[str, list[str]]]) -> dict[str, list[str]]:
    """8.6 The lines to all sources, searched for round what is barred."""
    ghq, closed = pos.at[pos.game.ghq[side]], supply.barred(pos, side)
    if not pos.on_board(pos.game.ghq[side]) or ghq in closed:
        return {}
    zones = zoc.supply_zones(pos, side)
    return find(pos.ways("line", side), ghq, supply.sources(pos, side), closed, zones)


def full_cut_off(pos: Position, side: str) -> set[str]:
    """8.13 The same over the whole map."""
    closed = {*pos.army(enemy(side)), *zoc.supply_zones(pos, side), *pos.game.off_map}
    ghq = pos.game.ghq[side]
    goals = (pos.at[ghq],) if pos.on_board(ghq) else supply.sources(pos, side)
    joined = connected(pos.game.links, goals, closed)
    return {h for h in pos.army(side) if h not in joined and h not in pos.game.off_map}


def check(pos: Position) -> None:
    new = TITLE.decode(pos.game, TITLE.encode(pos), TITLE.schema)
    for key, value in list(pos._known.items()):
        kind, side, *more = key
        if kind == "ways":
            found = new.ways(side, more[0], more[1] == "True")
            assert (found.trails, found.ferries, found.shut) == (value.trails, value.ferries, value.shut)
        elif kind == "net":
            cut = more.index("with")
            line = pos.lines.get(side)
            if more[0] == str(line and line["length"]):
                assert supply.net(new, side, line, more[1:cut], more[cut + 1 :]) == value
        else:
            assert AGAIN[kind](new, side, *more) == value, key
    for side, kept in pos._standing.items():
        for kind, value in list(kept.items()):
            again = AGAIN[kind](new, side)
            assert again == value, (side, kind)
            if kind in ("held", "army"):
                assert list(again) == list(value)
        assert supply.shortest_lines(pos, side) == supply.shortest_lines(new, side)
        assert supply.lines_drawn(pos, side) == full_lines(new, side, lines_from)
        assert supply.cut_off(pos, side) == full_cut_off(new, side)


@pytest.mark.parametrize(
    ("scenario", "seed"),
    [("boqueron", 1), ("boqueron", 2), ("villa_montes", 3), ("ballivian", 4), ("alihuata", 5), ("campaign", 6)],
)
def test_what_is_kept_is_what_is_worked_out_anew(scenario: str, seed: int) -> None:
    rng, player = Random(seed), bots.make("random")
    referee = Referee.start(TITLE, data(TITLE.id), scenario, {}, chance(TITLE, seed))
    for n in range(400):
        if not referee.pending:
            break
        seat = rng.choice(referee.asked)
        referee.answer(seat, player.answer(referee, seat, rng))
        if not referee.pos.stage.startswith("set_up") and n % 2:
            check(referee.pos)


@pytest.mark.parametrize("seed", range(4))
def test_searches_by_number_find_what_the_plain_search_finds(seed: int) -> None:
    """With all clear hexsides barred (10.6) they are the search of every map; from a hex without any they need not
    be."""
    rng, game = Random(seed), TITLE.game(data(TITLE.id), "boqueron", SIDES)
    for kind in ("foot", "mech", "guns", "line"):
        ways = game.ways(kind, bool(seed % 2), (), (), ())
        start, budget = rng.choice([h for h in game.names if game.links[h]]), rng.choice((12, 48, 120))
        closed = frozenset(rng.sample(game.names, 300))
        plain = reach(Prices(game.links, ways.step), start, budget, closed)
        found = spread(ways, start, budget, closed, frozenset(game.names))
        assert (found.cost, found.via) == (plain.cost, plain.via)
        assert within(ways, start, budget, closed, frozenset(game.names)) == plain.cost.keys()


def test_a_trail_takes_effect_at_once_on_zones_and_steps() -> None:
    """14.5 Zones are kept while the other side moves, and the price of steps by trails."""
    game = TITLE.game(data(TITLE.id), "boqueron", SIDES)
    pos = TITLE.first(data(TITLE.id), "boqueron", {})
    hill = next(h for h in sorted(game.mountains) if any(n not in game.mountains for n in game.zone_of[h]))
    unit = next(u for u in pos.game.of(SIDES[0], "infantry"))
    pos.put(unit, next(n for n in game.zone_of[hill] if n not in game.mountains))
    before = zoc.zones(pos, SIDES[0])
    pos.trails = [hill]
    pos.build(hill)
    assert zoc.zones(pos, SIDES[0]) - before == {hill}


def test_beside_the_other_side_both_stand_anew() -> None:
    """A counter that lies on one of the other side's, or leaves it: both sides' hexes are looked for again."""
    pos = TITLE.first(data(TITLE.id), "boqueron", {})
    here = next(h for h in pos.game.names if pos.game.links[h])
    mine, theirs = (pos.game.of(side, "infantry")[0] for side in SIDES)
    pos.put(theirs, here)
    assert here in pos.held(SIDES[1])
    pos.put(mine, here)
    held = [here in pos.held(side) for side in SIDES]
    assert sorted(held) == [False, True]
    for unit in (mine, theirs):
        pos.take_off(unit)
        assert all(here not in pos.held(side) for side in SIDES) or unit == mine


def test_no_way_leads_from_what_is_no_hex_or_to_it() -> None:
    """A path may name anything: there is no price for such a step."""
    game = TITLE.game(data(TITLE.id), "boqueron", SIDES)
    ways, here = game.ways("foot", False, (), (), ()), next(h for h in game.names if game.links[h])
    assert ways.price(here, game.links[here][0]) is not None
    assert [ways.price(a, b) for a, b in ((here, "PY-GHQ"), ("PY-GHQ", here), ("PY-GHQ", "nowhere"))] == [None] * 3
