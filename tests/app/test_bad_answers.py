"""What a page may ask of an answer that can't be given: preview, reach and check of every form end in a refusal, never
in an error, at every moment of every worked example of every title."""

import json
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from app.lab.play import Lab
from rules.bots.leaks import questions, words
from rules.core.errors import Refusal
from tests.rules.harness import SCENARIOS

FILES = sorted(SCENARIOS.glob("*/lab/*.json"))
COUNT = 4  # of each form and moment


class Pestered(Lab):
    """An example in which each request is asked about nonsense before it is answered."""

    rng = Random(1)
    asked = 0

    def _answer(self, number: int, given: Any, last: bool) -> None:
        self.pester()
        super()._answer(number, given, last)

    def pester(self) -> None:
        assert self.referee is not None
        pool = sorted({*words(orjson.loads(self.title.encode(self.referee.pos))), "", "nothing_of_the_kind"})
        for request in self.referee.pending.values():
            for answer in questions(request, pool, self.rng, COUNT):
                self.asked += 1
                request.preview(answer)
                for look in (request.check, request.form(answer["form"]).reached):
                    with suppress(Refusal):
                        look(answer)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parents[1].name}-{file.stem}")
def test_nonsense_is_refused(file: Path) -> None:
    lab = Pestered(file.parents[1].name, json.loads(file.read_text()))
    lab.play()
    lab.pester()
    assert lab.asked > COUNT or not lab.body.get("answers")
