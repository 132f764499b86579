"""What a lab file expects, and what came instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from app.lab.wrong import Wrong

NOT, UNCHANGED = "not", "unchanged"


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
