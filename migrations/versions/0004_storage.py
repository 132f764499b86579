"""How positions are stored; whom an entry left the game waiting for."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

COMPRESSED = (("checkpoints", "state"), ("entries", "told"), ("data_sets", "body"))  # nothing left to squeeze
LOOKED_UP = (  # a fifth of what an answer costs, for rows written only in the statement that changes the game's
    ("checkpoints", "game_id", "games", "CASCADE"),
    ("entries", "game_id", "games", "CASCADE"),
    ("entries", "by_user", "users", None),
)
FULL_ROW = 8160  # bytes: a difference stays in its row


def upgrade() -> None:
    op.add_column("checkpoints", sa.Column("base", sa.Text(), nullable=True))
    op.add_column("entries", sa.Column("asks", sa.ARRAY(sa.Text()), nullable=True))
    for table, column in COMPRESSED:
        op.execute(f"alter table {table} alter column {column} set storage external")
    for table, column, _, _ in LOOKED_UP:
        op.drop_constraint(f"fk_{table}_{column}", table)
    op.execute(f"alter table checkpoints set (toast_tuple_target = {FULL_ROW})")
    op.create_table(
        "listeners",
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("origin", name=op.f("pk_listeners")),
        prefixes=["UNLOGGED"],
    )
    op.execute("alter table games set (fillfactor = 60)")  # so that a row changed at every answer stays in its page


def downgrade() -> None:
    op.execute("alter table games reset (fillfactor)")
    op.drop_table("listeners")
    op.execute("alter table checkpoints reset (toast_tuple_target)")
    for table, column in COMPRESSED:
        op.execute(f"alter table {table} alter column {column} set storage extended")
    op.drop_column("entries", "asks")
    op.execute("delete from checkpoints where base is not null")  # the start is there, and the entries since
    op.drop_column("checkpoints", "base")
    for table, column, other, gone in LOOKED_UP:
        op.create_foreign_key(op.f(f"fk_{table}_{column}"), table, other, [column], ["id"], ondelete=gone)
