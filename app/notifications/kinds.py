"""What people are told of."""

TASKS = ("turn", "take_back", "draw")  # asked of a seat: open until it is answered
REMINDERS = ("reminder_half", "reminder_day", "reminder_hours")  # of a deadline, each to be switched off
GAME = ("begun", "turn", "take_back", "draw", *REMINDERS, "chat", "over")
OTHER = ("message", "invitation", "league", "care")
KINDS = (*GAME, *OTHER)
TIMINGS = ("now", "hourly", "daily", "visit")
ROLES = ("first", "backup", "off")
