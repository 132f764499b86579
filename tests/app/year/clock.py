"""Virtual time: one offset from the real clock, which the server's Python and its PostgreSQL both go by.

In the database a schema `virtual`, searched before the system's own, has a `now()`; columns that fill themselves with
the time are bound to it. A schema `ledger` notes what the application later deletes: it is what the audit reads.
"""

from ctypes import c_int64
from datetime import UTC, datetime, timedelta
from multiprocessing.sharedctypes import RawValue
from typing import Any

import psycopg

_NOW = """
create schema virtual;
create table virtual.clock (ahead interval not null);
insert into virtual.clock values ('0');
create function virtual.now() returns timestamptz language plpgsql stable parallel safe
    as $$ begin return pg_catalog.now() + (select ahead from virtual.clock); end $$"""
# The job library's search for what is due asks for the time at every job that is still to come, as the system's own
# `now()` may be asked. Here it asks once.
_FETCH = """
do $$ begin
  execute replace(replace(pg_get_functiondef('public.procrastinate_fetch_job_v2'::regproc),
    'FUNCTION public.', 'FUNCTION virtual.'), '<= now()', '<= (select now())');
end $$"""
_DEFAULTS = """
do $$ declare one record; begin
  for one in select d.adrelid::regclass as tab, a.attname as col from pg_attrdef d
      join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      join pg_class c on c.oid = d.adrelid and c.relnamespace = 'public'::regnamespace
      where pg_get_expr(d.adbin, d.adrelid) = 'now()' loop
    execute format('alter table %s alter column %I set default virtual.now()', one.tab, one.col);
  end loop;
end $$"""
_LEDGERS = """
create schema ledger;
create table ledger.notices (like public.notices);
create table ledger.notice_deliveries (like public.notice_deliveries);
create function ledger.keep() returns trigger language plpgsql as $$ begin
  execute format('insert into ledger.%I select ($1).*', tg_table_name) using old; return null;
end $$;
create trigger keep after delete on public.notices for each row execute function ledger.keep();
create trigger keep after delete on public.notice_deliveries for each row execute function ledger.keep();

create table ledger.sendings (notice_id bigint, channel_id bigint, ok bool, change xid8, at timestamptz);
create function ledger.sent() returns trigger language plpgsql as $$ begin
  insert into ledger.sendings values (new.notice_id, new.channel_id, new.ok, pg_current_xact_id(), virtual.now());
  return null;
end $$;
create trigger sent after insert on public.notice_sendings for each row execute function ledger.sent();

create table ledger.rated (n bigint generated always as identity, game_id text);
create function ledger.rate() returns trigger language plpgsql as $$ begin
  insert into ledger.rated (game_id) values (new.game_id); return null;
end $$;
create trigger rate after update on public.rated_games for each row execute function ledger.rate();

create table ledger.jobs (id bigint, step text, task text, args jsonb, at timestamptz);
create function ledger.work() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' then
    insert into ledger.jobs values (old.id, 'done', old.task_name, old.args, virtual.now());
  elsif tg_op = 'INSERT' or new.status <> old.status then
    insert into ledger.jobs values (new.id, new.status::text, new.task_name, new.args, virtual.now());
  end if;
  return null;
end $$;
create trigger work after insert or update or delete on public.procrastinate_jobs
    for each row execute function ledger.work()"""


class Clock:
    """The offset, set for both at once. `shared` is what the server's process reads: microseconds."""

    def __init__(self, start: datetime) -> None:
        self.shared = RawValue(c_int64, 0)
        self.ahead = start - datetime.now(UTC)

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    async def install(self, conn: psycopg.AsyncConnection[Any]) -> None:
        """Once, in a database whose application is not running."""
        for statements in (_NOW, _FETCH, _DEFAULTS, _LEDGERS):
            await conn.execute(statements.encode())
        name = conn.info.dbname
        await conn.execute(f"alter database {name} set search_path = virtual, public, pg_catalog".encode())
        await conn.execute("set search_path = virtual, public, pg_catalog")
        await self.set(conn, self.now)

    async def set(self, conn: psycopg.AsyncConnection[Any], at: datetime) -> None:
        """Time never goes back."""
        self.ahead = max(self.ahead, at - datetime.now(UTC))
        self.shared.value = self.ahead // timedelta(microseconds=1)
        await conn.execute("update virtual.clock set ahead = %s", (self.ahead,))


async def wake(conn: psycopg.AsyncConnection[Any]) -> None:
    """What has become due is found at once, as the worker's polling finds it within seconds."""
    await conn.execute(
        """select pg_notify('procrastinate_queue_v1#mariscal', '{"type": "job_inserted", "job_id": 0}')"""
    )
