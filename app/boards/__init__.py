"""Boards that one tries: a position that one person plays on for all sides, with branches, and dice by hand."""
