"""The end of a session, of help and of a role is told to all processes, whoever brings it about."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Payloads as app.games.channel reads them: s with the hash of a session's token, u with an account."""
    op.execute("""
        create function tell_session_end() returns trigger language plpgsql as $$
        begin
            perform pg_notify('game', ':s:' || encode(old.token_hash, 'hex') || ':');
            return null;
        end $$""")
    op.execute("""create trigger session_ended after delete on sessions
        for each row execute function tell_session_end()""")
    op.execute("""create trigger session_changed after update of as_user_id on sessions
        for each row when (old.as_user_id is distinct from new.as_user_id) execute function tell_session_end()""")
    op.execute("""
        create function tell_user_change() returns trigger language plpgsql as $$
        begin
            perform pg_notify('game', ':u:' || new.id || ':');
            return null;
        end $$""")
    op.execute("""create trigger user_changed after update of is_admin, ban_reason, deleted_at on users
        for each row when (old.is_admin is distinct from new.is_admin or old.ban_reason is distinct from new.ban_reason
            or old.deleted_at is distinct from new.deleted_at) execute function tell_user_change()""")


def downgrade() -> None:
    op.execute("drop trigger user_changed on users")
    op.execute("drop function tell_user_change")
    op.execute("drop trigger session_changed on sessions")
    op.execute("drop trigger session_ended on sessions")
    op.execute("drop function tell_session_end")
