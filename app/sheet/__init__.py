"""The printed sheet: maps and counters drawn on the server, in pure Python, from a title's data.

One unit is one CSS pixel at zoom 1; a hex has radius 40 and a counter is 44 square. Nothing here knows a rule.
"""
