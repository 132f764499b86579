"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.mechanics import hand, written
from rules.mechanics.written import Impossible
from rules.titles.ultimo_hombre import invariants
from rules.titles.ultimo_hombre.board import ALLIED, NEUTRAL, PARAGUAYAN, SIDES, Game, enemy
from rules.titles.ultimo_hombre.control import PRIZES, set_control
from rules.titles.ultimo_hombre.leaders import argentina_out
from rules.titles.ultimo_hombre.movement import allowance, pace_clause
from rules.titles.ultimo_hombre.position import BOX, OUT, Position
from rules.titles.ultimo_hombre.setup import begin
from rules.titles.ultimo_hombre.transport import LONG_ROAD
from rules.titles.ultimo_hombre.turn import PHASES, enter_stage, player_turn
from rules.titles.ultimo_hombre.victory import win

FIELDS = {"turn", "phase", "units", "clear", "reduced", "control", "leaders", "fortresses", "worn", "besieged", "vp",
          "hands", "decks", "late", "in_use", "argentina", "uruguay", "capital", "capitals_used", "earned",
          "lost_strategic", "shipped", "moved", "attacks", "fled"}
UNDER_WAY = {"shipped", "moved", "attacks", "fled"}  # of a phase
FIRST = {"transport": "begin_turn", "movement": "begin_movement", "combat": "begin_combat", "restore": "begin_restore"}
PHASE_NAMES = tuple(f"{side}_{phase}" for side in SIDES for phase in PHASES)


def build(game: Game, options: Mapping[str, Any], body: Mapping[str, Any], base: Position | None = None) -> Position:
    """The position a file describes, from the set-up (or `base`) and what differs. Raises Impossible.

    `phase` is SIDE_PHASE; `units` maps unit to space, `dead`, `reserve` or `special`; `clear` (true or sides) empties
    first.
    """
    written.check_fields(body, FIELDS)
    pos = base or begin(game, dict(options))
    for side in written.cleared(body, SIDES):
        for space in pos.spaces_of(side):
            for unit in list(pos.units_of(side, space)):
                pos.put(unit, f"dead:{side}")
    for unit, place in written.placed(body, game.units, lambda unit, given: _place(game, unit, given)):
        pos.put(unit, place)
    pos.reduced = written.named(body.get("reduced", pos.reduced if base else []), game.units, "unit", "reduced")
    stage = pos.stage if base and pos.stage in PHASE_NAMES else "allied_transport"
    side, _, phase = written.name(body.get("phase", stage), PHASE_NAMES, "phase").partition("_")
    if base is None or "turn" in body:
        pos.turn = written.number(body.get("turn", 1), "turn", 1, (game.goal or {"last_turn": 99})["last_turn"])
    if base is None or {"argentina", "uruguay"} & body.keys():
        _war(pos, game, body, side)
    _control(pos, game, body)
    _leaders(pos, game, body, side if phase == "movement" else "")
    _forts(pos, game, body)
    _cards(pos, game, body)
    if base is None or {"capital", "capitals_used"} & body.keys():
        _capital(pos, game, body)
    _follow(pos, body, base)
    if base is None or {"phase", *UNDER_WAY} & body.keys():
        _agenda(pos, body, side, phase)
    _whole(pos, body)
    _ends(pos)
    pos.touched.clear()
    pos.teller.told.clear()
    invariants.check(pos)
    return pos


def _place(game: Game, unit: str, given: Any) -> str:
    """Where a unit stands or waits."""
    u = game.units[unit]
    away = {"dead": f"dead:{u.side}", "reserve": f"reserve:{u.nation}", "special": f"special:{u.side}"}
    found = written.name(given, [*game.spaces, *away], "place")
    if found in ("reserve", "special") and u.special != (found == "special"):
        raise Impossible("no_reserve" if u.special else "no_special", "12.2", unit=unit)
    return away.get(found, found)


def _war(pos: Position, game: Game, body: Mapping[str, Any], side: str) -> None:
    """12.1, 14, 15 Who is in the war: Argentina from the first Paraguayan turn on, Uruguay's side by Montevideo."""
    later = pos.turn > 1 or side == PARAGUAYAN or game.scenario.body.get("argentina") == "war"
    pos.argentina = written.one_of(body, "argentina", ("not_yet", "war", "out"), "war" if later else "not_yet")
    if pos.argentina == "not_yet" and later:
        raise Impossible("argentina_at_war", "12.1")
    if pos.argentina == "out":
        for unit, place in written.keyed(body, "units", game.units, "unit").items():
            if game.units[unit].nation == "argentina" and place != "dead":
                raise Impossible("argentina_gone", "14", unit=unit)
        argentina_out(pos)
    holder = written.keyed(body, "control", game.spaces, "space").get("montevideo")
    stands = [pos.unit(u).side for u in pos.stack("montevideo")]
    allied = ALLIED in stands or (isinstance(holder, str) and written.fold(holder) == ALLIED)
    pos.uruguay = written.one_of(body, "uruguay", ("blanco", "flipped"), "flipped" if allied else "blanco")
    if allied and pos.uruguay == "blanco":
        raise Impossible("uruguay_flipped", "15")
    if pos.uruguay == "flipped":
        for spot in game.spaces.values():
            if spot.country == "uruguay" and not pos.units_of(PARAGUAYAN, spot.id):
                set_control(pos, spot.id, ALLIED)


def _control(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """11 Who holds which space: as written, and whoever stands there."""
    for space, given in written.keyed(body, "control", game.spaces, "space").items():
        free = pos.argentina == "out" and game.spaces[space].country == "argentina"
        side = written.name(given, [NEUTRAL] if free else SIDES, "side")
        _inside(game, space)
        others = [] if free else pos.units_of(enemy(side), space)
        if others and not pos.units_of(side, space):
            raise Impossible("held_by_other", "11", at=space)
        set_control(pos, space, side)
    for space in [s for s in pos.here if s in game.spaces]:
        sides = {pos.unit(u).side for u in pos.here[space]}
        if len(sides) == 1 and pos.controller(space) not in (*sides, NEUTRAL):
            set_control(pos, space, sides.pop())


def _inside(game: Game, space: str) -> None:
    """4 Raises Impossible for a space outside the part of the map that is played."""
    if space not in game.part:
        raise Impossible("outside", "4", at=space)


def _leaders(pos: Position, game: Game, body: Mapping[str, Any], mover: str) -> None:
    """6, 14, 17.1 Leaders: with own units, in the own movement phase (of the `mover`) before enemies that are still to
    be attacked, or alone where the option lets them be; Mitre is out with Argentina."""
    for leader, given in written.keyed(body, "leaders", game.leaders, "leader").items():
        at, terms = written.name(given, [*game.spaces, BOX, OUT], "place"), game.leaders[leader]
        if at in game.spaces:
            _inside(game, at)
            facing, free = bool(pos.units_of(enemy(terms["side"]), at)), bool(pos.options.get("leaders"))
            led = not free and facing and terms["side"] == mover
            if not pos.units_of(terms["side"], at) and (facing or not free) and not led:
                raise Impossible("leader_alone", "6", unit=leader, at=at)
        if terms["nation"] == "argentina" and (at == OUT) != (pos.argentina == "out"):
            raise Impossible("leader_of_argentina", "14", unit=leader, given=pos.argentina)
        pos.place_leader(leader, at)


def _forts(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """9 Fortress markers, each in the space that is its own, hit (`worn`) or bombarded (`besieged`: phases until they
    recover, A21)."""
    if "fortresses" in body:
        for fort in list(pos.forts):
            pos.raze(fort)
        for fort, given in written.keyed(body, "fortresses", game.fortresses, "fortress").items():
            space = written.name(given, game.spaces, "space")
            _inside(game, space)
            if pos.fort_at(space) is not None or space not in fort_spaces(game, fort):
                raise Impossible("fort_wrong", "9", fort=fort, at=space)
            pos.fortify(fort, space)
    for fort in [f for f, space in pos.forts.items() if pos.controller(space) != game.fortresses[f]["side"]]:
        if "fortresses" in body:
            raise Impossible("fort_wrong", "9", fort=fort, at=pos.forts[fort])
        pos.raze(fort)
    pos.besieged = {fort: n for fort, given in written.keyed({"besieged": {
        **pos.besieged, **written.object_of(body, "besieged")}}, "besieged", game.fortresses, "fortress").items()
        if (n := written.number(given, "besieged", 0, 2, "12.1"))}
    pos.worn = written.named(body.get("worn", pos.worn), game.fortresses, "fortress", "worn")
    pos.worn += [f for f in pos.besieged if f not in pos.worn]
    for fort in pos.worn:
        if fort not in pos.forts:
            raise Impossible("no_such_fort_now", "9", fort=fort)


def fort_spaces(game: Game, fort: str) -> list[str]:
    """9, 12.1 Where a fortress marker may stand: where it starts, or where its card builds it."""
    built = [space for card in game.cards.values() for effect in card["effects"] if effect.get("marker") == fort
             for space in effect["at"]["spaces"]]
    start = game.fortresses[fort]["start"]
    return built if start is None else [start]


def _cards(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """12.1 Cards in use, in hand, late, in the decks; what is left over lies among the discards. 16 With its last card
    drawn a deck would have ended the war."""
    if not game.with_cards and (said := sorted({"in_use", "hands", "late", "decks"} & body.keys())):
        raise Impossible("no_cards", "12.1", field=said[0])
    for side, given in written.keyed(body, "in_use", SIDES, "side").items():
        card = written.name(given, [*game.deck(side), game.initial[side]], "card")
        pos.decks[side] = [c for c in pos.decks[side] if c != card]
        pos.show(side, card)
    for pile in ("hands", "late", "decks"):
        for side, given in written.keyed(body, pile, SIDES, "side").items():
            _deal(pos, pile, side, written.named(given, game.deck(side), "card", pile))
    if game.with_cards and (out := [side for side in SIDES if not pos.decks[side]]) and pos.result is None:
        raise Impossible("deck_empty", "16", side={"key": f"seat.{out[0]}"})


def _deal(pos: Position, pile: str, side: str, cards: list[str]) -> None:
    piles = {"hands": pos.hands, "late": pos.late, "decks": pos.decks}
    for name, other in piles.items():
        if name != pile and name != "decks" and set(cards) & set(other[side]):
            raise Impossible("card_twice", "12.1", card=min(set(cards) & set(other[side])))
    if pos.in_use[side] in cards:
        raise Impossible("card_twice", "12.1", card=pos.in_use[side])
    piles[pile][side] = list(cards)
    if pile != "decks":
        pos.decks[side] = [c for c in pos.decks[side] if c not in cards]
    used = {*pos.hands[side], *pos.decks[side], *pos.late[side], pos.in_use[side]}
    pos.discards[side] = [c for c in pos.game.deck(side) if c not in used]


def _capital(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """13 Where the government of Paraguay sits, and how many of its markers were put down."""
    moved = int(body.get("capital", game.capital) != game.capital)
    pos.capitals_used = written.number(body.get("capitals_used", moved), "capitals_used", 0, len(game.capitals), "13")
    if "capital" not in body:
        if pos.capitals_used:
            raise Impossible("capital_where", "13")
        return
    at = written.name(body["capital"], [s.id for s in game.spaces.values() if s.country == "paraguay"], "space")
    if (at == game.capital and pos.capitals_used == 1) or (at != game.capital and not pos.capitals_used):
        raise Impossible("capital_count", "13", at=at, n=pos.capitals_used)
    _inside(game, at)
    pos.capital = at


def _follow(pos: Position, body: Mapping[str, Any], base: Position | None) -> None:
    """11-14 What must have happened: bonuses given, strategic spaces lost (12.2), and, unless said, points (12.3): of
    spaces, captured leaders and fallen capitals."""
    game, spaces = pos.game, pos.game.spaces
    changed = [s for s in spaces if pos.controller(s) in SIDES and pos.controller(s) != spaces[s].control]
    flipped = [s for s in spaces if spaces[s].country == "uruguay" and pos.uruguay == "flipped"]
    earned = written.named(body.get("earned", pos.earned), spaces, "space", "earned")
    pos.earned = sorted({*earned, *changed, *flipped}) if "earned" not in body else earned
    lost = written.named(body.get("lost_strategic", pos.lost_strategic),
                         [s for s in spaces if spaces[s].strategic], "space", "lost_strategic")
    pos.lost_strategic = sorted({*lost, *(s for s in changed if spaces[s].strategic
                                          and pos.owner(s) != pos.controller(s))})
    points = dict.fromkeys(SIDES, 0)
    for space in [s for s in pos.earned if spaces[s].vp and s not in flipped]:
        points[enemy(spaces[space].control)] += spaces[space].vp
    for leader, at in pos.leaders.items():
        terms = game.leaders[leader]["capture"]
        if at == OUT and terms["type"] == "vp":
            points[enemy(game.leaders[leader]["side"])] += terms["vp"]
    points[ALLIED] += sum(marker["vp"] for marker in game.capitals[: max(0, pos.capitals_used - 1)])
    said = {side: written.number(n, "vp", 0, 999, "12.3")
            for side, n in written.keyed(body, "vp", SIDES, "side").items()}
    pos.vp.update(said if base else {**points, **said})


def _agenda(pos: Position, body: Mapping[str, Any], side: str, phase: str) -> None:
    """2 Where play goes on: at the beginning of a phase, or within it where something was done in it already."""
    steps = player_turn(side)
    start = next(i for i, step in enumerate(steps) if step[0] == FIRST[phase])
    done = {"transport": {"shipped"}, "movement": {"shipped", "moved", "attacks"}, "combat": {"attacks", "fled"},
            "restore": set()}[phase] & set(body)
    strays = (UNDER_WAY & set(body)) - done
    if strays:
        raise Impossible("not_under_way", field=min(strays), phase=f"{side}_{phase}")
    _battles(pos, body, side)
    if done:
        pos.rest()
        enter_stage(pos, phase, side)
        _moved(pos, body, side)
    rest = player_turn(PARAGUAYAN) if side != PARAGUAYAN else []
    skip = 1 if done - {"shipped"} or (done and phase == "transport") else 0
    pos.agenda = [*steps[start + skip:], *rest]


def _moved(pos: Position, body: Mapping[str, Any], side: str) -> None:
    """3, 4, 17.1 Who was shipped this turn, who has moved this phase and how far; leaders too under the option."""
    game = pos.game
    own = [u for u, unit in game.units.items() if unit.side == side and pos.at[u] in game.spaces]
    if pos.options.get("leaders"):
        own += [x for x, at in pos.leaders.items() if game.leaders[x]["side"] == side and at in game.spaces]
    pos.shipped = written.named(body.get("shipped", []), own, "unit", "shipped")
    for unit in pos.shipped:
        at = pos.leaders.get(unit) or pos.at[unit]
        if not pos.space(at).main_river and not (pos.options.get("mato_grosso") and at in LONG_ROAD):
            raise Impossible("not_shipped", "3", unit=unit, at=at)
    moved = written.keyed(body, "moved", own, "unit")
    pos.starts = {u: pos.space(pos.at[u]).region for u in moved if u in game.units}
    pos.steps = {u: written.number(n, "moved", 0, allowance(pos, u), pace_clause(pos, u)) for u, n in moved.items()}
    if both := sorted(set(pos.shipped) & set(pos.steps)):
        raise Impossible("shipped_and_moved", "3", unit=both[0])


def _battles(pos: Position, body: Mapping[str, Any], side: str) -> None:
    """6, 7 Battles to come: SPACE -> {UNIT: the space it came from}; `fled`: SPACE -> units and leaders (8)."""
    game = pos.game
    for space, given in written.keyed(body, "attacks", game.spaces, "space").items():
        came = written.keyed({"attacks": given}, "attacks", game.units, "unit")
        attack: dict[str, Any] = {"at": space, "units": sorted(came), "from": {}, "blue": []}
        for unit, origin in came.items():
            start = written.name(origin, game.near[space], "space")
            if pos.at[unit] != space or pos.unit(unit).side != side:
                raise Impossible("attack_wrong", "7", unit=unit, at=space)
            attack["from"][unit] = start
            if game.links[start][space] == "blue":
                attack["blue"].append(unit)
        if not pos.leaders_at(side, space) or not pos.units_of(enemy(side), space):
            raise Impossible("battle_needs_leader", "6", at=space)
        if idle := [u for u in pos.units_of(side, space) if u not in came] or ([] if came else [space]):
            raise Impossible("attack_wrong", "7", unit=idle[0], at=space)
        set_control(pos, space, enemy(side))
        pos.attacks[space] = attack
    for space, given in written.keyed(body, "fled", game.spaces, "space").items():
        there = [*pos.units_of(enemy(side), space), *pos.leaders_at(enemy(side), space)]
        if space not in pos.attacks:
            raise Impossible("nothing_to_come", "8", at=space)
        pos.fled[space] = written.named(given, there, "unit", "fled")
        if pos.fled[space] and not set(pos.fled[space]) & game.units.keys():
            raise Impossible("leader_alone", "8", unit=pos.fled[space][0], at=space)


def _whole(pos: Position, body: Mapping[str, Any]) -> None:
    """5, 13 What is left to be true of the whole: reduced units stand on the map, and an Allied capital is none."""
    for unit in written.named(body.get("reduced", []), pos.game.units, "unit", "reduced"):
        if pos.at[unit] not in pos.game.spaces:
            raise Impossible("reduced_off_map", "5", unit=unit)
    if pos.controller(pos.capital) == ALLIED and pos.capitals_used < len(pos.game.capitals) and pos.result is None:
        raise Impossible("capital_fallen", "13", at=pos.capital)


def _ends(pos: Position) -> None:
    """16 A war that is over in this position is over."""
    for leader, at in pos.leaders.items():
        if at == OUT and pos.game.leaders[leader]["capture"]["type"] not in ("vp", "argentina_out"):
            win(pos, ALLIED, "lopez", "14", at=pos.capital)
    for space in PRIZES:
        if pos.controller(space) == PARAGUAYAN:
            win(pos, PARAGUAYAN, "prize", "16", at=space)
    if pos.controller(pos.capital) == ALLIED and pos.capitals_used == len(pos.game.capitals):
        win(pos, ALLIED, "capital", "13", at=pos.capital)
    if pos.result is not None:
        pos.agenda.clear()


def by_hand(pos: Position) -> list[hand.Field]:
    """What of a position can be put by hand."""
    game = pos.game
    return [
        hand.number("turn", pos.turn, 1, 99), hand.one_of("phase", pos.stage, hand.stages(PHASE_NAMES)),
        hand.pieces("units", ["dead", "reserve", "special"]), hand.marked("reduced", pos.reduced),
        hand.pieces("leaders", [BOX, OUT], game.leaders), hand.pieces("fortresses", [], game.fortresses, pos.forts),
        hand.holders("control", SIDES),
        hand.numbers("vp", {side: (pos.vp.get(side, 0), 0, 999) for side in SIDES}),
        hand.one_of("argentina", pos.argentina, ("not_yet", "war", "out")),
        hand.one_of("uruguay", pos.uruguay, ("blanco", "flipped")),
        hand.some("worn", pos.worn, pos.forts), hand.numbers("besieged", {
            fort: (pos.besieged.get(fort, 0), 0, 2) for fort in pos.forts}),
        hand.choices("capital", {"": (pos.capital, [s.id for s in game.spaces.values() if s.country == "paraguay"])}),
        hand.number("capitals_used", pos.capitals_used, 0, len(game.capitals)),
        hand.spots("earned", pos.earned),
        hand.some("lost_strategic", pos.lost_strategic, [s.id for s in game.spaces.values() if s.strategic]),
        *(_cards_by_hand(pos) if game.with_cards else ()),
    ]


def _cards_by_hand(pos: Position) -> list[hand.Field]:
    """12.1 Cards in hand, those that wait for the next turn, and the one in use of each side."""
    game = pos.game
    shown = {side: sorted({*game.deck(side), game.initial[side]}) for side in SIDES}
    return [
        hand.choices("in_use", {side: (pos.in_use[side], shown[side]) for side in SIDES}),
        hand.lists("hands", {side: (pos.hands[side], game.deck(side)) for side in SIDES}),
        hand.lists("late", {side: (pos.late[side], game.deck(side)) for side in SIDES}),
        hand.lists("decks", {side: (pos.decks[side], game.deck(side)) for side in SIDES}),
    ]
