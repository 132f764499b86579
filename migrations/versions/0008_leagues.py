"""Leagues, events, ratings."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league_settings",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("anybody_organises", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_league_settings_one_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_settings")),
    )
    op.create_table(
        "leagues",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), server_default="", nullable=False),
        sa.Column("settings", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("divisions", sa.Integer(), server_default="1", nullable=False),
        sa.Column("moving", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_by", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name=op.f("fk_leagues_created_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leagues")),
    )
    op.create_table(
        "ratings",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_ratings_user_id")),
        sa.PrimaryKeyConstraint("user_id", "title", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_title_mu", "ratings", ["title", "mu"], unique=False)
    op.create_table(
        "rated_games",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("first_user", sa.BigInteger(), nullable=False),
        sa.Column("second_user", sa.BigInteger(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("expected", sa.Double(), nullable=False),
        sa.Column("first_before", postgresql.JSONB(), nullable=False),
        sa.Column("second_before", postgresql.JSONB(), nullable=False),
        sa.Column("first_after", postgresql.JSONB(), nullable=False),
        sa.Column("second_after", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(["first_user"], ["users.id"], name=op.f("fk_rated_games_first_user")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rated_games_game_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["second_user"], ["users.id"], name=op.f("fk_rated_games_second_user")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_rated_games")),
    )
    op.create_index(op.f("ix_rated_games_first_user"), "rated_games", ["first_user"], unique=False)
    op.create_index(op.f("ix_rated_games_second_user"), "rated_games", ["second_user"], unique=False)
    op.create_index("ix_rated_games_title_at", "rated_games", ["title", "at"], unique=False)
    op.create_table(
        "seasons",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("league_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name=op.f("fk_seasons_league_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
        sa.UniqueConstraint("league_id", "number", name=op.f("uq_seasons_league_id_number")),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("season_id", sa.BigInteger(), nullable=True),
        sa.Column("division", sa.Integer(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), server_default="", nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="open", nullable=False),
        sa.Column("settings", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_by", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "format in ('round_robin', 'swiss', 'knock_out', 'ladder', 'arena')", name=op.f("ck_events_format")
        ),
        sa.CheckConstraint("state in ('open', 'running', 'finished', 'cancelled')", name=op.f("ck_events_state")),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name=op.f("fk_events_created_by")),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_events_season_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index(op.f("ix_events_season_id"), "events", ["season_id"], unique=False)
    op.create_index("ix_events_state_created_at", "events", ["state", "created_at"], unique=False)
    op.create_table(
        "directors",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("league_id", sa.Text(), nullable=True),
        sa.Column("event_id", sa.Text(), nullable=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(league_id is null) <> (event_id is null)", name=op.f("ck_directors_one_charge")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_directors_event_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name=op.f("fk_directors_league_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_directors_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_directors")),
        sa.UniqueConstraint("event_id", "user_id", name=op.f("uq_directors_event_id_user_id")),
        sa.UniqueConstraint("league_id", "user_id", name=op.f("uq_directors_league_id_user_id")),
    )
    op.create_index(op.f("ix_directors_user_id"), "directors", ["user_id"], unique=False)
    op.create_table(
        "entrants",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("bot", sa.Text(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), server_default="in", nullable=False),
        sa.Column("seed", sa.Integer(), nullable=True),
        sa.Column("rung", sa.Integer(), nullable=True),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("gives_notes", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("final_rank", sa.Integer(), nullable=True),
        sa.Column("joined_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state in ('in', 'waiting', 'reserve', 'withdrawn', 'removed')", name=op.f("ck_entrants_state")
        ),
        sa.CheckConstraint("(user_id is null) <> (bot is null)", name=op.f("ck_entrants_one_player")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_entrants_event_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_entrants_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entrants")),
        sa.UniqueConstraint("event_id", "user_id", name=op.f("uq_entrants_event_id_user_id")),
    )
    op.create_index(op.f("ix_entrants_event_id"), "entrants", ["event_id"], unique=False)
    op.create_index(op.f("ix_entrants_user_id"), "entrants", ["user_id"], unique=False)
    op.create_table(
        "rounds",
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_rounds_event_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_rounds")),
    )
    op.create_table(
        "pairings",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("branch", sa.Text(), server_default="main", nullable=False),
        sa.Column("first_id", sa.BigInteger(), nullable=False),
        sa.Column("second_id", sa.BigInteger(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("first_seat", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="planned", nullable=False),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("how", sa.Text(), nullable=True),
        sa.Column("lead", sa.Integer(), nullable=True),
        sa.Column("rated", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("bids", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("handicap", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("postponed_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(state = 'done') = (outcome is not null)", name=op.f("ck_pairings_decided")),
        sa.CheckConstraint(
            "outcome in ('first', 'second', 'draw', 'bye', 'none', 'void')", name=op.f("ck_pairings_outcome")
        ),
        sa.CheckConstraint("state in ('planned', 'bidding', 'playing', 'done')", name=op.f("ck_pairings_state")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_pairings_event_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["first_id"], ["entrants.id"], name=op.f("fk_pairings_first_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_pairings_game_id")),
        sa.ForeignKeyConstraint(["second_id"], ["entrants.id"], name=op.f("fk_pairings_second_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pairings")),
        sa.UniqueConstraint("game_id", name=op.f("uq_pairings_game_id")),
    )
    op.create_index("ix_pairings_event_id_round_board", "pairings", ["event_id", "round", "board"], unique=False)
    op.create_table(
        "claims",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("pairing_id", sa.BigInteger(), nullable=False),
        sa.Column("entrant_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("wish", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("wish in ('win', 'draw', 'loss', 'other')", name=op.f("ck_claims_wish")),
        sa.ForeignKeyConstraint(["entrant_id"], ["entrants.id"], name=op.f("fk_claims_entrant_id")),
        sa.ForeignKeyConstraint(["pairing_id"], ["pairings.id"], name=op.f("fk_claims_pairing_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claims")),
    )
    op.create_index(op.f("ix_claims_pairing_id"), "claims", ["pairing_id"], unique=False)
    op.create_table(
        "league_acts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("pairing_id", sa.BigInteger(), nullable=True),
        sa.Column("by_user", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("args", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["by_user"], ["users.id"], name=op.f("fk_league_acts_by_user")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_league_acts_event_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["pairing_id"], ["pairings.id"], name=op.f("fk_league_acts_pairing_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_acts")),
    )
    op.create_index("ix_league_acts_event_id_id", "league_acts", ["event_id", "id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_league_acts_event_id_id", table_name="league_acts")
    op.drop_table("league_acts")
    op.drop_index(op.f("ix_claims_pairing_id"), table_name="claims")
    op.drop_table("claims")
    op.drop_index("ix_pairings_event_id_round_board", table_name="pairings")
    op.drop_table("pairings")
    op.drop_table("rounds")
    op.drop_index(op.f("ix_entrants_user_id"), table_name="entrants")
    op.drop_index(op.f("ix_entrants_event_id"), table_name="entrants")
    op.drop_table("entrants")
    op.drop_index(op.f("ix_directors_user_id"), table_name="directors")
    op.drop_table("directors")
    op.drop_index("ix_events_state_created_at", table_name="events")
    op.drop_index(op.f("ix_events_season_id"), table_name="events")
    op.drop_table("events")
    op.drop_table("seasons")
    op.drop_index("ix_rated_games_title_at", table_name="rated_games")
    op.drop_index(op.f("ix_rated_games_second_user"), table_name="rated_games")
    op.drop_index(op.f("ix_rated_games_first_user"), table_name="rated_games")
    op.drop_table("rated_games")
    op.drop_index("ix_ratings_title_mu", table_name="ratings")
    op.drop_table("ratings")
    op.drop_table("leagues")
    op.drop_table("league_settings")
