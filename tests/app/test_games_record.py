"""The real title through the store: at any moment the record told to an eye, folded, is that eye's view; a game loaded
anew is the game in memory; take-backs leave no trace but their entries."""

import hashlib
from random import Random
from typing import Any

import pytest

import rules.bots
from app.accounts.models import User
from app.config import Settings
from app.db import Database
from app.games import acts, making
from app.games.acts import Player
from app.games.config import GameSettings
from app.games.live import Live, living
from app.games.schemas import Answering, NewGame, Sealing, TakingBack
from app.reactions import REACTIONS
from rules.core.seats import eyes
from tests.app.test_games import apply, digest
from tests.app.toy_table import NONCES, new_key

SEATS = ("paraguay", "allied")


async def new_game(db: Database) -> tuple[str, int]:
    async with db.begin() as session:
        user = User(name="Ana", name_key="ana")
        session.add(user)
        await session.flush()
        wish = NewGame(title="triple_alliance", scenario="war", seat="paraguay", opponent="both")
        return (await making.create_game(session, user, wish)).id, user.id


async def seal(live: Live, players: dict[str, Player]) -> None:
    nonces = dict(zip(SEATS, NONCES.values(), strict=True))
    for seat, nonce in nonces.items():
        await acts.seal_dice(live, players[seat], Sealing(hash=hashlib.sha256(bytes.fromhex(nonce)).hexdigest()))
    for seat, nonce in nonces.items():
        await acts.seal_dice(live, players[seat], Sealing(nonce=nonce))


async def whole_record(live: Live, player: Player) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    since: int | None = 0
    while since is not None:
        page = await acts.record(live, player, since)
        entries += page["entries"]
        since = page["next"]
    return entries


async def check(live: Live, game: str, user: int) -> None:
    """Every eye's record adds up to its view, before and after the game is loaded anew."""
    row, loaded = await live.store.look(game)
    before = {eye: dict(loaded.referee.views.contents[eye]) for eye in eyes(SEATS)}
    lines = [entry.seq for entry in loaded.tail]
    for eye in SEATS:
        folded = apply({}, await whole_record(live, Player(game, user, eye)))
        assert folded == before[eye]
        assert digest(folded) == loaded.referee.views.digest[eye]
    live.store.drop(game)
    _, again = await live.store.look(game)
    assert again.referee.views.contents == before
    assert again.referee.asked == loaded.referee.asked
    assert [entry.seq for entry in again.tail] == lines
    assert again.referee.chance.made == row.rolls


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("seed", "answers", "every"), [(3, 60, 12), pytest.param(4, 600, 60, marks=pytest.mark.long)]
)
async def test_random_play_with_take_backs(
    settings: Settings, db: Database, seed: int, answers: int, every: int
) -> None:
    game, user = await new_game(db)
    players = {seat: Player(game, user, seat) for seat in SEATS}
    rng, bot = Random(seed), rules.bots.make("random")
    taken_back = 0
    async with living(settings.database_url, GameSettings(), REACTIONS) as live:
        await seal(live, players)
        for n in range(answers):
            row, loaded = await live.store.look(game)
            if row.status == "finished":
                break
            seat = loaded.referee.asked[0]
            offer = await acts.take_back_offer(live, players[seat])
            assert offer is not None
            places = [*offer["steps"], *offer["consent"][-3:]]
            if places and rng.random() < 0.15:
                assert await acts.take_back(live, players[seat], TakingBack(to=rng.choice(places)))
                taken_back += 1
            else:
                said = bot.answer(loaded.referee, seat, rng)
                await acts.answer(live, players[seat], Answering(seq=row.seq, key=new_key(), answer=said))
            if n % every == every - 1:
                await check(live, game, user)
        await check(live, game, user)
    assert taken_back > 2
