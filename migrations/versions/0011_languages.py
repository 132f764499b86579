"""Italian and Portuguese among the languages of an account."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

CHECK = op.f("ck_users_lang")


def upgrade() -> None:
    op.drop_constraint(CHECK, "users", type_="check")
    op.create_check_constraint(CHECK, "users", "lang in ('en', 'es', 'it', 'pt')")


def downgrade() -> None:
    op.execute("update users set lang = 'en' where lang in ('it', 'pt')")
    op.drop_constraint(CHECK, "users", type_="check")
    op.create_check_constraint(CHECK, "users", "lang in ('en', 'es')")
