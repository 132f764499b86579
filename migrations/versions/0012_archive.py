"""Finished games in one compressed row each; what is asked of who joins; games that the rules no longer fit."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

NOW = sa.text("now()")


def upgrade() -> None:
    op.add_column("games", sa.Column("archived", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("games", sa.Column("thawed_at", sa.DateTime(timezone=True)))
    op.add_column("games", sa.Column("conditions", postgresql.JSONB()))
    finished = sa.text("status = 'finished' and not archived")
    op.create_index("ix_games_to_archive", "games", ["finished_at"], postgresql_where=finished)
    op.create_table(
        "archives",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=NOW, nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_archives_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_archives")),
    )
    op.execute("alter table archives alter column body set storage external")  # compressed already
    op.create_table(
        "mendings",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("found_at", sa.DateTime(timezone=True), server_default=NOW, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text()),
        sa.Column("what", sa.Text()),
        sa.Column("to", sa.Integer()),
        sa.CheckConstraint("what in ('resume', 'end')", name=op.f("ck_mendings_what")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_mendings_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_mendings")),
    )


def downgrade() -> None:
    """Raises while there are archived games, whose records would be lost: `mariscal archive --thaw` brings them back
    before."""
    if op.get_bind().execute(sa.text("select exists (select from archives)")).scalar():
        raise RuntimeError("there are archived games; bring them back with `mariscal archive --thaw` first")
    op.drop_table("mendings")
    op.drop_table("archives")
    op.drop_index("ix_games_to_archive", table_name="games")
    for name in ("conditions", "thawed_at", "archived"):
        op.drop_column("games", name)
