"""Notices, from the game to the letter box: each went out once by each way, or failed for a reason that is written
down and was tried the second way; what was withdrawn before stayed at home."""

import hashlib
from collections import Counter, defaultdict
from datetime import timedelta
from typing import Any

from tests.app.year.year import Year

RACE = timedelta(seconds=15)  # as long as one round of sending, by several ways, may take after its last look
AT_ONCE = 4  # deliveries that one kill may meet


async def notices(year: Year) -> dict[str, Any]:
    rows = year.server.rows
    all_ = await rows("select * from notices union all select * from ledger.notices")
    told = {row["id"]: row for row in all_}
    assert len(told) == len(all_)
    sendings = await rows("""select s.*, s.change::text as written, c.user_id, c.kind, c.role from ledger.sendings s
        join notice_channels c on c.id = s.channel_id order by s.notice_id""")  # fmt: skip
    pairs = Counter((one["notice_id"], one["channel_id"]) for one in sendings)
    assert pairs.total() == len(pairs), "a notice went out twice by one way"
    for one in sendings:
        assert one["notice_id"] in told, f"sent is what nobody was told: {one}"
        gone = told[one["notice_id"]]["withdrawn_at"]
        assert gone is None or one["at"] < gone + RACE, f"sent when it had been withdrawn: {one}"
    await _each_way(year, told, sendings)
    await _reminders(told)
    figures = {"notices": len(told), "withdrawn": sum(one["withdrawn_at"] is not None for one in told.values()),
               "sent": sum(one["ok"] for one in sendings), "given up": sum(not one["ok"] for one in sendings),
               "by the second way": sum(one["ok"] and one["role"] == "backup" for one in sendings),
               "notices by kind": dict(Counter(one["kind"] for one in told.values()))}  # fmt: skip
    return figures | await _arrived(year, sendings) | await _reasons(year, sendings)


async def _each_way(year: Year, told: dict[int, Any], sendings: list[dict[str, Any]]) -> None:
    """What is done with was tried by every first channel, and by the second when none of these brought it."""
    ways: dict[int, dict[int, bool]] = defaultdict(dict)
    for one in sendings:
        ways[one["notice_id"]][one["channel_id"]] = one["ok"]
    channels: dict[int, dict[str, list[int]]] = defaultdict(lambda: {"first": [], "backup": []})
    for row in await year.server.rows("select id, user_id, role from notice_channels order by id"):
        channels[row["user_id"]][row["role"]].append(row["id"])
    visit = {who.user for who in year.folk if who.timing == "visit"}
    for one in told.values():
        mine, went = channels[one["user_id"]], ways[one["id"]]
        if one["sent_at"] is None:
            over = one["withdrawn_at"] or one["seen_at"]
            assert over or one["due_at"] > year.server.clock.now, f"nobody sent it: {one}"
            continue
        if not went:
            assert one["user_id"] in visit, f"done with, and sent by no way: {one}"
            continue
        assert went.keys() >= set(mine["first"]), f"not tried every first way: {one} {went}"
        if not any(went.get(way) for way in mine["first"]):
            assert went.keys() >= set(mine["backup"]), f"not tried the second way: {one} {went}"
        else:
            assert not went.keys() & set(mine["backup"]), f"the second way though the first brought it: {one} {went}"


async def _reminders(told: dict[int, Any]) -> None:
    """One for each moment of a deadline."""
    moments = Counter((one["game_id"], one["seat"], one["user_id"], one["args"]["at"])
                      for one in told.values() if one["kind"] == "reminder")  # fmt: skip
    assert moments.total() == len(moments), [one for one, n in moments.items() if n > 1]


async def _arrived(year: Year, sendings: list[dict[str, Any]]) -> dict[str, Any]:
    """The letter boxes hold what the server wrote down that they took: one message for the notices written down at
    once. What a kill met after it was taken and before that was written down came again, and bears the same id."""
    messages: dict[tuple[int, str], list[int]] = defaultdict(list)
    for one in sendings:
        if one["ok"]:
            messages[one["channel_id"], one["written"]].append(one["notice_id"])
    channels = {
        row["id"]: row
        for row in await year.server.rows(
            "select c.id, c.kind, c.address, s.token from notice_channels c join notice_settings s using (user_id)"
        )
    }
    mails = {_message_id(channels[way]["token"], ids) for (way, _), ids in messages.items()
             if channels[way]["kind"] == "mail"}  # fmt: skip
    posted = sum(channels[way]["kind"] == "url" for way, _ in messages)
    notices = [id_ for _, id_, _ in year.mail.taken if id_]  # what proves an address is none
    came = Counter(id_.strip("<>").partition("@")[0] for id_ in notices)
    assert mails <= came.keys(), "written down as sent, and never came"
    most = AT_ONCE * year.server.kills
    strange = came.keys() - mails
    assert len(strange) + sum(n - 1 for n in came.values()) <= most, f"mails came more than once: {strange}"
    assert 0 <= len(year.web.taken) - posted <= most, (len(year.web.taken), posted)
    return {"mails": len(mails), "webhooks": posted, "mails again after a kill": len(notices) - len(mails),
            "fates of mails": dict(year.mail.fate), "fates of webhooks": dict(year.web.fate)}  # fmt: skip


def _message_id(token: str, ids: list[int]) -> str:
    """As `sending.Message.id` makes it."""
    return hashlib.sha256(f"{token}:{','.join(map(str, ids))}".encode()).hexdigest()[:32]


async def _reasons(year: Year, sendings: list[dict[str, Any]]) -> dict[str, Any]:
    """Every attempt is in the log that its reader sees, and says why it failed."""
    log = await year.server.rows("""select user_id, kind, notices, error from notice_deliveries
        union all select user_id, kind, notices, error from ledger.notice_deliveries""")  # fmt: skip
    brought = sum(row["notices"] for row in log if row["error"] is None)
    assert brought == sum(one["ok"] for one in sendings), "the log tells of other sendings"
    for row in log:
        assert row["error"] is None or row["error"].strip(), f"failed without a reason: {row}"
    failed = Counter((row["user_id"], row["kind"]) for row in log if row["error"] is not None)
    given_up = {(one["user_id"], one["kind"]) for one in sendings if not one["ok"]}
    assert given_up <= failed.keys(), "given up without an attempt"
    return {"attempts": len(log), "failed attempts": failed.total()}
