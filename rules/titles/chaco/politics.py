"""15 Leaders: the political phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rules.core.agenda import DONE, Next
from rules.core.forms import Allocate, Choose, Lot, Option, label
from rules.core.procedure import Procedure, allocate, choose, draw
from rules.core.request import NOBODY, Request
from rules.titles.chaco import ahead, supply
from rules.titles.chaco.dice import FACES, die
from rules.titles.chaco.position import REPLACED, WAITING, Position
from rules.titles.chaco.turn import enter_stage, segments
from rules.titles.chaco.victory import sudden_death


@segments.segment
def politics(pos: Position, side: str) -> Procedure[Next]:
    """15.1 One attempt to replace a leader, or none; a forced challenge (15.2) comes first and excludes others. By
    option there is no political phase. 17.6 In the campaign there always is one."""
    if pos.options.get("politics", "on") == "off":
        return DONE
    pos.tried = False
    enter_stage(pos, f"{side}_politics", side)
    rivals = challengers(pos, side)
    if not rivals:
        settled(pos, side)
    pos.tell("politics_began", "15.1", side)
    if side in pos.shaken:
        yield from challenge(pos, side, rivals)
    else:
        yield from attempt(pos, side)
    sudden_death(pos)
    return DONE


def settled(pos: Position, side: str) -> None:
    """15.2 The commander has been challenged, or there is nobody to do it."""
    if side in pos.shaken:
        pos.shaken.remove(side)
        pos.touched |= {"table:leaders", "table:politics"}


def attempt(pos: Position, side: str) -> Procedure[None]:
    """15.1, 15.4, 15.5 The one attempt of a player's own, or none; each with the faces that succeed."""
    options = [Option("no_change", "15.1", label("option.no_change"))]
    for name, clause, leader, faces in chances(pos, side):
        options.append(Option("commander" if name == "commander" else leader, clause,
                              label(f"option.replace_{name}", unit=leader, chance=faces[0])))
    said = yield from choose(Request(
        side, "prompt.politics", "15.1", (Choose("politics", "15.1", tuple(options)),),
        needs=lambda answer: ahead.after_turn(side) if answer["option"] == "no_change" else NOBODY))
    if said == "commander":
        yield from voluntary(pos, side)
    elif said != "no_change":
        yield from subordinate(pos, side, said)


def on_duty(pos: Position, side: str) -> list[str]:
    """15.1 The leaders of a side in play, five at most."""
    return [x for x in pos.game.leaders[side] if pos.at.get(x) in pos.game.map.hexes]


def challengers(pos: Position, side: str) -> list[str]:
    """15.2 Named subordinates with a higher political rating than the commander, the highest first (15.1: no unnamed
    commander)."""
    chief = pos.commander[side]
    found = [x for x in on_duty(pos, side) if x != chief and pos.unit(x).named
             and pos.unit(x).political > pos.unit(chief).political]
    return sorted(found, key=lambda x: (-pos.unit(x).political, x))


def replaceable(pos: Position, side: str) -> list[str]:
    """15.5 Subordinates whose political rating is not above the commander's."""
    chief = pos.commander[side]
    return [x for x in on_duty(pos, side) if x != chief and pos.unit(x).political <= pos.unit(chief).political]


def spend(pos: Position, side: str, rules: Mapping[str, int], least: int, clause: str,
          succeeds: Callable[[int], bool]) -> Procedure[int]:
    """15.3, 15.5 Victory points spent on the die: so many for each one added (or taken off), no more than one has. What
    each is good for is told: the faces with which the leader goes."""
    top, cost = able(pos, side, rules), rules["cost"]
    if not top:
        return 0
    options = tuple(Option(str(n), clause, label("option.spend", n=n, cost=abs(n) * cost, chance=_faces(succeeds, n)))
                    for n in range(max(least, -top), top + 1))
    said = yield from choose(Request(side, "prompt.spend", clause, (Choose("spend", clause, options),)))
    pos.points(side, -abs(int(said)) * cost)
    return int(said)


def attempted(pos: Position, why: str, clause: str) -> Procedure[int]:
    """15.1 The die of the one attempt of a phase; with it there are no more odds to be shown."""
    rolled = yield from die(why, clause)
    pos.tried = True
    pos.touched.add("table:politics")
    return rolled


# -- the odds --------------------------------------------------------------------------------------------------


def chances(pos: Position, side: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """15.3-15.5 What may be attempted: its name, clause and leader, and "faces/6" of success without anything added and
    with each point that can be: all backers and as much as the victory points pay for."""
    chief, rivals, n = pos.commander[side], challengers(pos, side), pos.game.n
    rating = pos.unit(chief).political
    most = able(pos, side, n["challenge"])
    if side in pos.shaken and rivals:
        for how in ("falls", "stays", "equal", "crushed"):
            def ends(die_: int, how: str = how) -> bool:
                return fate(pos, chief, rivals, die_) == how
            yield how, "15.3", chief, [_faces(ends, k) for k in range(-most, most + 1)]
        return
    yield "commander", "15.4", chief, [_faces(lambda d: d >= 2 * rating, k) for k in range(most + len(rivals) + 1)]
    for leader in replaceable(pos, side):
        over = pos.unit(leader).political
        faces = [_faces(lambda d, over=over: d > over, k)  # type: ignore[misc]
                 for k in range(able(pos, side, n["subordinate"]) + 1)]
        yield "subordinate", "15.5", leader, faces


def able(pos: Position, side: str, rules: Mapping[str, int]) -> int:
    """15.3, 15.5 How many on the die the points of a side pay for."""
    return min(int(rules["most"]), pos.vp[side] // int(rules["cost"]))


def _faces(succeeds: Callable[[int], bool], added: int) -> str:
    """How many faces of the die succeed with so many added."""
    return f"{sum(succeeds(face + added) for face in range(1, FACES + 1))}/{FACES}"


# -- the forced challenge (15.2, 15.3) -----------------------------------------------------------------------


def challenge(pos: Position, side: str, rivals: Sequence[str]) -> Procedure[None]:
    """15.3 A die, plus the difference of the ratings, plus one for each further rival, plus points spent. 15.2 Among
    equals the challenger is drawn."""
    chief = pos.commander[side]
    top = [x for x in rivals if pos.unit(x).political == pos.unit(rivals[0]).political]
    rival = top[0] if len(top) == 1 else top[(yield from draw("challenger", "15.2", len(top), top))]
    rules = pos.game.n["challenge"]
    bought = yield from spend(pos, side, rules, -rules["most"], "15.3",
                              lambda die_: fate(pos, chief, rivals, die_) == "falls")
    rolled = yield from attempted(pos, "challenge", "15.3")
    settled(pos, side)
    how = fate(pos, chief, rivals, rolled + bought)
    total = rolled + bought + against(pos, chief, rivals)
    pos.tell("challenged", "15.3", side, unit=chief, rival=rival, roll=rolled, total=total, how=f"fate.{how}")
    if how == "falls":
        yield from fall(pos, side, chief, rival)
    elif how != "stays":
        gone = dismiss(pos, side, rival)
        new = (yield from drawn(pos, side, named=False)) if how == "crushed" else (yield from picked(pos, side))
        yield from enter_leader(pos, side, new, gone)


def against(pos: Position, chief: str, rivals: Sequence[str]) -> int:
    """15.3 What is added to a challenge: the difference of the ratings, and one for each further rival."""
    return pos.unit(rivals[0]).political - pos.unit(chief).political + len(rivals) - 1


def fate(pos: Position, chief: str, rivals: Sequence[str], die_: int) -> str:
    """15.3 What a die, with the points bought, does to a challenged commander."""
    rating, total = pos.unit(chief).political, die_ + against(pos, chief, rivals)
    return "falls" if total >= 2 * rating else "stays" if total > rating else "equal" if total == rating else "crushed"


def fall(pos: Position, side: str, chief: str, heir: str) -> Procedure[None]:
    """15.3, 15.4 The commander is replaced by the heir, for whom a new subordinate is drawn."""
    gone = dismiss(pos, side, chief)
    _command(pos, side, heir)
    pos.tell("new_commander", "15.3", side, unit=heir)
    new = yield from drawn(pos, side, named=False)
    yield from enter_leader(pos, side, new, gone)


def _command(pos: Position, side: str, leader: str) -> None:
    pos.commander[side] = leader
    pos.touch(pos.at[leader])
    pos.touched |= {"table:leaders", "table:politics"}


# -- the attempt of the player's own (15.4) ------------------------------------------------------------------


def voluntary(pos: Position, side: str) -> Procedure[None]:
    """15.4 The commander may be replaced in any political phase: a die, plus one for each named backer rated above him,
    plus points spent as in 15.3. A failure costs points."""
    chief, rivals = pos.commander[side], challengers(pos, side)
    backers: list[str] = []
    if rivals:
        taken = yield from allocate(Request(side, "prompt.backers", "15.4", (
            Allocate("backers", "15.4", "choose", (Lot("backers", tuple(sorted(rivals)), 0, len(rivals),
                                                     label=label("lot.backers")),)),)))
        backers = taken.get("backers", [])
    rules = pos.game.n["challenge"]
    rating = pos.unit(chief).political
    bought = yield from spend(pos, side, rules, -rules["most"], "15.4",
                              lambda die_: die_ + len(backers) >= 2 * rating)
    rolled = yield from attempted(pos, "replacement", "15.4")
    total = rolled + len(backers) + bought
    how = "falls" if total >= 2 * rating else "stays" if total >= rating else "crushed"
    pos.tell("commander_attempt", "15.4", side, unit=chief, roll=rolled, total=total, how=f"fate.{how}")
    if how == "falls":
        if backers:
            heir = backers[0]
            if len(backers) > 1:
                heir = backers[(yield from draw("heir", "15.4", len(backers), backers))]
            yield from fall(pos, side, chief, heir)
            return
        # 15.6 The new leader commands, so he is a named one; drawn before the old one is among the replaced (a ruling).
        heir = yield from drawn(pos, side, named=True)
        gone = dismiss(pos, side, chief)
        _command(pos, side, heir)
        pos.tell("new_commander", "15.4", side, unit=heir)
        yield from enter_leader(pos, side, heir, gone)
        return
    second = yield from die("failure", "15.4")
    _fail(pos, side, rating + second * (1 if how == "stays" else 2), "15.4")


def _fail(pos: Position, side: str, n: int, clause: str) -> None:
    """15.4, 15.5 A failed attempt costs points, more than one has if need be (16.4)."""
    pos.points(side, -n)
    pos.tell("attempt_failed", clause, side, points=n)


def subordinate(pos: Position, side: str, leader: str) -> Procedure[None]:
    """15.5 A subordinate is replaced by a die above his political rating; two points buy one more, thrice at most."""
    rules = pos.game.n["subordinate"]
    rating = pos.unit(leader).political
    bought = yield from spend(pos, side, rules, 0, "15.5", lambda die_: die_ > rating)
    rolled = yield from attempted(pos, "replacement", "15.5")
    total = rolled + bought
    done = total > rating
    pos.tell("subordinate_attempt", "15.5", side, unit=leader, roll=rolled, total=total,
             how=f"fate.{'falls' if done else 'stays'}")
    if done:
        gone = dismiss(pos, side, leader)
        new = yield from drawn(pos, side, named=False)
        yield from enter_leader(pos, side, new, gone)
        return
    second = yield from die("failure", "15.5")
    _fail(pos, side, rating + second, "15.5")


# -- new leaders (15.6) --------------------------------------------------------------------------------------


def dismiss(pos: Position, side: str, leader: str) -> str:
    """15.3 A leader goes to the box of the replaced; the hex he leaves."""
    at = pos.at[leader]
    pos.strip(leader)
    pos.put(leader, REPLACED[side])
    pos.tell("leader_dismissed", "15.3", side, unit=leader, at=at)
    return at


def _refill(pos: Position, side: str) -> None:
    """15.6 When the box of the available is empty all replaced leaders go into it."""
    if not pos.stack(WAITING[side]):
        for leader in list(pos.stack(REPLACED[side])):
            pos.put(leader, WAITING[side])


def _available(pos: Position, side: str, named: bool) -> list[str]:
    """15.6 The leaders that can be drawn: those available; for a commander only named ones, and if none is available
    the replaced."""
    _refill(pos, side)
    waiting = [x for x in pos.stack(WAITING[side]) if pos.unit(x).named or not named]
    return waiting or [x for x in pos.stack(REPLACED[side]) if pos.unit(x).named or not named]


def drawn(pos: Position, side: str, named: bool) -> Procedure[str]:
    """15.3, 15.6 A leader at random."""
    able = _available(pos, side, named)
    number = yield from draw("leader", "15.6", len(able), able)
    return able[number]


def picked(pos: Position, side: str) -> Procedure[str]:
    """15.3 With an equal total the owner picks the new leader from those available."""
    able = _available(pos, side, False)
    options = tuple(Option(x, "15.3", label("option.pick_leader", unit=x)) for x in able)
    return (yield from choose(Request(side, "prompt.pick_leader", "15.3", (Choose("leader", "15.3", options),),
                                      open_grounds=True)))


def enter_leader(pos: Position, side: str, leader: str, left: str) -> Procedure[None]:
    """15.6 A new leader comes in at a friendly source or with a friendly unit that is not isolated. If he was the last
    one available, those replaced are so from now on, for later use: who goes next is not drawn for himself."""
    cut = supply.cut_off(pos, side)
    friendly = [h for h in supply.sources(pos, side) if pos.holder(h) in (None, side)]
    where = sorted({*friendly, *(h for h in pos.army(side) if h not in cut)}) or [left]
    options = tuple(Option(h, "15.6", label("option.go_to", at=h), at=h) for h in where)
    at = yield from choose(Request(side, "prompt.new_leader", "15.6", (Choose("new_leader", "15.6", options),),
                                   {"unit": leader}, open_grounds=True))
    pos.put(leader, at)
    _refill(pos, side)
    pos.touched |= {"table:leaders", "table:politics"}
    pos.tell("leader_entered", "15.6", side, at=at, unit=leader)
