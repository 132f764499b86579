"""Clocks of games: pace, calendars, time-outs."""
