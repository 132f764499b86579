"""What the year left: nothing lost, nothing doubled. Reads the database after the last kill, when nobody serves it."""

import re
from collections import Counter
from typing import Any

from app.leagues.ratings.skill import Skill, after
from tests.app.year.clocks import clocks
from tests.app.year.notices import notices
from tests.app.year.year import Year

UNRATED = ("result.annulled", "result.both_lost")


async def audit(year: Year) -> dict[str, Any]:
    """Figures of what was found in order. Raises AssertionError for what is not."""
    server = year.server
    assert not server.faults, server.faults
    figures: dict[str, Any] = {"days": year.scale.days, "people": len(year.folk), "kills": server.kills,
                               "requests": server.said.total(), "unanswered by a kill": server.lost}  # fmt: skip
    figures |= await answers(year)
    figures |= await notices(year)
    figures |= await ratings(year)
    figures |= await jobs(year)
    figures |= await clocks(year)
    return figures | {"acts": dict(sorted(year.players.did.items()))}


async def answers(year: Year) -> dict[str, Any]:
    """What people sent and had acknowledged is the record, and the record is nothing else."""
    rows = await year.server.rows(
        "select game_id, seq, seat, by_user, answer, key from entries where key is not null order by game_id, seq"
    )
    kept = {row["key"].partition(":")[2]: row for row in rows}
    assert len(kept) == len(rows), "an answer is in the record twice"
    sent = year.players.sent
    assert kept.keys() <= sent.keys(), "the record holds what nobody sent"
    for key, one in sent.items():
        assert (key in kept) == (one.status == 200), f"{one}: {kept.get(key)}"
        if one.status == 200:
            row = kept[key]
            assert (row["game_id"], row["seat"], row["by_user"]) == (one.game, one.seat, one.user), (one, row)
            said = {name: one.answer[name] for name in one.answer if name != "boxes"}
            assert said.items() <= row["answer"].items() or one.answer["form"] not in ("hide", "end", "blue", "bid")
    holes = await year.server.rows("""select g.id from games g where g.seq <> (select count(*) from entries e
        where e.game_id = g.id) or g.seq <> (select max(seq) from entries e where e.game_id = g.id)""")  # fmt: skip
    assert not holes, f"records with holes: {holes}"
    nameless = await year.server.rows(
        "select game_id, seq from entries where kind = 'answer' and by_user is not null and key is null"
    )
    assert not nameless, nameless
    states = await year.server.rows("select status, count(*) as n from games group by status")
    return {"answers": len(rows), "answers sent again": sum(one.tries > 1 for one in sent.values()),
            "games": {row["status"]: row["n"] for row in states}}  # fmt: skip


async def ratings(year: Year) -> dict[str, Any]:
    """Each finished game that counts is rated, once, and the ratings are what one after the other makes of them."""
    rows = await year.server.rows("""select g.id, g.title, g.result, p.id as pairing, p.rated, p.state,
            (select array_agg(s.user_id order by s.seat) from seats s where s.game_id = g.id) as users
        from games g left join pairings p on p.game_id = g.id where g.status = 'finished'""")  # fmt: skip
    due = {row["id"]: row for row in rows
           if row["result"]["key"] not in UNRATED and (row["pairing"] is None or row["rated"])}  # fmt: skip
    assert all(row["pairing"] is None or row["state"] == "done" for row in rows), "a pairing waits"
    rated = await year.server.rows("select * from rated_games join ledger.rated using (game_id) order by n")
    assert Counter(row["game_id"] for row in rated) == Counter(due.keys()), (
        "rated are other games than those that count"
    )
    held: dict[tuple[str, int], tuple[Skill, int]] = {}
    for row in rated:
        won = due[row["game_id"]]["result"]["winner"]
        seats = await _seats(year, row["game_id"])
        expected = 0.5 if won is None else float(seats[won] == row["first_user"])
        assert row["score"] == expected, row
        for title in ("", row["title"]):
            keys = [(title, row[side]) for side in ("first_user", "second_user")]
            (one, n), (two, m) = (held.get(key, (Skill(), 0)) for key in keys)
            if title:
                assert [row["first_before"], row["second_before"]] == [vars_of(one), vars_of(two)], row
            new = after(one, two, row["score"])
            held |= {keys[0]: (new[0], n + 1), keys[1]: (new[1], m + 1)}
    stored = await year.server.rows("select title, user_id, mu, sigma, games from ratings")
    found = {(row["title"], row["user_id"]): (Skill(row["mu"], row["sigma"]), row["games"]) for row in stored}
    assert found == held, "ratings are not what the results make of them"
    return {"rated games": len(rated), "ratings": len(found), "rounds closed": await _rounds(year)}


async def _seats(year: Year, game: str) -> dict[str, int]:
    rows = await year.server.rows("select seat, user_id from seats where game_id = %s", (game,))
    return {row["seat"]: row["user_id"] for row in rows}


def vars_of(skill: Skill) -> dict[str, float]:
    return {"mu": skill.mu, "sigma": skill.sigma}


async def _rounds(year: Year) -> int:
    """How many rounds of events were closed; none is open whose games are all over."""
    rows = await year.server.rows("""select r.closed_at, count(p.id) filter (where p.state <> 'done') as open
        from rounds r join pairings p on p.event_id = r.event_id and p.round = r.number
        group by r.event_id, r.number, r.closed_at""")
    assert all((row["closed_at"] is None) == (row["open"] > 0) for row in rows), "a round hangs"
    return sum(row["closed_at"] is not None for row in rows)


async def jobs(year: Year) -> dict[str, Any]:
    """Every job was done once, or again only because a kill met it; none is left behind, none failed."""
    server = year.server
    left = await server.rows("select id, task_name, status, scheduled_at from procrastinate_jobs")
    stuck = [row for row in left if row["status"] != "todo" or row["scheduled_at"] <= server.clock.now]
    assert not stuck, stuck
    steps = await server.rows("select id, step, task, args from ledger.jobs")
    begun, done, queued = (Counter(row["id"] for row in steps if row["step"] == step)
                           for step in ("doing", "done", "todo"))  # fmt: skip
    assert done.keys() | {row["id"] for row in left} == queued.keys(), "a job is lost"
    assert done.total() == len(done)
    again = {id_: n - 1 for id_, n in begun.items() if n > 1}
    met = {id_: n for id_, n in server.caught.items() if n}
    proofs = {row["id"]: row["args"]["user"] for row in steps if row["task"] == "accounts.proof_mail"}
    await _proofs(year, {id_: user for id_, user in proofs.items() if id_ not in met}, again)
    again = {id_: n for id_, n in again.items() if id_ in met or id_ not in proofs}
    assert again == met, "jobs were done twice, or not taken up"
    asked = Counter(str(row["args"]) for row in steps if row["step"] == "todo" and row["task"] == "notices.remind")
    by_task = Counter(re.sub(r".*\.", "", row["task"]) for row in steps if row["step"] == "done")
    return {"jobs done": done.total(), "jobs by kind": dict(by_task), "jobs met by a kill": server.caught.total(),
            "jobs to come": len(left), "reminders asked for": asked.total()}  # fmt: skip


async def _proofs(year: Year, proofs: dict[int, int], again: dict[int, int]) -> None:
    """The mail that proves an address is sent again as often as it was not taken, and for no other reason. (A kill may
    have met the sending, so that nobody saw what the mail server said.)"""
    rows = await year.server.rows("select id, coalesce(mail_wish, mail) as mail from users")
    address = {row["id"]: row["mail"] for row in rows}
    sent: Counter[str] = Counter()
    for id_, user in proofs.items():
        sent[address[user]] += again.get(id_, 0)
    more = {to: (n, year.mail.turned[to]) for to, n in sent.items() if n > year.mail.turned[to]}
    assert not more, f"proofs that were sent again though they were taken: {more}"
    missed = year.mail.turned.total() - sent.total()
    assert 0 <= missed <= year.server.caught.total(), "proofs that were not taken and not sent again"
