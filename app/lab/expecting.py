"""What a lab file expects, and what came instead."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from app.lab.wrong import Wrong
from rules.mechanics.written import unknown

NOT, UNCHANGED = "not", "unchanged"
STEP = ("event", "clause", "side", "data", "fragments")  # what of an event can be expected
LOOSE = ("pool", "hand", "layer")  # fragments that may come and go


def readable(expected: Iterable[Mapping[str, Any]], events: Collection[str], fragments: Collection[str]) -> None:
    """Whether each item can be found at all: one that speaks of an event or a fragment that there is not would never
    fail as `not` or `unchanged`. Raises Wrong, or Impossible with what may be meant."""
    for item in expected:
        keys: Any = item.get(UNCHANGED, [])
        part = item.get(NOT, item)
        alone = len(item) == 1 or not {NOT, UNCHANGED} & item.keys()
        if not part or not isinstance(part, dict) or not alone or not isinstance(keys, list) or (
                UNCHANGED in item and not keys):
            raise Wrong("lab.no_expectation", item=compact(item))
        if "event" in part and str(part["event"]) not in events:
            raise unknown(part["event"], sorted(events), "event")
        for key in keys if UNCHANGED in item else [k for k in part if k not in STEP]:
            if str(key) not in fragments and str(key).partition(":")[0] not in LOOSE:
                raise unknown(key, sorted({*fragments, *(() if UNCHANGED in item else STEP)}), "fragment")


def holds(wanted: Any, found: Any) -> bool:
    """Whether all that is wanted is found: objects may hold more, a list must have each wanted item somewhere."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(k in found and holds(v, found[k]) for k, v in wanted.items())
    if isinstance(wanted, list):
        return isinstance(found, list) and all(any(holds(w, f) for f in found) for w in wanted)
    return bool(wanted == found)


def check(expected: Iterable[Mapping[str, Any]], steps: Sequence[Mapping[str, Any]], before: Mapping[str, Any],
          after: Mapping[str, Any]) -> None:
    """Each item of `expect`: part of an event told or of the fragments after; `{"not": ITEM}` is part of none of them;
    `{"unchanged": [KEY]}` names fragments that are as they were. Raises Wrong that says what came instead."""
    for wanted in expected:
        if UNCHANGED in wanted:
            for key in wanted[UNCHANGED]:
                if before.get(key) != after.get(key):
                    raise Wrong("lab.changed", item=key, before=compact(before.get(key)), now=compact(after.get(key)))
        elif NOT in wanted:
            for found in (*steps, after):
                if holds(wanted[NOT], found):
                    raise Wrong("lab.happened", item=compact(wanted[NOT]), now=_shown(wanted[NOT], found))
        elif not any(holds(wanted, found) for found in (*steps, after)):
            instead = list(_instead(wanted, steps, after))
            raise Wrong("lab.unexpected", item=compact(wanted), now="; ".join(instead) or "–")


def _instead(wanted: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], after: Mapping[str, Any]) -> Iterator[str]:
    """What is nearest to an expectation: events of its name, or the fragments it speaks of."""
    if "event" in wanted:
        told = [step for step in steps if step["event"] == wanted["event"]]
        yield from (_shown(wanted, step) for step in told)
        if not told:
            yield ", ".join(dict.fromkeys(str(step["event"]) for step in steps)) or "–"
    else:
        yield from (f"{key}: {_shown(part, after.get(key))}" for key, part in wanted.items())


def _shown(wanted: Any, found: Any) -> str:
    """As much of what was found as the expectation speaks of."""
    return compact(_like(wanted, found))


def _like(wanted: Any, found: Any) -> Any:
    if isinstance(wanted, dict) and isinstance(found, Mapping):
        return {key: _like(part, found.get(key)) for key, part in wanted.items()}
    return found


def compact(value: Any) -> str:
    """JSON in a line."""
    return orjson.dumps(value).decode()
