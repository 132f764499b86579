"""Rules alone, in one process: random play and re-running a record, against python-chess. Processor time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from time import process_time

import rules.bots
from app.garbage import collect_seldom
from bench import plies, scripts, titled
from bench.figures import Figure, beside
from bench.site import Site
from rules.bots.playout import chance
from rules.core.chance import Chance
from rules.core.referee import Checkpoint, Referee

ROUNDS = 7
GAMES = 2  # a round
PLIES = 5000
REPLAYED = 1000


def measure(_site: Site) -> Iterator[Figure]:
    with served():
        yield from _figures()


@contextmanager
def served() -> Iterator[None]:
    """Garbage is collected as a server's process collects it, for ours and the floor alike."""
    _play(0, encoding=False)
    plies.seconds(REPLAYED, 0)
    thresholds = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def _figures() -> Iterator[Figure]:
    rounds = [(_play(seed, encoding=False), _play(seed, encoding=True), PLIES / plies.seconds(PLIES, seed))
              for seed in range(1, ROUNDS + 1)]  # fmt: skip
    yield beside("random play: answer, told and all four views", "1/s", [(a, c) for a, _, c in rounds], 0.06,
                 at_least=True, note="python-chess random plies")  # fmt: skip
    yield beside("... and every eye's message built and encoded", "1/s", [(b, c) for _, b, c in rounds], 0.06,
                 at_least=True)  # fmt: skip
    yield _replay()


def _play(seed: int, *, encoding: bool) -> float:
    """Answers a second of a few games between random bots."""
    rng, bot, answers, began = Random(seed), rules.bots.make("random"), 0, process_time()
    for game in range(GAMES):
        referee = Referee.start(
            titled.title(), titled.data(), titled.scenario().id, {}, chance(titled.title(), seed * GAMES + game),
            seats=titled.seats(),
        )
        while referee.pending:
            seat = rng.choice(referee.asked)
            made = referee.answer(seat, bot.answer(referee, seat, rng))
            answers += 1
            if encoding:
                for eye in referee.views.eyes:
                    steps = [entry.told.get(eye, []) for entry in made]
                    titled.encode(
                        {"entries": steps, "request": referee.request_for(eye), "digest": referee.views.digest[eye]}
                    )
    return answers / (process_time() - began)


def _replay() -> Figure:
    """From the first position through all entries, as after a change of rules."""
    title, games, pairs = titled.title(), list[scripts.Whole](), []
    game_of = title.game(titled.data(), titled.scenario().id, titled.seats())
    while (answers := sum(game.answers for game in games)) < REPLAYED:
        games.append(scripts.record(len(games)))
    for seed in range(ROUNDS):
        spent = 0.0
        for game in games:
            start = Checkpoint(1, "", title.encode(title.begin(game_of, game_of.terms.scenario.chosen({}))))
            began = process_time()
            Referee.resume(title, game_of, start, title.schema, game.entries, Chance(None))
            spent += process_time() - began
        pairs.append((1000 * spent * REPLAYED / answers, 1000 * plies.seconds(REPLAYED, seed)))
    return beside("replay of 1,000 answers", "ms", pairs, 15, note="python-chess, 1,000 plies")
