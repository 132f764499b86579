"""What an offer says of a space or a unit that is barred is what the refusal says to who tries it all the same: one
sentence, with one clause, in random play of every title."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rules import bots, titles
from rules.core.chance import Chance
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Declare, Form, Move, Place
from rules.core.referee import Referee
from rules.core.request import Request
from tests.rules.harness import data
from tests.rules.texts import catalogue, site

BATTLE = {"turn": 4, "phase": "allied_combat_1", "units": {
    **dict.fromkeys(("AR-INF-1", "AR-INF-2", "BR-INF-1F", "BR-INF-2F", "BR-SUP-Sup-1", "AR-ART-1"), "1435"),
    "BR-SHP-A": "1334", "AR-WAR-P": "1334", "BR-INF-3F": "1335", "PY-SUP-Sup-1": "1434",
    "BR-SUP-Sup-2": "2037", "PY-INF-5": "2038"}}
STARTS: dict[str, list[tuple[int, dict[str, Any] | None, set[str]]]] = {
    "triple_alliance": [(5, BATTLE, {"declare", "declare unit"}),
                        (8, {"turn": 4, "phase": "allied_movement", "units": {"PY-INF-1": "1943", "AR-INF-1": "dead"}},
                         {"move", "place"}),
                        (4, {"turn": 4, "phase": "events"}, {"allocate"})],
    "ultimo_hombre": [(60, None, {"move", "reach", "place"})],
    "chaco": [(50, None, {"move"})],
    "guerra_a_muerte": [(120, None, {"move", "reach", "place"})],
}
Said = tuple[str, dict[str, Any], list[dict[str, Any]]]


def tried(request: Request, form: Form, **answer: Any) -> dict[str, Any]:
    """What is said to an answer that has to be refused."""
    with pytest.raises(Refusal) as caught:
        request.check({"form": form.name, **answer})
    return caught.value.reason()


def declared(request: Request, form: Declare) -> Iterator[Said]:
    offer = form.offer()
    for target, said in offer["barred"].items():
        yield "declare", said, [tried(request, form, target=target, units=form.near[target][:1])]
    for target, of in offer["targets"].items():
        for unit, said in of.get("barred", {}).items():
            yield "declare unit", said, [tried(request, form, target=target, units=[unit])]


def placed(request: Request, form: Place) -> Iterator[Said]:
    for group in form.offer()["groups"]:
        for loc, said in group.get("barred", {}).items():
            yield "place", said, [tried(request, form, placed={group["units"][0]: loc})]


def moved(request: Request, form: Move, rng: Random) -> Iterator[Said]:
    still = form.offer()["still"]
    for loc, said in rng.sample(sorted(still.items()), min(5, len(still))):
        unit = form.still[loc]
        refusal = form.why([unit], {}, None)
        assert refusal is not None, f"{unit} has nothing that keeps it"
        yield "move", said, [tried(request, form, units=[unit], path=[loc, refusal.at or loc])]
    loc = rng.choice(list(form.stacks))
    units = [rng.choice(form.stacks[loc])["id"]]
    try:
        reach = form.reached({"units": units})
    except Refusal:
        return
    for to, said in sorted((reach or {}).get("blocked", {}).items())[:2]:
        yield "reach", said, list(ways(request, form, units, reach or {}, to))


def ways(request: Request, form: Move, units: list[str], reach: dict[str, Any], to: str) -> Iterator[dict[str, Any]]:
    """The refusals of all the ways by which a space could be entered."""
    for last in [None, reach["from"], *reach["cost"]]:
        path = [to] if last is None else [last, to]
        while path[0] in reach["via"] and path[0] != reach["from"]:
            path.insert(0, reach["via"][path[0]])
        if len(path) > 1 and path[0] == reach["from"]:
            try:
                request.check({"form": form.name, "units": units, "path": path})
            except Refusal as refusal:
                yield refusal.reason()


def allocated(request: Request, form: Allocate) -> Iterator[Said]:
    said = form.offer().get("others_first")
    for lot in form.lots:
        if said and 0 < len(lot.last) < len(lot.units) and lot.most:
            taken = [*sorted(lot.last), *(u for u in lot.units if u not in lot.last)][:max(1, lot.least)]
            if set(lot.units) - lot.last <= set(taken):
                continue
            rest = {other.id: [*(u for u in other.units if u not in other.last), *sorted(other.last)][:other.least]
                    for other in form.lots if other is not lot}
            yield "allocate", said, [tried(request, form, lots={**rest, lot.id: taken})]


def barred(request: Request, rng: Random) -> Iterator[Said]:
    """Of all that the offer says is barred: by which kind of form, what it says, and what is said to who tries."""
    for form in request.forms:
        match form:
            case Declare():
                yield from declared(request, form)
            case Place():
                yield from placed(request, form)
            case Move():
                yield from moved(request, form, rng)
            case Allocate():
                yield from allocated(request, form)


@pytest.mark.parametrize(("title_id", "start"), [(t, n) for t, starts in STARTS.items() for n in range(len(starts))])
def test_what_is_barred_is_refused_in_the_same_words(title_id: str, start: int) -> None:
    title, rng, bot = titles.load(title_id), Random(5), bots.make("random")
    answers, body, kinds = STARTS[title_id][start]
    pos = title.written(data(title_id), {"position": body}) if body else \
        title.first(data(title_id), next(iter(data(title_id).scenarios)), {})
    game = Referee.at(title, pos, Chance(b"barred"))
    words, seen = catalogue(title_id, "en").keys() | site("en"), Counter[str]()
    for _ in range(answers):
        if not game.asked:
            break
        seat = game.asked[0]
        for kind, said, refusals in barred(game.pending[seat], rng):
            assert said in refusals, (kind, said, refusals)
            assert said["key"] in words, said
            assert said["clause"], said
            seen[kind] += 1
        game.answer(seat, bot.answer(game, seat, rng))
    assert kinds <= seen.keys(), seen
