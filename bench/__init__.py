"""Ratios: what the server does, each figure beside its floor, measured in the same run (docs/bench.md)."""
