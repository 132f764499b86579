"""Bytes as they are stored: compressed whole, or as what differs from an earlier position of their game."""

import zlib
from functools import cached_property
from threading import local

import zstandard

LEVEL = 1  # of compression: the fastest
_FRAME = zstandard.FRAME_HEADER  # how bytes of zstandard begin; what was stored before is zlib's


class _Tools(local):
    """Of one thread: at work in two at once, a (de)compressor takes the process down."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(level=LEVEL).compress
        self.decompress = zstandard.ZstdDecompressor().decompress


_tools = _Tools()


def pack(body: bytes) -> bytes:
    return _tools.compress(body)


def unpack(packed: bytes) -> bytes:
    return _tools.decompress(packed) if packed.startswith(_FRAME) else zlib.decompress(packed)


class Base:
    """A stored position, by the `name` of its checkpoint, from which later ones are told apart. The difference of two
    phases of 60 kB takes some 100 bytes where the whole takes 13 kB, and a fifth of the time to make."""

    def __init__(self, name: str, state: bytes) -> None:
        self.name, self.state = name, state

    def _known(self) -> zstandard.ZstdCompressionDict:
        return zstandard.ZstdCompressionDict(self.state, dict_type=zstandard.DICT_TYPE_RAWCONTENT)

    @cached_property
    def _compressor(self) -> zstandard.ZstdCompressor:
        known, size = self._known(), len(self.state)
        how = zstandard.ZstdCompressionParameters.from_level(LEVEL, source_size=size, dict_size=size, target_length=2)
        known.precompute_compress(compression_params=how)
        return zstandard.ZstdCompressor(compression_params=how, dict_data=known)

    def difference(self, state: bytes) -> bytes:
        return self._compressor.compress(state)

    def whole(self, difference: bytes) -> bytes:
        return zstandard.ZstdDecompressor(dict_data=self._known()).decompress(difference)
