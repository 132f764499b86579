"""How many connections one person, or one address of people who are not signed in, may keep open in this process."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MOST = 60

_open: Counter[str] = Counter()


@contextmanager
def place(who: str) -> Iterator[bool]:
    """Whether there is room for one more; it is taken in the block."""
    _open[who] += 1
    try:
        yield _open[who] <= MOST
    finally:
        _open[who] -= 1
        if not _open[who]:
            del _open[who]
