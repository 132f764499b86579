"""What goes over a websocket as it is, and what is compressed."""


import pytest
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode

from app.sockets import SMALL, WINDOW, Sparing


@pytest.fixture
def sparing() -> Sparing:
    return Sparing(False, False, WINDOW, WINDOW)


def test_small_messages_go_as_they_are_between_compressed_ones(sparing: Sparing) -> None:
    """What the other side reads is what was sent, in the order in which it was."""
    other = PerMessageDeflate(False, False, WINDOW, WINDOW)
    sent = [b"x" * SMALL, b"y" * (SMALL + 1), b"z", b"xy" * SMALL]
    frames = [sparing.encode(Frame(Opcode.TEXT, body)) for body in sent]
    assert [frame.rsv1 for frame in frames] == [False, True, False, True]
    assert len(frames[1].data) < 100
    assert [bytes(other.decode(frame, max_size=10_000).data) for frame in frames] == sent


def test_control_frames_are_left_alone(sparing: Sparing) -> None:
    ping = Frame(Opcode.PING, b"?" * 100)
    assert sparing.encode(ping) is ping
