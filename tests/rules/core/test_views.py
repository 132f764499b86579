"""Views: one whitelist of small fragments, kept up to date by what was touched."""

import json
import zlib
from random import Random

import pytest

from rules.core.chance import Chance
from rules.core.errors import Refusal
from rules.core.referee import Referee
from rules.core.view import Fragment, Views, checksum
from tests.rules.core.toy import LEFT, RIGHT, SCRIPT, TITLE, played, say, start
from tests.rules.titles.triple_alliance.builders import new_game


def digest(fragments: dict[str, object]) -> int:
    """docs/protocol.md section 2, written out once more."""
    sum_ = 0
    for key, content in fragments.items():
        text = key + "\n" + json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        sum_ ^= zlib.crc32(text.encode())
    return sum_


def fresh_is_same(game: Referee) -> None:
    fresh = Views(game.title.view, game.pos, game.seating.sides)
    assert game.views.contents == fresh.contents
    assert game.views.digest == fresh.digest
    for eye in fresh.eyes:
        whole = game.views.whole(eye, game.seq)
        assert (whole["eye"], whole["seq"]) == (eye, game.seq)
        assert whole["digest"] == digest(whole["fragments"])


def test_incremental_views_are_fresh_views_after_every_answer() -> None:
    game = start()
    fresh_is_same(game)
    for line in SCRIPT:
        say(game, *line)
        fresh_is_same(game)


def test_each_eye_sees_its_own_hand_and_of_others_the_number() -> None:
    game, _, _ = played()
    contents = game.views.contents
    assert contents[LEFT]["hand:left"] == contents["all"]["hand:left"] == {"cards": [3]}
    assert contents[RIGHT]["hand:left"] == contents["public"]["hand:left"] == {"count": 1}
    assert contents[LEFT]["hand:right"] == {"count": 2}
    assert len(contents[RIGHT]["hand:right"]["cards"]) == 2  # type: ignore[index]


def test_what_is_hidden_moves_no_digest_of_who_may_not_know() -> None:
    game, _, _ = played()
    other, _, _ = played()
    TITLE.scramble(other.pos, LEFT, Random(5), set())
    changed = other.views.refresh(other.pos, ["hand:right"])
    assert set(changed) == {RIGHT, "all"}
    assert other.views.digest[LEFT] == game.views.digest[LEFT]
    assert other.views.digest["public"] == game.views.digest["public"]
    assert other.views.digest[RIGHT] != game.views.digest[RIGHT]


def test_a_fragment_that_goes_is_told_as_null_and_leaves_no_trace() -> None:
    game, _, _ = played()
    before = {eye: dict(c) for eye, c in game.views.contents.items()}, dict(game.views.digest)
    cards, game.pos.hands[LEFT] = game.pos.hands[LEFT], []
    changed = game.views.refresh(game.pos, ["hand:left"])
    assert {eye: c["hand:left"] for eye, c in changed.items()} == dict.fromkeys((LEFT, RIGHT, "public", "all"))
    assert "hand:left" not in game.views.contents[LEFT]
    fresh_is_same(game)
    game.pos.hands[LEFT] = cards
    game.views.refresh(game.pos, ["hand:left"])
    assert (game.views.contents, game.views.digest) == before


def test_what_did_not_change_is_not_told() -> None:
    game, _, _ = played()
    assert game.views.refresh(game.pos, ["score", "hand:left", "hand:right", "result"]) == {}


def test_a_fragment_that_changes_hands_reaches_every_eye() -> None:
    game, _, _ = played()
    holders = iter([(LEFT, {"n": 1}), (RIGHT, {"n": 2}), (None, None), (RIGHT, {"n": 2})])

    class Changing:
        def keys(self, _pos: object) -> list[str]:
            return ["hill"]

        def fragment(self, _pos: object, _key: str) -> Fragment:
            return Fragment({"n": 0}, *next(holders))

    views = Views(Changing(), game.pos, (LEFT, RIGHT))
    seen = [[views.contents[eye]["hill"] for eye in (LEFT, RIGHT, "public", "all")]]
    told = []
    for _ in range(3):
        told.append({eye: c["hill"] for eye, c in views.refresh(game.pos, ["hill"]).items()})
        seen.append([views.contents[eye]["hill"] for eye in (LEFT, RIGHT, "public", "all")])
        assert all(views.digest[eye] == digest(dict(views.contents[eye])) for eye in views.eyes)
    assert seen == [[{"n": n} for n in row] for row in ((1, 0, 0, 1), (0, 2, 0, 2), (0, 0, 0, 0), (0, 2, 0, 2))]
    assert told == [{LEFT: {"n": 0}, RIGHT: {"n": 2}, "all": {"n": 2}}, {RIGHT: {"n": 0}, "all": {"n": 0}},
                    {RIGHT: {"n": 2}, "all": {"n": 2}}]


def test_fragments() -> None:
    open_ = Fragment({"n": 1})
    assert [open_.seen_by(eye) for eye in (LEFT, RIGHT, "public", "all")] == [{"n": 1}] * 4
    own = Fragment(None, LEFT, {"n": 2})
    assert [own.seen_by(eye) for eye in (LEFT, RIGHT, "public", "all")] == [{"n": 2}, None, None, {"n": 2}]
    assert checksum("k", None) == 0
    assert checksum("k", {"b": "é", "a": [1, None]}) == digest({"k": {"a": [1, None], "b": "é"}})


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_war_keeps_its_views_up_to_date(seed: int) -> None:
    """Random answers through set-up and the first turns; what each eye was told adds up to what it sees."""
    game = new_game()
    game.chance = Chance(bytes([seed] * 32))  # type: ignore[assignment]
    rng, n = Random(seed), 0
    mirror = {eye: dict(c) for eye, c in game.views.contents.items()}
    while game.asked and n < 120:
        seat = rng.choice(game.asked)
        form = rng.choice(game.pending[seat].forms)
        if form.name in ("end", "no_attack") and rng.random() < 0.6:
            continue
        answer = form.sample(rng)
        if answer is None:
            continue
        try:
            entries = game.answer(seat, answer)
        except Refusal:
            continue
        n += 1
        for entry in entries:
            for eye, steps in entry.told.items():
                for step in steps:
                    for key, content in step["fragments"].items():
                        if content is None:
                            mirror[eye].pop(key, None)
                        else:
                            mirror[eye][key] = content
        assert mirror == game.views.contents
        if n % 6 == 0:
            fresh_is_same(game)
    fresh_is_same(game)
