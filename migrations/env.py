"""Runs the revisions on `DATABASE_URL`, or on the address that `app.db.migrate` hands over."""

import os

from alembic import context
from sqlalchemy import create_engine, text

import app.accounts.models
import app.boards.models
import app.games.models
import app.lessons.models  # noqa: F401
from app.config import Settings
from app.db import Base

LOCK = 0x6D617269  # any number that only migrations use

url = context.config.attributes.get("url") or Settings(database_url=os.environ["DATABASE_URL"]).database_url
engine = create_engine(url)
with engine.begin() as connection:
    connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    context.configure(connection=connection, target_metadata=Base.metadata, transaction_per_migration=False)
    context.run_migrations()
engine.dispose()
