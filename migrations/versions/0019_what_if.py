"""Boards that ask what would be in a game, and games that forbid it."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("what_if", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("boards", sa.Column("game_id", sa.Text()))
    op.add_column("boards", sa.Column("side", sa.Text()))
    op.add_column("boards", sa.Column("private_to", sa.BigInteger()))
    op.create_foreign_key(op.f("fk_boards_game_id"), "boards", "games", ["game_id"], ["id"], ondelete="CASCADE")
    op.create_foreign_key(op.f("fk_boards_private_to"), "boards", "users", ["private_to"], ["id"], ondelete="CASCADE")
    op.create_index(op.f("ix_boards_game_id"), "boards", ["game_id"])
    op.create_index(op.f("ix_boards_private_to"), "boards", ["private_to"])


def downgrade() -> None:
    op.execute("delete from boards where private_to is not null")
    for name in ("private_to", "side", "game_id"):
        op.drop_column("boards", name)
    op.drop_column("games", "what_if")
