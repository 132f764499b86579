"""Leagues with seasons and divisions, events of five formats, their standings, and the players' ratings."""
