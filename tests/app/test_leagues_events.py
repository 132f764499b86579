"""Events from the first entry to the final table, with the toy title: every format, and every way to leave."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.ties import Tie
from app.db import driver
from app.errors import Conflict, NotAllowed, Refused
from app.games import access, making, repository
from app.games.change import Change
from app.games.models import Game, Seat
from app.games.schemas import NewGame
from app.leagues import blocks, lifespan, rulings, service
from app.leagues.models import Act, Claim, Event, Pairing, RatedGame, Rating
from app.leagues.ratings import reliability
from app.leagues.ratings import service as ratings
from app.leagues.settings import EventSettings
from app.leagues.whole import Whole
from app.reactions import REACTIONS
from tests.app.club import BOARD, NAMES, Club

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


async def test_a_round_robin_from_entry_to_the_final_table(club: Club) -> None:
    await club.make("round_robin", 5)
    await club.start()
    for number in range(1, 6):
        whole = await club.whole()
        assert [one.number for one in whole.rounds if one.closed_at is None] == [number]
        assert len(await club.open()) == 2
        await club.win_all()
    whole = await club.whole()
    assert whole.event.state == "finished"
    assert await club.table() == [("Ana", 8), ("Bea", 6), ("Carl", 4), ("Dora", 2), ("Eva", 0)]
    assert [one.final_rank for one in whole.field] == [1, 2, 3, 4, 5]
    assert [act.kind for act in await acts(club)] == ["finished", "started"]


async def acts(club: Club) -> list[Act]:
    async with club.db.begin() as session:
        return list(await session.scalars(select(Act).where(Act.event_id == club.event).order_by(Act.id.desc())))


async def test_all_rounds_at_once_twice_with_the_sides_changed(club: Club) -> None:
    await club.make("round_robin", 3, double=True, at_once=True)
    await club.start()
    playing = await club.open()
    assert len(playing) == 6
    assert len({(first, second) for first, second, _ in playing}) == 6
    async with club.db.begin() as session:
        reds = select(Seat.user_id, func.count()).where(Seat.seat == "red").group_by(Seat.user_id)
        seats = await session.execute(reds)
        assert sorted(n for _, n in seats) == [2, 2, 2]
    await club.win_all()
    assert await club.table() == [("Ana", 8), ("Bea", 4), ("Carl", 0)]


async def test_a_swiss_pairs_by_score_and_closes_after_its_rounds(club: Club) -> None:
    await club.make("swiss", 7, rounds=3)
    await club.start()
    met = set()
    for _ in range(3):
        playing = await club.open()
        assert len(playing) == 3
        for first, second, _ in playing:
            assert frozenset((first, second)) not in met
            met.add(frozenset((first, second)))
        await club.win_all()
    assert (await club.whole()).event.state == "finished"
    assert (await club.table())[0] == ("Ana", 6)


async def test_a_knock_out_with_byes_and_a_match_for_third_place(club: Club) -> None:
    await club.make("knock_out", 6)
    await club.start()
    whole = await club.whole()
    byes = [one for one in whole.pairings if one.outcome == "bye"]
    assert {(await club.names(whole))[one.first_id] for one in byes} == {"Ana", "Bea"}
    await club.win_all()
    await club.win_all()
    last = await club.open()
    assert {one.branch: {first, second} for first, second, one in last} == {
        "main": {"Ana", "Bea"}, "third": {"Carl", "Dora"}}  # fmt: skip
    await club.win_all()
    whole = await club.whole()
    assert whole.event.state == "finished"
    name = await club.names(whole)
    assert [(row.rank, name[row.entrant]) for row in whole.table()][:4] == [
        (1, "Ana"), (2, "Bea"), (3, "Carl"), (4, "Dora")]  # fmt: skip


async def test_a_ladder_is_climbed_by_challenges_within_reach(club: Club) -> None:
    await club.make("ladder", 5, reach=2)
    await club.start()
    whole = await club.whole()
    place = {name: one for one, name in (await club.names(whole)).items()}
    with pytest.raises(Refused, match="out_of_reach"):
        await club.act(service.challenge, "Eva", place["Ana"])
    await club.act(service.challenge, "Eva", place["Carl"])
    with pytest.raises(Refused, match="busy"):
        await club.act(service.challenge, "Dora", place["Carl"])
    ((_, _, pairing),) = await club.open()
    await club.win(pairing, first=False)
    assert [name for name, _ in await club.table()] == ["Ana", "Bea", "Eva", "Carl", "Dora"]
    async with club.db.begin() as session:
        await session.execute(update(Event).values(ends_at=func.now() - timedelta(hours=1)))
    await lifespan.look_once(club.db)
    assert (await club.whole()).event.state == "finished"


async def test_an_arena_pairs_whoever_is_free(club: Club) -> None:
    await club.make("arena", 3)
    await club.start()
    await club.act(service.be_ready, "Ana", True)
    assert await club.open() == []
    await club.act(service.be_ready, "Bea", True)
    ((first, second, pairing),) = await club.open()
    assert {first, second} == {"Ana", "Bea"}
    await club.act(service.be_ready, "Carl", True)
    await club.win(pairing)
    ((first, second, pairing),) = await club.open()
    assert "Carl" in (first, second), "not the last opponents again"


async def test_the_field_is_drawn_by_a_seed_that_was_fixed_before(club: Club) -> None:
    from app.leagues.pairing import draw

    await club.make("swiss", 6, seeding="drawn")
    seed = (await club.whole()).event.seed
    await club.start()
    whole = await club.whole()
    name = await club.names(whole)
    assert [name[one.id] for one in whole.playing] == draw.drawn(seed, NAMES[:6])


async def test_it_starts_when_it_is_full_and_the_rest_waits(club: Club) -> None:
    await club.make("round_robin", 5, capacity=4, start="full", enter=False)
    for name in NAMES[:3]:
        await club.act(service.enter, name)
    await club.act(service.leave, "Ana")
    for name in ("Dora", "Ana"):
        await club.act(service.enter, name)
    whole = await club.whole()
    assert whole.event.state == "running"
    with pytest.raises(Conflict, match="begun"):
        await club.act(service.enter, "Eva")


async def test_the_waiting_list_moves_up(club: Club) -> None:
    await club.make("round_robin", 4, capacity=3)
    assert [one.state for one in (await club.whole()).entrants] == ["in", "in", "in", "waiting"]
    await club.act(service.leave, "Bea")
    assert [one.state for one in (await club.whole()).entrants] == ["in", "in", "in"]


async def test_it_starts_by_its_date(club: Club) -> None:
    await club.make("round_robin", 3)
    async with club.db.begin() as session:
        settings = EventSettings(boards=[BOARD], start="date").model_dump(mode="json")  # type: ignore[list-item]
        await session.execute(update(Event).values(settings=settings, starts_at=func.now() - timedelta(hours=1)))
    await lifespan.look_once(club.db)
    assert (await club.whole()).event.state == "running"


async def test_who_withdraws_loses_what_is_open_and_results_go_by_the_rule(club: Club) -> None:
    await club.make("round_robin", 4, withdrawals="half")
    await club.start()
    await club.win_all()
    await club.act(service.leave, "Dora")
    whole = await club.whole()
    assert all(one.state == "done" for one in whole.pairings if one.round == 2 and _has(whole, one, "Dora"))
    assert ("Dora", 0) in await club.table()
    await club.win_all()
    await club.win_all()
    whole = await club.whole()
    assert whole.event.state == "finished"
    assert await club.table() == [("Ana", 4), ("Bea", 2), ("Carl", 0), ("Dora", 0)]
    assert {one.how for one in whole.pairings if _has(whole, one, "Dora")} == {"resigned", "withdrawn", "forfeit"}


def _has(whole: Whole, pairing: Pairing, name: str) -> bool:
    entrant = next(one for one in whole.entrants if one.user and one.user.name == name)
    return entrant.id in (pairing.first_id, pairing.second_id)


async def test_a_deleted_account_leaves_explicit_results(club: Club) -> None:
    await club.make("round_robin", 3, withdrawals="forfeit")
    await club.start()
    async with club.db.begin() as session:
        user = await club.user(session, "Carl")
        await making.resign_all(session, user.id)
        user.deleted_at = func.now()
    await lifespan.look_once(club.db)
    await club.win_all()
    await club.win_all()
    whole = await club.whole()
    assert whole.event.state == "finished"
    assert await club.table() == [("Ana", 4), ("Bea", 2), ("Carl", 0)]


async def test_blocked_pairs_are_kept_apart(club: Club) -> None:
    @blocks.blocks
    async def enemies(session: AsyncSession, user_ids: list[int]) -> list[tuple[int, int]]:
        two = [(await club.user(session, name)).id for name in ("Ana", "Carl")]
        return [(two[0], two[1])] if set(two) <= set(user_ids) else []

    await club.make("swiss", 4, rounds=3)
    await club.start()
    for _ in range(3):
        assert {"Ana", "Carl"} not in [{first, second} for first, second, _ in await club.open()]
        await club.win_all()
    whole = await club.whole()
    assert whole.event.state == "finished"
    with pytest.raises(Conflict):
        await club.act(rulings.pair_by_hand, "Boss", *[one.id for one in whole.entrants[:2]], "because")


async def test_a_blocked_pair_of_a_round_robin_has_no_game_and_says_so(club: Club) -> None:
    @blocks.blocks
    async def enemies(_session: AsyncSession, user_ids: list[int]) -> list[tuple[int, int]]:
        return [(user_ids[0], user_ids[1])]

    await club.make("round_robin", 2)
    await club.start()
    (pairing,) = (await club.whole()).pairings
    assert (pairing.outcome, pairing.how, pairing.game_id) == ("void", "apart", None)


async def test_a_director_adjudicates_with_a_reason_and_answers_the_claim(club: Club) -> None:
    await club.make("round_robin", 2)
    await club.start()
    ((first, second, pairing),) = await club.open()
    await club.act(rulings.claim, first, pairing.id, "win", 5, 7, "The capital falls next turn.")
    with pytest.raises(Refused, match="no_reason"):
        await club.act(rulings.rule, "Boss", pairing.id, "first", "")
    with pytest.raises(NotAllowed):
        await club.act(rulings.rule, second, pairing.id, "second", "I want it")
    await club.act(rulings.rule, "Boss", pairing.id, "first", "The capital can't be held.")
    whole = await club.whole()
    assert (whole.pairings[0].outcome, whole.pairings[0].how, whole.event.state) == ("first", "adjudicated", "finished")
    async with club.db.begin() as session:
        game = await session.get_one(Game, pairing.game_id)
        assert game.status == "finished"
        assert game.result is not None
        assert (game.result["winner"], game.result["key"]) == (pairing.first_seat, "result.director_ruled")
        assert (await session.scalars(select(Claim))).one().answered_at is not None
    assert [(act.kind, act.reason) for act in await acts(club)][1] == ("ruled", "The capital can't be held.")


async def test_a_director_does_not_rule_on_the_own_game(club: Club) -> None:
    await club.make("round_robin", 2)
    await club.act(service.add_director, "Boss", "Ana")
    await club.start()
    ((_, _, pairing),) = await club.open()
    with pytest.raises(NotAllowed, match="own_board"):
        await club.act(rulings.rule, "Ana", pairing.id, "first", "me")


async def test_a_substitute_takes_over_place_and_games_without_notes(club: Club) -> None:
    await club.make("round_robin", 5, enter=False)
    for name in NAMES[:4]:
        await club.act(service.enter, name)
    await club.act(service.enter, "Eva", True)
    await club.start()
    first, second, pairing = next(one for one in await club.open() if "Dora" in one[:2])
    async with club.db.begin() as session:
        await session.execute(update(Seat).values(notes="my secret plan"))
    whole = await club.whole()
    dora = next(one.id for one in whole.entrants if one.user and one.user.name == "Dora")
    await club.act(rulings.substitute, "Boss", dora, "Eva", "Dora is ill.")
    whole = await club.whole()
    assert len(whole.entrants) == 4
    assert whole.entrant(dora).user is not None
    assert whole.entrant(dora).user.name == "Eva"  # type: ignore[union-attr]
    async with club.db.begin() as session:
        game = await session.get_one(Game, pairing.game_id)
        seats = {seat.user.name: seat.notes for seat in game.seats if seat.user}
        assert seats == {(second if first == "Dora" else first): "my secret plan", "Eva": ""}
        row = await repository.lock(await driver(session), game.id)
        assert row is not None
        taken = next(seat.seat for seat in game.seats if seat.user and seat.user.name == "Eva")
        keeps = [access.may_keep(row, Tie((await club.user(session, name)).id), taken) for name in ("Dora", "Eva")]
        assert keeps == [False, True], "an open line is cut"
        entry = await session.scalar(select(Pairing.rated).where(Pairing.id == pairing.id))
        assert entry is False, "nobody is rated for a game that changed hands"
    await club.win_all()
    async with club.db.begin() as session:
        assert await session.scalar(select(func.count()).select_from(RatedGame)) == 1


async def test_bids_are_secret_then_settle_the_sides(club: Club) -> None:
    await club.make("round_robin", 2, bids=True)
    await club.start()
    whole = await club.whole()
    (pairing,) = whole.pairings
    assert pairing.state == "bidding"
    name = await club.names(whole)
    one, two = name[pairing.first_id], name[pairing.second_id or 0]
    await club.act(service.bid, one, pairing.id, "blue", 3)
    assert (await club.whole()).pairings[0].state == "bidding"
    await club.act(service.bid, two, pairing.id, "blue", 5)
    (pairing,) = (await club.whole()).pairings
    assert (pairing.state, pairing.first_seat, pairing.handicap) == ("playing", "red", -5)


async def test_a_director_pairs_by_hand_who_has_a_bye(club: Club) -> None:
    await club.make("swiss", 5, rounds=2)
    await club.start()
    whole = await club.whole()
    (bye,) = [one for one in whole.pairings if one.outcome == "bye"]
    pairing = next(one for one in whole.pairings if one.state == "playing")
    await club.act(rulings.rule, "Boss", pairing.id, "void", "Both asked for it.")
    await club.act(rulings.pair_by_hand, "Boss", pairing.first_id, bye.first_id, "So that all play.")
    whole = await club.whole()
    assert next(one for one in whole.pairings if one.id == bye.id).outcome == "void"
    assert [one.state for one in whole.in_round(1)][-1] == "playing"


async def test_ending_an_event_annuls_what_goes_on(club: Club) -> None:
    await club.make("round_robin", 4)
    await club.start()
    await club.act(service.end, "Boss", "The server moves.")
    whole = await club.whole()
    assert whole.event.state == "finished"
    assert {one.outcome for one in whole.in_round(1)} == {"void"}
    async with club.db.begin() as session:
        assert await session.scalar(select(func.count()).select_from(RatedGame)) == 0


async def test_a_finished_game_is_rated_once_and_moves_both(club: Club) -> None:
    await club.make("round_robin", 2)
    await club.start()
    ((first, second, pairing),) = await club.open()
    await club.win(pairing)
    async with club.db.begin() as session:
        conn = await driver(session)
        row = await repository.lock(conn, pairing.game_id or "")
        assert row is not None
        await REACTIONS.follow(Change(conn, row))
    async with club.db.begin() as session:
        assert await session.scalar(select(func.count()).select_from(RatedGame)) == 1
        assert set(await session.scalars(select(Rating.games))) == {1}
        ranked = await ratings.ranking(session, "toy")
        assert [one.name for one in ranked] == [first, second]
        assert ranked[0].shown > ranked[1].shown
        assert (await ratings.balances(session))["toy"]["duel"].games == 1
        page = await ratings.of_player(session, first)
        assert (page.games[0].opponent, page.games[0].score, page.share) == (second, 1.0, 100)
        assert page.games[0].change > 0


async def test_only_open_games_between_two_people_are_rated_outside_events(club: Club) -> None:
    await club.people(2)
    for visibility, wanted in (("private", 0), ("open", 1)):
        async with club.db.begin() as session:
            ana, bea = await club.user(session, "Ana"), await club.user(session, "Bea")
            new = NewGame(title="toy", scenario="duel", seat="red", visibility=visibility)  # type: ignore[arg-type]
            await making.create_for(session, ana.id, new, {"red": (ana.id, None), "blue": (bea.id, None)})
            await making.resign_all(session, ana.id)
            assert await session.scalar(select(func.count()).select_from(RatedGame)) == wanted


async def test_who_is_unreliable_may_not_enter(club: Club) -> None:
    await club.make("round_robin", 3, enter=False, most_time_outs=0)
    async with club.db.begin() as session:
        ana, bea = await club.user(session, "Ana"), await club.user(session, "Bea")
        new = NewGame(title="toy", scenario="duel", seat="red", visibility="open")
        game = await making.create_for(session, ana.id, new, {"red": (ana.id, None), "blue": (bea.id, None)})
        await session.execute(update(Game).where(Game.id == game.id).values(
            status="finished", result={"winner": "blue", "key": "result.time_out", "args": {}}))  # fmt: skip
        found = await reliability.of(session, ana.id)
        assert (found.finished, found.timed_out, found.share) == (1, 1, 0)
    with pytest.raises(NotAllowed, match="unreliable"):
        await club.act(service.enter, "Ana")
    await club.act(service.enter, "Bea")


async def test_hosts_stay_out_where_the_event_says_so(club: Club) -> None:
    await club.make("round_robin", 2, hosts_play=False)
    with pytest.raises(NotAllowed, match="no_hosts"):
        await club.act(service.enter, "Boss")


async def test_bots_fill_a_field_and_their_results_count(club: Club) -> None:
    await club.make("round_robin", 1, least=2)
    await club.act(service.enter_bot, "Boss", "random")
    await club.act(service.enter_bot, "Boss", "random")
    await club.start()
    whole = await club.whole()
    assert [one.bot for one in whole.playing] == [None, "random", "random"]
    await club.win_all("Arandom")
    for _ in range(2):
        for _, _, pairing in await club.open():
            await club.win(pairing)
    assert (await club.whole()).event.state == "finished"
    async with club.db.begin() as session:
        assert await session.scalar(select(func.count()).select_from(RatedGame)) == 0
