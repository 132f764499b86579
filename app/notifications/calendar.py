"""Deadlines as a calendar that other programs read."""

from collections.abc import Sequence
from datetime import timedelta

from icalendar import Alarm, Calendar, Event

from app import timing
from app.notifications.schemas import WaitingCard
from app.texts import Texts

LENGTH = timedelta(minutes=30)  # of the entry that ends at the deadline
EARLIER = timedelta(hours=3)  # when a calendar reminds


def calendar(t: Texts, site: str, waiting: Sequence[WaitingCard]) -> bytes:
    """An iCalendar file with one entry a game whose clock runs for its reader."""
    made = Calendar()
    made.add("prodid", "-//Mariscal//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", t("feed.name"))
    made.add("refresh-interval;value=duration", timedelta(minutes=30))
    now = timing.now()
    for one in waiting:
        if one.deadline is None:
            continue
        entry = Event()
        entry.add("uid", f"{one.game}-{one.seat}@mariscal")
        entry.add("dtstamp", now)
        entry.add("last-modified", one.since)
        entry.add("dtstart", one.deadline - LENGTH)
        entry.add("dtend", one.deadline)
        entry.add("summary", t("feed.entry", title=t("title.name", one.title),
                               seat=t(f"seat.{one.seat}", one.title)))  # fmt: skip
        entry.add("url", f"{site.rstrip('/')}/games/{one.game}")
        entry.add("transp", "TRANSPARENT")
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", t("feed.name"))
        alarm.add("trigger", -EARLIER)
        entry.add_component(alarm)
        made.add_component(entry)
    body: bytes = made.to_ical()
    return body
