"""Positions written by hand, played with given answers and dice: for rules questions, examples and lessons."""
