"""A house that has been lived in: five hundred people, ten thousand games and what goes with them, copied within the
database from one game that was played."""

from typing import Any

import psycopg

from app.games.live import conninfo

PEOPLE, GAMES, OPEN, ACTIVE = 500, 10_000, 200, 2_000
BUSY = 300  # games of the one whose pages are looked at
ENTRANTS, ROUNDS = 500, 9
KEPT = 20  # entries of each game

_PEOPLE = f"""
insert into users (name, name_key, mail, password_hash, created_at)
select 'Player ' || n, 'player ' || n, 'player' || n || '@example.org', 'x', now() - n * interval '1 hour'
from generate_series(1, {PEOPLE}) n;
create view folk as select id, row_number() over (order by id) - 1 as n, count(*) over () as all_ from users;
insert into profiles (user_id, about, zone) select id, 'Plays in the evening.', 'Europe/Madrid' from folk;
insert into friendships (asker_id, other_id, accepted_at)
select %(me)s, id, now() from folk where id <> %(me)s and n %% 5 = 0;
insert into direct_messages (from_id, to_id, text)
select f.id, %(me)s, 'A letter with some words in it, number ' || m from folk f, generate_series(1, 20) m
where f.id <> %(me)s and f.n %% 3 = 0;
insert into reports (kind, by_user, about_user, reason) select 'player', %(me)s, id, 'Insults' from folk
where id <> %(me)s;
insert into audit (by_user, deed, user_id, reason, args) select %(me)s, 'ban', f.id, 'Insults', '{{"until": null}}'
from folk f,
generate_series(1, 10)"""

# who sits at game n: the busy one at the first games, the others by turns
_WHO = f"""(select id from folk where folk.n = case
    when %(place)s = 0 and n <= {BUSY} then (select f.n from folk f where f.id = %(me)s)
    else (n * 7 + n / {PEOPLE} + %(place)s * 13) %% all_ end limit 1)"""
_STATUS = f"""case when n > {GAMES - OPEN} then 'open' when n > {GAMES - OPEN - ACTIVE} or n <= 40 then 'active'
    else 'finished' end"""
_ROWS = """
update games set finished_at = updated_at, result = '{"winner": "paraguay", "key": "result.resigned", "clause": null,
    "args": {}}' where status = 'finished';
update seats set user_id = null where place = 1 and game_id in (select id from games where status = 'open');
insert into sat (game_id, user_id, seat) select game_id, user_id, seat from seats where user_id is not null
    on conflict do nothing;
insert into messages (game_id, user_id, text) select game_id, user_id, 'Your move, and a good one ' || n
    from seats, generate_series(1, 3) n where user_id is not null and game_id like 'copy%%';
insert into notices (user_id, kind, game_id, seat, due_at, sent_at, seen_at)
    select user_id, kind, game_id, seat, now() - interval '1 day', now(), now() from seats,
        unnest(array['begun', 'over']) kind
    where user_id is not null and game_id like 'copy%%';
insert into notice_deliveries (user_id, kind, name, notices) select user_id, 'mail', 'mail', 1 from notices;
insert into ratings (user_id, title, mu, sigma, games) select id, t, 25 + n %% 7, 5, 40 from folk,
    unnest(array['', (select title from games limit 1)]) t on conflict do nothing;
insert into rated_games (game_id, title, scenario, first_user, second_user, score, expected, first_before,
    second_before, first_after, second_after, at)
select g.id, g.title, g.scenario, a.user_id, b.user_id, 1, 0.5, k, k, k, k, g.finished_at
    from games g join seats a on a.game_id = g.id and a.place = 0 join seats b on b.game_id = g.id and b.place = 1,
    jsonb_build_object('mu', 25.0, 'sigma', 8.0) k
    where g.status = 'finished' and a.user_id <> b.user_id on conflict do nothing"""
_EVENT = f"""
insert into entrants (event_id, user_id, number, state, seed) select %(event)s, id, n + 1, 'in', n + 1 from folk
    where n < {ENTRANTS} and not exists (select from entrants where event_id = %(event)s and user_id = folk.id);
update events set state = 'running', started_at = now() - interval '90 days' where id = %(event)s;
insert into rounds (event_id, number, opened_at, closed_at) select %(event)s, n, now() - (100 - n) * interval '1 day',
    case when n < {ROUNDS} then now() - (99 - n) * interval '1 day' end from generate_series(1, {ROUNDS}) n;
with places as (select id, row_number() over (order by id) - 1 as n from entrants where event_id = %(event)s),
    pairs as (select r, a.id as one, b.id as two, row_number() over (partition by r order by a.n) as board
        from generate_series(1, {ROUNDS}) r, places a, places b
        where a.n %% 2 = 0 and b.n = (a.n + 2 * r - 1) %% {ENTRANTS}),
    games_ as (select id, row_number() over (order by id) as n from games
        where status = 'finished' and id like 'copy%%')
insert into pairings (event_id, round, board, first_id, second_id, title, scenario, first_seat, state, game_id, outcome,
    how, decided_at)
select %(event)s, r, board, one, two, g.title, g.scenario, 'paraguay',
    case when r < {ROUNDS} then 'done' else 'playing' end, g.id, case when r < {ROUNDS} then 'first' end,
    case when r < {ROUNDS} then 'played' end, now()
from pairs join games_ p on p.n = (r - 1) * {ENTRANTS} / 2 + board join games g on g.id = p.id"""


def fill(url: str, me: int, game_id: str, event: str) -> None:
    """Around one person, a game that has `KEPT` entries, and an event that has not begun."""
    with psycopg.connect(conninfo(url), autocommit=True) as conn:
        _run(conn, _PEOPLE, {"me": me})
        _copies(conn, me, game_id)
        _run(conn, _ROWS, {})
        _run(conn, _EVENT, {"event": event})
        conn.execute("vacuum analyze")


def _run(conn: psycopg.Connection[Any], statements: str, args: dict[str, Any]) -> None:
    for statement in statements.split(";\n"):
        conn.execute(statement.encode(), args)


def _copies(conn: psycopg.Connection[Any], me: int, game_id: str) -> None:
    """Rows of one game, as many times; their people and times differ."""
    who = [_WHO % {"place": place, "me": me} for place in (0, 1)]
    own = {
        ("games", "created_by"): who[0], ("games", "status"): _STATUS,
        ("games", "updated_at"): "now() - n * interval '7 minutes'",
        ("games", "created_at"): "now() - interval '30 days' - n * interval '7 minutes'",
        ("seats", "user_id"): f"case place when 0 then {who[0]} else {who[1]} end",
    }  # fmt: skip
    for table, key in (("games", "id"), ("seats", "game_id"), ("checkpoints", "game_id"), ("entries", "game_id")):
        columns = _columns(conn, table)
        values = ["'copy' || n::text" if one == key else own.get((table, one), one) for one in columns]
        more = f" and seq <= {KEPT}" if table == "entries" else ""
        query = f"""insert into {table} ({", ".join(columns)}) select {", ".join(values)} from {table},
            generate_series(1, {GAMES}) n where {key} = '{game_id}'{more}"""
        conn.execute(query.replace("%%", "%").encode())


def _columns(conn: psycopg.Connection[Any], table: str) -> list[str]:
    query = "select column_name from information_schema.columns where table_name = %s order by ordinal_position"
    return [name for (name,) in conn.execute(query, (table,)).fetchall()]
