"""Patches: a position corrected between two segments, for ever in the record."""

import copy
from random import Random
from typing import Any

import orjson
import pytest

from rules.core.chance import Chance
from rules.core.errors import BadPosition, DiceNotSealed, OutOfStep
from rules.core.patch import Change, changes, merged
from rules.core.record import PATCH, Entry
from rules.core.referee import Checkpoint, Referee
from tests.rules.core.test_referee import resume, same
from tests.rules.core.toy import GAME, KEY, LEFT, RIGHT, SCRIPT, TITLE, begin, played


def bytes_of(**fields: Any) -> bytes:
    return orjson.dumps(fields)


def patched(point: Checkpoint, seq: int, merge: dict[str, Any], made: int, key: bytes | None = KEY) -> Referee:
    entry = Entry(seq, PATCH, answer={"merge": merge})
    return Referee.patched(TITLE, GAME, point, TITLE.schema, entry, Chance(key, made), spare=0)


def test_a_merge_sets_adds_and_takes_away_below_the_fields_of_a_position() -> None:
    old = bytes_of(at={"a": "1", "b": {"c": 1}}, who="x", list=[1, 2])
    new = merged(old, {"at": {"a": None, "b": {"c": 2}, "d": 3}, "who": None, "list": [3]})
    assert orjson.loads(new) == {"at": {"b": {"c": 2}, "d": 3}, "who": None, "list": [3]}
    assert changes(old, new) == [Change("at.a", "1", None), Change("at.b.c", 1, 2), Change("at.d", None, 3),
                                 Change("list", [1, 2], [3]), Change("who", "x", None)]  # fmt: skip
    with pytest.raises(BadPosition, match="unknown fields: what"):
        merged(old, {"what": 1})


@pytest.mark.parametrize("n", range(len(SCRIPT)))
def test_a_re_run_from_any_checkpoint_comes_to_the_patched_position(n: int) -> None:
    """The game goes on from the patch with dice and forced answers of its own, and the record says all of it."""
    game, log, points = played(n)
    point = points[n][0]
    merge = {"score": {LEFT: 100}, "hands": {RIGHT: [7]}}
    live = patched(point, game.seq + 1, merge, game.chance.made)
    assert live.pos.score[LEFT] >= 100
    made = live.drain()
    assert (made[0].kind, made[0].seq, made[0].answer) == (PATCH, game.seq + 1, {"merge": merge})
    stands = [*(e for e in log if e.seq <= point.seq), *made]
    for _ in range(3):
        for seat in live.asked[:1]:
            form = live.pending[seat].forms[-1]
            stands += live.answer(seat, form.sample(Random(0)))
    for earlier, _, _ in points[: n + 1]:
        if earlier.seq <= point.seq:
            same(resume(earlier, stands, live.chance.made), live)
    same(resume(live.newest, stands, live.chance.made), live)


def test_patches_follow_one_another() -> None:
    game, log, points = played(2)
    first = patched(points[2][0], 50, {"score": {LEFT: 20}}, game.chance.made)
    made = first.drain()
    second = patched(first.newest, 51, {"score": {RIGHT: 30}}, game.chance.made)
    stands = [*(e for e in log if e.seq <= points[2][0].seq), *made, *second.drain()]
    assert second.pos.score == {LEFT: 20, RIGHT: 30}
    same(resume(points[0][0], stands, game.chance.made), second)


def test_a_patch_within_a_procedure_does_not_fit() -> None:
    """A record in which something stands that the patch should have taken back."""
    game, log, points = played(5)
    half = copy.deepcopy(log)
    at = next(e.seq for e in log if e.kind == "roll")
    bad = [e for e in half if e.seq <= at] + [Entry(at + 1, PATCH, answer={"merge": {"score": {LEFT: 1}}})]
    with pytest.raises(OutOfStep, match="within a procedure"):
        resume(points[0][0], bad, game.chance.made)


def test_what_rolls_at_once_needs_the_dice() -> None:
    game = Referee.set_up(TITLE, begin(GAME, {}, [["throw"]]), Chance(KEY))
    with pytest.raises(DiceNotSealed):
        patched(game.newest, 2, {"score": {LEFT: 5}}, 0, None)
    ends = Referee.set_up(TITLE, begin(GAME, {}, [["over"]]), Chance(KEY))
    with pytest.raises(BadPosition, match="before anybody is asked"):
        patched(ends.newest, 2, {}, 0)
