"""Finished games in a compact form, and how much a game may hold."""
