"""The rules of the games: pure functions of a position, a record and the answers. No I/O, no clock, no random state."""
