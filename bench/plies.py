"""The floor of all rules code: python-chess playing at random."""

from random import Random
from time import process_time

import chess

LONGEST = 200  # plies of one game


def seconds(plies: int, seed: int) -> float:
    """Processor time for that many random plies: legal moves listed, one of them made."""
    rng, left, began = Random(seed), plies, process_time()
    while left:
        board = chess.Board()
        for _ in range(min(left, LONGEST)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            left -= 1
    return process_time() - began
