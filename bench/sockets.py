"""One process with more and more open connections: at how many answers a second an answer becomes slow.

Answers are offered at a steady rate, whatever becomes of those before (no game gives its next before its players have
seen the last); the rate grows until one in twenty takes longer than `SLOW`. The relay gets the same.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field

from bench.figures import Figure, quantile
from bench.live import BALLAST, MESSAGE, SET_UP, prepared
from bench.players import People, Relayed
from bench.site import Site

RAMP = (50, 200, 500)  # sockets, two a game
SLOW = 0.1  # seconds
FIRST, GROWS, STEP = 40.0, 1.3, 1.0  # answers a second, by how much more they become, after so many seconds
ANSWERS = {50: 500, 200: 160, 500: 60}  # of each game
GAMES_EACH = 40  # of two people: a person may not have many more lines open
LOST = 3.0  # seconds that a step may take longer than it was meant to


@dataclass
class Line:
    """One game, or pair of the relay: gives its next answer, if it has one."""

    deed: Callable[[], Awaitable[object]]
    over: Callable[[], bool]
    busy: bool = False
    times: list[float] = field(default_factory=list)


def measure(site: Site) -> Iterator[Figure]:
    for sockets in RAMP:
        served = site.serve("games", site.database(f"sockets_{sockets}"), BALLAST)
        relayed = prepared(site, site.database(f"sockets_floor_{sockets}"))
        people = [People(served) for _ in range(0, sockets // 2, GAMES_EACH)]
        games = [people[n // GAMES_EACH].new_game(n, SET_UP + ANSWERS[sockets]) for n in range(sockets // 2)]
        pairs = [Relayed(relayed, n + 1, MESSAGE) for n in range(sockets // 2)]
        yield asyncio.run(_both(sockets, games, pairs))
        site.stop_servers()


async def _both(sockets: int, games: Sequence[object], pairs: Sequence[Relayed]) -> Figure:
    lines = []
    for game in games:
        await game.connect()  # type: ignore[attr-defined]
        for _ in range(SET_UP):
            await game.answer()  # type: ignore[attr-defined]
        lines.append(Line(game.answer, lambda game=game: game.over))  # type: ignore[attr-defined,misc]
    floor = [Line((await pair.connect()).pass_on, lambda: False) for pair in pairs]
    ours, most = await ramp(lines), await ramp(floor)
    for one in (*games, *pairs):
        await one.close()  # type: ignore[attr-defined]
    note = "p95 stays under 100 ms to there" + ("" if any(not line.over() for line in lines) else "; all games over")
    return Figure(f"answers a second, {sockets} sockets", "1/s", ours, most, ours / most, note=note)


async def ramp(lines: Sequence[Line]) -> float:
    """The highest rate at which 95% of the answers came in time, as it was measured."""
    rate, best = FIRST, 0.0
    while any(not line.over() for line in lines):
        done, slow = await _step(lines, rate)
        if slow > SLOW or done < 0.8 * rate:
            return best
        best, rate = max(best, done), rate * GROWS
    return best


async def _step(lines: Sequence[Line], rate: float) -> tuple[float, float]:
    """Answers a second that were given, and how long all but one in twenty of them took. What finds no game free waits
    as if it had been sent."""
    clock = asyncio.get_running_loop().time
    began, sent, tasks, times = clock(), 0, set[asyncio.Task[None]](), list[float]()
    turn = 0

    async def give(line: Line, since: float) -> None:
        try:
            await line.deed()
            times.append(clock() - since)
        finally:
            line.busy = False

    while sent < rate * STEP and clock() - began < STEP + LOST:
        due = began + sent / rate
        if (wait := due - clock()) > 0:
            await asyncio.sleep(wait)
        for _ in range(len(lines)):
            turn += 1
            line = lines[turn % len(lines)]
            if not line.busy and not line.over():
                line.busy = True
                task = asyncio.create_task(give(line, due))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                sent += 1
                break
        else:
            if all(line.over() for line in lines):
                break
            await asyncio.sleep(0.001)
    await asyncio.gather(*tasks)
    return len(times) / max(clock() - began, STEP), quantile(times, 0.95) if times else SLOW * 2
