"""What the pages of the tables may show. A column that isn't named here isn't mapped: no list, search, filter, sorting
or export can ask the database for it.

Never here: positions and what was told, dice keys, notes, drawings, drafts, standing orders, chat, letters, the quotes
of reports, sealed bids, seeds before the draw, whatever opens something (tokens, hashes, subscriptions, addresses of
services) and what may repeat one of these: settings and arguments in JSON, the arguments of jobs, the errors of
deliveries (`failed` says that there was one)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Integer, MetaData, Table, Text, cast, select
from sqlalchemy.orm import column_property, registry
from sqlalchemy.sql.elements import ColumnElement

from app.accounts.models import User
from app.admin.models import Audit
from app.community.models import Report
from app.games.models import Game, Seat
from app.leagues.models import Entrant, Event, League, Pairing, RatedGame, Rating, Season
from app.notifications.models import NoticeDelivery

USERS: Any = User.__table__
DELIVERIES: Any = NoticeDelivery.__table__
JOBS = Table(
    "procrastinate_jobs",
    MetaData(),
    Column("id", BigInteger, primary_key=True),
    Column("queue_name", Text),
    Column("task_name", Text),
    Column("status", Text),
    Column("scheduled_at", DateTime(timezone=True)),
    Column("attempts", Integer),
)


@dataclass(frozen=True)
class Shown:
    """A table's page: its columns in their order, and among them `made`, which are computed. `newest`: by which of them
    the rows lie at first, the greatest first."""

    table: Any
    columns: tuple[str, ...]
    newest: str = "id"
    made: Mapping[str, ColumnElement[Any]] = field(default_factory=dict)


def _name(of: Column[Any]) -> ColumnElement[Any]:
    return select(USERS.c.name).where(USERS.c.id == of).scalar_subquery()


def _shown(model: Any, columns: str, newest: str = "id", **names: str) -> Shown:
    """`names`: columns that say who a column of the table means."""
    table = model.__table__
    made = {name: _name(table.c[column]) for name, column in names.items()}
    return Shown(table, tuple(columns.split()), newest, made)


TABLES: dict[str, Shown] = {
    "users": _shown(User, "id name mail lang theme is_admin roles ban_reason banned_until created_at deleted_at"),
    "games": _shown(
        Game,
        "id title scenario status visibility policy seq waiting_for deadline wants_substitute rules_version archived "
        "created_by creator created_at updated_at finished_at",
        "created_at",
        creator="created_by",
    ),
    "seats": _shown(Seat, "game_id seat user_id player bot name joined_at", "joined_at", player="user_id"),
    "leagues": _shown(League, "id name divisions moving created_by creator created_at", "created_at",
                      creator="created_by"),
    "seasons": _shown(Season, "id league_id number created_at finished_at"),
    "events": _shown(
        Event,
        "id season_id division name format state starts_at ends_at started_at finished_at created_by creator "
        "created_at",
        "created_at",
        creator="created_by",
    ),
    "entrants": _shown(Entrant, "id event_id number user_id player bot state final_rank joined_at left_at",
                       player="user_id"),
    "pairings": _shown(
        Pairing,
        "id event_id round board branch first_id second_id title scenario state game_id outcome how rated due_at "
        "postponed_to decided_at",
    ),
    "ratings": _shown(Rating, "user_id player title mu sigma games updated_at", "mu", player="user_id"),
    "rated_games": _shown(RatedGame, "game_id title scenario at first_user second_user score expected", "at"),
    "deliveries": Shown(
        DELIVERIES,
        ("id", "user_id", "player", "at", "kind", "notices", "failed"),
        made={"player": _name(DELIVERIES.c.user_id), "failed": DELIVERIES.c.error.is_not(None)},
    ),
    "jobs": Shown(
        JOBS,
        ("id", "queue_name", "task_name", "state", "scheduled_at", "attempts"),
        made={"state": cast(JOBS.c.status, Text)},  # an enumeration there, which is compared with no text
    ),
    "audit": _shown(Audit, "id at by_user admin deed user_id player game_id reason", admin="by_user",
                    player="user_id"),
    "reports": _shown(
        Report,
        "id kind by_user reporter about_user player game_id reason handled_by handled_at created_at",
        reporter="by_user",
        player="about_user",
    ),
}  # fmt: skip


def mapped() -> Iterator[tuple[str, Shown, type[Any]]]:
    """Each table with a class that knows the columns shown and no other."""
    mapper = registry()
    for key, shown in TABLES.items():
        made = {name: column_property(made.label(name)) for name, made in shown.made.items()}
        real = [name for name in shown.columns if name not in made]
        row = type(key, (), {})
        mapper.map_imperatively(row, shown.table, properties=made, include_properties=[*real, *made])
        yield key, shown, row
