"""Views: what each eye may see, built up from small fragments. Nothing hidden is ever put in and taken out again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from zlib import crc32

import orjson

from rules.core.seats import ALL, Eye, Seat, eyes

Content = dict[str, Any] | None


@dataclass(slots=True)
class Fragment:
    """One piece of the view: `open` is what everybody sees, `own` what its owner sees (nobody's: the same)."""

    open: Content
    owner: Seat | None = None
    own: Content = None

    def seen_by(self, eye: Eye) -> Content:
        return self.own if self.owner is not None and eye in (self.owner, ALL) else self.open


class Whitelist(Protocol):
    """A title's view: the keys there are, and the fragment of one key."""

    def keys(self, pos: Any) -> Iterable[str]: ...
    def fragment(self, pos: Any, key: str) -> Fragment: ...


def checksum(key: str, content: Content) -> int:
    """CRC-32 of a fragment as the browser computes it; nothing for a fragment that is gone."""
    if content is None:
        return 0
    return crc32(key.encode() + b"\n" + orjson.dumps(content, option=orjson.OPT_SORT_KEYS))


class Views:
    """The views of all eyes on one position, kept up to date by the keys that were touched."""

    def __init__(self, whitelist: Whitelist, pos: Any, seats: Sequence[Seat]) -> None:
        self.whitelist = whitelist
        self.eyes = eyes(seats)
        self.contents: dict[Eye, dict[str, Content]] = {eye: {} for eye in self.eyes}
        self.sums: dict[Eye, dict[str, int]] = {eye: {} for eye in self.eyes}
        self.digest: dict[Eye, int] = dict.fromkeys(self.eyes, 0)
        self.refresh(pos, whitelist.keys(pos))

    def refresh(self, pos: Any, keys: Iterable[str]) -> dict[Eye, dict[str, Content]]:
        """Rebuild the fragments of these keys; what changed, by eye."""
        changed: dict[Eye, dict[str, Content]] = {}
        for key in sorted(keys):
            fragment = self.whitelist.fragment(pos, key)
            sums: dict[int, int] = {}
            for eye in self.eyes:
                content = fragment.seen_by(eye)
                mine = self.contents[eye]
                if mine.get(key) == content:
                    continue
                new = sums.get(id(content))
                if new is None:
                    new = sums[id(content)] = checksum(key, content)
                self.digest[eye] ^= self.sums[eye].get(key, 0) ^ new
                if content is None:
                    del mine[key], self.sums[eye][key]
                else:
                    mine[key], self.sums[eye][key] = content, new
                changed.setdefault(eye, {})[key] = content
        return changed

    def whole(self, eye: Eye, seq: int) -> dict[str, Any]:
        """The whole view of one eye, as sent to the browser."""
        return {"seq": seq, "eye": eye, "fragments": self.contents[eye], "digest": self.digest[eye]}
