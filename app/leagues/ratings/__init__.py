"""Ratings by title and over all, how even sides and scenarios are, and how reliable players are."""
