"""What events tell people in person."""

from typing import Any

import pytest
from sqlalchemy import text

from app.db import driver
from app.games import repository
from app.games.change import Change
from app.leagues import rulings, service
from app.reactions import REACTIONS
from app.texts import LANGUAGES, Texts
from tests.app.club import Club

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]
WHY = "for the test"


async def told(club: Club) -> list[tuple[str, str]]:
    """Who was told what since the last look, by name."""
    async with club.db.begin() as session:
        rows = await session.execute(text(
            """delete from notices n using users u where n.kind = 'league' and u.id = n.user_id
               returning u.name, n.args->>'key' as key, n.args as args"""))  # fmt: skip
        found = rows.all()
    for _, key, args in found:
        for lang in LANGUAGES:
            words: dict[str, Any] = args["args"]
            assert words["event"] in Texts(lang)(key, **words)
        assert args["link"].startswith(f"/events/{club.event}")
    return sorted((name, key.removeprefix("leagues.told_")) for name, key, _ in found)


async def test_rounds_and_the_end_are_told(club: Club) -> None:
    await club.make("round_robin", 3)
    await club.start()
    assert await told(club) == [("Ana", "bye"), ("Bea", "round"), ("Carl", "round")]
    for _ in range(3):
        await club.win_all()
    news = await told(club)
    assert [what for name, what in news if name == "Ana"] == ["finished", "round", "round"]


async def test_all_rounds_at_once_are_told_once(club: Club) -> None:
    await club.make("round_robin", 4, at_once=True)
    await club.start()
    assert await told(club) == [(name, "round") for name in ("Ana", "Bea", "Carl", "Dora")]


async def test_a_claim_goes_to_the_director_and_its_answer_to_both(club: Club) -> None:
    await club.make("round_robin", 2)
    await club.start()
    await told(club)
    (_, _, pairing), = await club.open()
    await club.act(rulings.claim, "Ana", pairing.id, "win", None, None, "it is won")
    assert await told(club) == [("Boss", "claimed")]
    async with club.db.begin() as session:
        number = (await session.execute(text("select id from claims"))).scalar_one()
    await club.act(rulings.dismiss, "Boss", number, WHY)
    assert await told(club) == [("Ana", "dismissed"), ("Bea", "dismissed")]
    await club.act(rulings.rule, "Boss", pairing.id, "first", WHY)
    assert await told(club) == [("Ana", "finished"), ("Ana", "ruled"), ("Bea", "finished"), ("Bea", "ruled")]


async def test_a_substitute_is_wanted_and_seated(club: Club) -> None:
    await club.make("round_robin", 4, enter=False)
    for name in ("Ana", "Bea", "Carl"):
        await club.act(service.enter, name)
    await club.act(service.enter, "Dora", True)
    await club.start()
    await told(club)
    first, second, pairing = (await club.open())[0]
    async with club.db.begin() as session:
        conn = await driver(session)
        row = await repository.lock(conn, pairing.game_id or "")
        assert row is not None
        change = Change(conn, row)
        await change.update(wants_substitute=pairing.first_seat)
        await REACTIONS.follow(change)
        await change.update(draw_offer=pairing.first_seat)
        await REACTIONS.follow(change)
    assert await told(club) == [("Boss", "game_wants"), ("Dora", "game_wants")]
    whole = await club.whole()
    await club.act(rulings.substitute, "Boss", whole.entrant(pairing.first_id).id, "Dora", WHY)
    assert await told(club) == sorted([("Dora", "you_sit"), (second, "seated")])
    await club.act(service.leave, second)
    news = await told(club)
    assert ("Boss", "wanted") in news
    assert (second, "wanted") not in news
    assert first not in {name for name, what in news if what == "wanted"}


async def test_who_waited_is_told_of_a_place_and_all_when_it_is_called_off(club: Club) -> None:
    await club.make("round_robin", 3, capacity=2, least=2, start="by_hand")
    await club.act(service.leave, "Ana")
    assert await told(club) == [("Carl", "moved_up")]
    await club.act(service.end, "Boss", WHY)
    assert await told(club) == [("Bea", "called_off"), ("Carl", "called_off")]


async def test_a_challenge_is_told(club: Club) -> None:
    await club.make("ladder", 3)
    await club.start()
    assert {what for _, what in await told(club)} == {"started"}
    whole = await club.whole()
    top = next(one for one in whole.entrants if one.rung == 1)
    await club.act(service.challenge, "Bea", top.id)
    assert await told(club) == [("Ana", "challenged")]
