"""Tables from results: points, tie-breaks that have a name. Pure functions.

Points are counted in halves: a win of the usual scoring is 2, a draw 1.
"""
