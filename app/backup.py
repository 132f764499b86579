"""Backups: one file of the whole database, made while it is used, and proved by restoring it beside."""

import os
import re
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from secrets import token_hex

import psycopg
from psycopg import sql

from app import postgres
from app.config import ROOT

Counts = Mapping[str, int]


class BackupError(RuntimeError):
    """The message says what went wrong, to the person at the terminal."""


def backup(at: str, file: Path, verify: bool = True) -> Counts:
    """Writes the database at `at` (libpq's address) into `file`, which appears when it is whole; rows by table. With
    `verify` it is restored into a database of its own on the same server and every table counted. Raises
    BackupError."""
    part = file.with_name(file.name + ".part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)  # it holds what nobody else may read
        with closing(psycopg.connect(at)) as conn:
            conn.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            snapshot = _one(conn, "select pg_export_snapshot()")
            _tool("pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", f"--file={part}", at)
            counts = _counts(conn)
        if verify:
            _verify(at, part, counts)
        part.replace(file)
    except (psycopg.Error, OSError) as fault:
        raise BackupError(str(fault).strip()) from fault
    finally:
        part.unlink(missing_ok=True)
    return counts


def restore(at: str, file: Path, replace: bool) -> Counts:
    """Puts what a backup holds into the database at `at`, all of it or nothing; rows by table. Raises BackupError,
    also when there are accounts already and `replace` is not set."""
    _known(file)
    try:
        with closing(psycopg.connect(at)) as conn:
            held = _counts(conn).get("users", 0)
        if held and not replace:
            raise BackupError(f"the database holds {held} accounts; --replace puts the backup in their place")
        _restore(at, file)
        with closing(psycopg.connect(at)) as conn:
            return _counts(conn)
    except psycopg.Error as fault:
        raise BackupError(str(fault).strip()) from fault


def _known(file: Path) -> None:
    """Raises BackupError for a backup of a newer release, before anything is touched: its tables are not ours."""
    tool: list[str | Path] = [postgres.tool("pg_restore"), "--data-only", "--table=alembic_version", "--file=-", file]
    done = subprocess.run(tool, env=os.environ, capture_output=True, text=True)
    found = re.search(r"^(\w+)\n\\\.$", done.stdout, re.MULTILINE)
    if found and not list((ROOT / "migrations/versions").glob(f"{found[1]}_*.py")):
        raise BackupError(f"the backup is of a newer release (tables of revision {found[1]}); restore it with that one")


def _verify(at: str, file: Path, counts: Counts) -> None:
    scratch = f"mariscal_proof_{token_hex(4)}"
    with closing(psycopg.connect(at, autocommit=True)) as conn:
        conn.execute(sql.SQL("create database {}").format(sql.Identifier(scratch)))
        try:
            there = psycopg.conninfo.make_conninfo(at, dbname=scratch)
            _restore(there, file)
            with closing(psycopg.connect(there)) as copy:
                restored = _counts(copy)
        finally:
            conn.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(scratch)))
    if restored != counts:
        wrong = sorted(name for name in counts.keys() | restored.keys() if counts.get(name) != restored.get(name))
        raise BackupError(f"the backup came back different in: {', '.join(wrong)}")


def _restore(at: str, file: Path) -> None:
    _tool("pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction", f"--dbname={at}", file)


def _tool(name: str, *arguments: str | Path) -> None:
    command = [postgres.tool(name), *arguments]
    done = subprocess.run(command, env=os.environ, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise BackupError(f"{name}: {done.stderr.strip()}")


def _one(conn: psycopg.Connection, query: str) -> str:
    row = conn.execute(sql.SQL(query)).fetchone()
    assert row is not None
    return str(row[0])


def _counts(conn: psycopg.Connection) -> Counts:
    """Rows of every table."""
    tables = conn.execute("select tablename from pg_tables where schemaname = 'public' order by tablename").fetchall()
    return {name: int(_one(conn, f'select count(*) from "{name}"')) for (name,) in tables}
