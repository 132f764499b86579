"""Faults that the audit has to find, planted one by one and taken back."""

from tests.app.year import audit
from tests.app.year.clocks import clocks
from tests.app.year.notices import notices
from tests.app.year.year import Year

_ONE = "(select max(ctid) from {table} where {which})"
FAULTS = (
    (audit.answers, "lost answer", "delete from entries where ctid = " + _ONE.format(table="entries", which="true")),
    (audit.answers, "doubled answer", """insert into entries (game_id, seq, at, seat, by_user, kind, answer, forced,
        reveals, commits, rules_version, told, key) select game_id, 9999, at, seat, by_user, kind, answer, forced,
        reveals, commits, rules_version, told, '1:never-sent' from entries where key is not null limit 1"""),
    (notices, "notice sent twice", "insert into ledger.sendings select * from ledger.sendings limit 1"),
    (notices, "notice that nobody sent", """update notices set sent_at = null, withdrawn_at = null, seen_at = null
        where ctid = """ + _ONE.format(table="notices", which="""sent_at is not null and due_at < virtual.now()
        and (withdrawn_at is null or kind not in ('turn', 'take_back', 'draw'))""")),  # of these one is open at a time
    (notices, "sent after it was withdrawn", """update notices set withdrawn_at = created_at - interval '1 day'
        where id = (select max(s.notice_id) from ledger.sendings s join notices n on n.id = s.notice_id)"""),
    (notices, "mail that never came", """insert into ledger.sendings select s.notice_id + 1, s.channel_id, true,
        '999999'::xid8, s.at from ledger.sendings s join notice_channels c on c.id = s.channel_id
        where c.kind = 'mail' order by s.notice_id desc limit 1"""),
    (notices, "reminded twice", """insert into notices (user_id, kind, game_id, seat, args, due_at, seen_at)
        select user_id, 'reminder', game_id, 'red', '{"at": "now"}', due_at, due_at from
        (select * from notices where game_id is not null limit 1) n, generate_series(1, 2)"""),
    (audit.ratings, "other rating", "update ratings set mu = mu + 1e-9"),
    (audit.ratings, "game rated twice", "insert into ledger.rated (game_id) select game_id from ledger.rated limit 1"),
    (audit.ratings, "game not rated", "delete from rated_games"),
    (audit.jobs, "job that hangs", """insert into procrastinate_jobs (queue_name, task_name, status, args)
        values ('mariscal', 'notices.sweep', 'doing', '{}')"""),
    (audit.jobs, "job lost", "delete from ledger.jobs where id = (select max(id) from ledger.jobs where step = 'done')"
                             " and step = 'done'"),
    (audit.jobs, "job done twice", "insert into ledger.jobs select * from ledger.jobs where step = 'doing' limit 1"),
    (clocks, "a second too much", """update games set clock = jsonb_set(clock, '{seats,red,bank}',
        to_jsonb((clock #>> '{seats,red,bank}')::bigint + 1000000)) where clock is not null"""),
    (clocks, "an hour that counted", """update calendar_weeks set quiet_to = quiet_to - interval '1 hour'
        where quiet_to is not null"""),
)  # fmt: skip


async def plant(year: Year) -> list[str]:
    """The faults that were not found."""
    missed = []
    for look, name, statement in FAULTS:
        async with year.server.conn.transaction(force_rollback=True):
            done = await year.server.conn.execute(statement.encode())
            if not done.rowcount:
                missed.append(f"{name} (nothing to plant)")
                continue
            try:
                await look(year)
            except AssertionError:
                continue
            missed.append(name)
    return missed
