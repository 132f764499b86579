"""What people are told of."""

TASKS = ("turn", "take_back", "draw")  # asked of a seat: open until it is answered
GAME = ("begun", "turn", "take_back", "draw", "reminder", "chat", "over")
OTHER = ("message", "invitation", "league", "care")
KINDS = (*GAME, *OTHER)
TIMINGS = ("now", "hourly", "daily", "visit")
ROLES = ("first", "backup", "off")
