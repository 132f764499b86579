"""Views: what each eye may see, built up from small fragments. Nothing hidden is ever put in and taken out again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol
from zlib import crc32

import orjson

from rules.core.seats import ALL, Eye, Side, eyes

Content = dict[str, Any] | None


@dataclass(slots=True)
class Fragment:
    """One piece of the view: `open` is what everybody sees, `own` what its owner sees (nobody's: the same). Where more
    than one side sees something of its own, `versions` has what each of these eyes sees, ALL among them."""

    open: Content
    owner: Side | None = None
    own: Content = None
    versions: Mapping[Eye, Content] | None = None

    def seen_by(self, eye: Eye) -> Content:
        if self.versions is not None:
            return self.versions.get(eye, self.open)
        return self.own if self.owner is not None and eye in (self.owner, ALL) else self.open

    def inside(self, eye: Eye) -> bool:
        """Whether an eye sees what is the owner's own."""
        return self.owner is not None and eye in (self.owner, ALL)


class Whitelist(Protocol):
    """A title's view: the keys there are, and the fragment of one key."""

    def keys(self, pos: Any) -> Iterable[str]: ...
    def fragment(self, pos: Any, key: str) -> Fragment: ...


def checksum(key: str, content: Content) -> int:
    """CRC-32 of a fragment as the browser computes it; nothing for a fragment that is gone."""
    if content is None:
        return 0
    return crc32(key.encode() + b"\n" + orjson.dumps(content, option=orjson.OPT_SORT_KEYS))


NOTHING = Fragment(None)
Sums = tuple[int, Mapping[Eye, int]]  # of what lies open, and what makes of it the sum of an eye that sees its own
UNSEEN: Sums = (0, {})


class Views:
    """The views of all eyes on one position, kept up to date by the keys that were touched."""

    def __init__(self, whitelist: Whitelist, pos: Any, sides: Sequence[Side]) -> None:
        self.whitelist = whitelist
        self.eyes = eyes(sides)
        self.fragments: dict[str, Fragment] = {}
        self.contents: dict[Eye, dict[str, Content]] = {eye: {} for eye in self.eyes}
        self._sums: dict[str, Sums] = {}
        self._digest: dict[Eye, int] = dict.fromkeys(self.eyes, 0)
        self._unsummed: set[str] = set()  # keys that changed since the digest was last looked at
        self._alike: dict[tuple[Side | None, Side | None], list[tuple[Eye, list[Eye]]]] = {}
        self.refresh(pos, whitelist.keys(pos))

    def twin(self) -> Views:
        """The same views, to be kept up to date for themselves, with a position that is equal."""
        twin = copy(self)
        twin.fragments, twin._sums, twin._digest = dict(self.fragments), dict(self._sums), dict(self._digest)
        twin.contents = {eye: dict(contents) for eye, contents in self.contents.items()}
        twin._unsummed = set(self._unsummed)
        return twin

    def refresh(self, pos: Any, keys: Iterable[str]) -> dict[Eye, dict[str, Content]]:
        """Rebuild the fragments of these keys; what changed, by eye."""
        changed: dict[Eye, dict[str, Content]] = {}
        make, fragments, contents = self.whitelist.fragment, self.fragments, self.contents
        for key in sorted(keys):
            fragment, before = make(pos, key), fragments.get(key, NOTHING)
            fragments[key] = fragment
            for first, alike in self.alike(before, fragment):
                content = fragment.seen_by(first)
                if content == before.seen_by(first):
                    continue
                if content is None:
                    for eye in alike:
                        del contents[eye][key]
                        changed.setdefault(eye, {})[key] = None
                else:
                    for eye in alike:
                        contents[eye][key] = changed.setdefault(eye, {})[key] = content
                self._unsummed.add(key)
        return changed

    def alike(self, before: Fragment, now: Fragment) -> list[tuple[Eye, list[Eye]]]:
        """The eyes in groups, each with its first: those of a group see the same of both fragments."""
        if before.versions is not None or now.versions is not None:
            return [(eye, [eye]) for eye in self.eyes]
        found = self._alike.get((before.owner, now.owner))
        if found is None:
            groups: dict[tuple[bool, bool], list[Eye]] = {}
            for eye in self.eyes:
                groups.setdefault((before.inside(eye), now.inside(eye)), []).append(eye)
            found = self._alike[before.owner, now.owner] = [(group[0], group) for group in groups.values()]
        return found

    @property
    def digest(self) -> dict[Eye, int]:
        """The sum of each eye's view, as the browser computes it. Summed up when it is looked at."""
        if self._unsummed:
            self._sum_up()
        return self._digest

    def _sum_up(self) -> None:
        """Takes the old sums of what changed out of the digest, and puts the new ones in."""
        digest, sums, open_ = self._digest, self._sums, 0
        for key in self._unsummed:
            before, now = sums.get(key, UNSEEN), self._summed(key, self.fragments[key])
            sums[key] = now
            open_ ^= before[0] ^ now[0]
            for eye, own in before[1].items():
                digest[eye] ^= own
            for eye, own in now[1].items():
                digest[eye] ^= own
        for eye in digest:
            digest[eye] ^= open_
        self._unsummed.clear()

    def _summed(self, key: str, fragment: Fragment) -> Sums:
        """The sums of a fragment."""
        open_ = checksum(key, fragment.open)
        if fragment.versions is not None:
            contents = {id(content): content for content in fragment.versions.values()}
            sums = {n: checksum(key, content) for n, content in contents.items()}
            return open_, {eye: open_ ^ sums[id(content)] for eye, content in fragment.versions.items()}
        if fragment.owner is None:
            return open_, {}
        own = open_ ^ checksum(key, fragment.own)
        return open_, {fragment.owner: own, ALL: own}

    def whole(self, eye: Eye, seq: int) -> dict[str, Any]:
        """The whole view of one eye, as sent to the browser."""
        return {"seq": seq, "eye": eye, "fragments": self.contents[eye], "digest": self.digest[eye]}
