"""The bench looks at every address that can be read: each name in one is known to it."""

from bench import routes


def test_every_address_can_be_asked_for() -> None:
    assert "/boards/{board_id}" in set(routes.routes())
    assert routes.unknown() == set()
