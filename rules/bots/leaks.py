"""Non-interference: whatever a seat may not know can be re-dealt, and it sees, is offered and is refused the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import orjson

from rules.bots.reruns import Copies
from rules.core.errors import OutOfStep, Refusal
from rules.core.forms import Answer, Form
from rules.core.record import CHANCE, Entry
from rules.core.referee import Referee
from rules.core.request import Request
from rules.core.seats import Seat, Side


class Leak(AssertionError):
    """A seat can tell two positions apart that it must not."""


def difference(one: Any, other: Any, at: str = "") -> str:
    """The first place where two JSON values differ, in words."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}, key=str):
            if one.get(key) != other.get(key):
                return difference(one.get(key), other.get(key), f"{at}.{key}")
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            if a != b:
                return difference(a, b, f"{at}[{i}]")
    return f"{at or 'value'} is {one!r:.300} and {other!r:.300}"


def words(value: Any) -> Iterator[str]:
    """Every string in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, content in value.items():
            yield key
            yield from words(content)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from words(item)


def known(entries: Sequence[Entry], side: Side) -> set[str]:
    """What the open segment has told a side, or said in answers: of that nothing may be re-dealt."""
    return {word for e in entries for source in (e.answer, [step["data"] for step in e.told.get(side, [])])
            for word in words(source)}


def tops(contents: Mapping[str, Any]) -> dict[str, Any]:
    """The counter on top of each foreign stack, which whoever looks may see: space -> what is said of it."""
    return {key: content["top"] for key, content in contents.items()
            if key.startswith("space:") and isinstance(content, dict) and "top" in content}


def mutated(answer: Answer, pool: Sequence[str], rng: Random) -> Answer:
    """An answer with one word in it exchanged, or one more or fewer in a list: mostly one that is refused."""
    body: Answer = orjson.loads(orjson.dumps(answer))
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        for key, content in pairs:
            if isinstance(content, str) and key != "form":
                places.append((value, key))
            elif isinstance(content, (dict, list)):
                walk(content)

    walk(body)
    if not places:
        return body
    inside, key = rng.choice(places)
    if isinstance(inside, list) and rng.random() < 0.5:
        inside.append(rng.choice(pool))
    elif isinstance(inside, list) and rng.random() < 0.3:
        del inside[key]
    else:
        inside[key] = rng.choice(pool)
    return body


class Pair:
    """The game as it is, and as it might be for all the seat knows: `games`, in that order, to be looked at. Where
    nothing was re-dealt both would be one game twice: the second is then the game that is played."""

    def __init__(self, copies: Copies, seat: Seat, rng: Random) -> None:
        referee = copies.referee
        self.copies, self.seat, self.side = copies, seat, referee.seating.side(seat)
        title, newest = referee.title, referee.newest
        other = title.decode(referee.game, newest.state, title.schema)
        up = {top["id"] for top in tops(referee.views.contents[self.side]).values()}  # those that came up since, too
        title.scramble(other, self.side, rng, known(copies.opened, self.side) | up)
        state = title.encode(other)
        self.redealt = state != newest.state
        try:
            self.games = [copies.look(), copies.otherwise(state) if self.redealt else referee]
        except OutOfStep as wrong:
            raise Leak(f"what {seat} cannot know changes what {newest.phase} asks: {wrong}") from wrong

    def same(self, what: str, one: Any, other: Any) -> None:
        if orjson.dumps(one) != orjson.dumps(other):
            raise Leak(f"{self.seat} can tell by {what}: {difference(one, other)}")

    def shown(self) -> None:
        """Fragments, digest, request, forecast."""
        seen = [self._seen(game) for game in self.games]
        for (what, one), (_, other) in zip(seen[0], seen[-1], strict=True):
            self.same(what, one, other)

    def _seen(self, game: Referee) -> list[tuple[str, Any]]:
        """What the seat sees of a game, and how it is called."""
        seen = [("its view", sorted(game.views.contents[self.side].items())),
                ("its digest", game.views.digest[self.side]), ("what is asked", game.request_for(self.seat)),
                ("who is asked", game.asked)]
        forecast = game.title.forecast
        if forecast is not None and game.pos.result is None:
            seen.append(("its forecast", dict(forecast(game.pos, self.side))))
        return seen

    def told(self, by: Seat, answer: Answer, stop: tuple[str, ...]) -> None:
        """The same answer given to both, or to a copy of the one game: what the seat is told until something is
        revealed."""
        self.games = [self.copies.play(), *(self.games[1:] if self.redealt else ())]
        made, up = [], tops(self.games[0].views.contents[self.side])
        for game in self.games:
            try:
                made.append(game.answer(by, answer))
            except Refusal as refusal:
                raise Leak(f"{self.seat} can tell by {answer!r:.300}: refused in one case, {refusal}") from refusal
        for one, other in zip(made[0], made[-1], strict=False):
            if one.reveals or other.reveals or one.kind in stop or self._uncovers(one, up):
                return
            self.same(f"what it is told of {answer!r:.200}", [one.kind, one.seat, one.told.get(self.side)],
                      [other.kind, other.seat, other.told.get(self.side)])
        self.same(f"what comes of {answer!r:.200}", len(made[0]), len(made[-1]))
        self.shown()

    def _uncovers(self, entry: Entry, up: Mapping[str, Any]) -> bool:
        """Whether a counter came to the top of a stack, as the one above it is gone: it is seen from then on."""
        return any(key in up and top["id"] != up[key]["id"] for step in entry.told.get(self.side, [])
                   for key, top in tops(step["fragments"]).items())


def _reached(form: Form, answer: Answer) -> Any:
    """What one may ask of a form beside its answers."""
    try:
        return form.reached(answer)
    except Refusal as refusal:
        return refusal.as_json()


def questions(request: Request, pool: Sequence[str], rng: Random, count: int) -> list[Answer]:
    """Answers of every form: some to be accepted, more to be refused."""
    out = []
    for form in request.forms:
        for _ in range(count):
            answer = form.sample(rng)
            if answer is not None:
                out += [answer, mutated(answer, pool, rng), mutated(mutated(answer, pool, rng), pool, rng)]
    return out


def non_interference(copies: Copies, seat: Seat, rng: Random, count: int = 2) -> None:
    """Re-deal what the side of `seat` may not know and compare all that it sees and can find out. Raises Leak."""
    pair = Pair(copies, seat, rng)
    pair.shown()
    one, other = pair.games
    if seat in one.asked:
        mine, theirs = one.pending[seat], other.pending[seat]
        pool = sorted(set(words(orjson.loads(one.title.encode(one.pos)))))
        legal = None
        for answer in questions(mine, pool, rng, count):
            preview = mine.preview(answer)
            pair.same(f"the preview of {answer!r:.300}", preview, theirs.preview(answer))
            pair.same(f"what it may ask of {answer!r:.300}", _reached(mine.form(answer["form"]), answer),
                      _reached(theirs.form(answer["form"]), answer))
            if preview["ok"] and rng.random() < 0.5:
                legal = answer
        # The last answer of several shows what the others gave, too.
        if legal is not None and not one.answered:
            pair.told(seat, legal, ())
        return
    for by in one.asked:
        form = one.pending[by].forms[-1]
        twin = next((f for f in other.pending[by].forms if f.name == form.name), None)
        common = form.common(twin) if twin is not None else None
        if common is not None:
            pair.told(by, common, CHANCE)
            return
