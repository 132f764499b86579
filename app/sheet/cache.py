"""Drawn sheets kept by a hash of what they were drawn from: in memory, and as gzip files in a folder."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any


def content_hash(*parts: Any) -> str:
    """A short hash of JSON-able values, the same in every process."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


class SheetCache:
    """gzip bytes by hash. Several threads may ask for one sheet: it is drawn once. Files are written whole or not."""

    def __init__(self, folder: Path | None = None, packed: dict[str, bytes] | None = None) -> None:
        """`folder`: where files are kept between starts; memory only without one. `packed`: memory to share: what a
        hash names is the same everywhere."""
        self._folder = folder
        self._packed = {} if packed is None else packed
        self._lock = threading.Lock()

    def get(self, key: str, draw: Callable[[], str]) -> bytes:
        """The gzip of `draw()`, remembered under `key`."""
        if key not in self._packed:
            with self._lock:
                if key not in self._packed:
                    self._packed[key] = self._from_disk(key) or self._drawn(key, draw)
        return self._packed[key]

    def _path(self, key: str) -> Path | None:
        return self._folder / f"{key}.svg.gz" if self._folder else None

    def _from_disk(self, key: str) -> bytes | None:
        path = self._path(key)
        return path.read_bytes() if path and path.is_file() else None

    def _drawn(self, key: str, draw: Callable[[], str]) -> bytes:
        packed = gzip.compress(draw().encode(), 9, mtime=0)
        path = self._path(key)
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}")
            part.write_bytes(packed)
            part.replace(path)
        return packed
