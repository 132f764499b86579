"""The tables of a title for a game's page: the same as on its page of rules, with the keys of rows and columns."""

from typing import Any

from fastapi import APIRouter
from markupsafe import Markup

from app.deps import ForReaders
from app.errors import NotFound
from app.games import data
from app.games.deps import LiveDep
from app.rulebook.book import rulebook_of
from app.rulebook.tables import Grid, Table, tables, tables_of
from app.texts import LANGUAGES

router = APIRouter(prefix="/api/titles/{title_id}", tags=["titles"], dependencies=[ForReaders])


@router.get("/tables/{lang}")
async def title_tables(live: LiveDep, title_id: str, lang: str, digest: str | None = None) -> list[dict[str, Any]]:
    """All tables in one language (docs/protocol.md section 7), in the order of the rulebook; with a digest, as the
    games that began with it are played by them. Raises NotFound."""
    rulebook_of(title_id)
    if lang not in LANGUAGES:
        raise NotFound()
    if digest is None or digest == data.current(title_id).digest:
        return [_table(table) for table in tables(title_id, lang)]
    async with live.store.pool.connection() as conn:
        edition = await data.pinned(conn, digest, title_id)
    return [_table(table) for table in tables_of(title_id, lang, edition)]


def _table(table: Table) -> dict[str, Any]:
    return {"id": table.id, "title": table.title, "clause": table.clause, "reconstructed": table.reconstructed,
            "grids": [_grid(grid) for grid in table.grids], "codes": table.codes}  # fmt: skip


def _grid(grid: Grid) -> dict[str, Any]:
    """Where a grid has no keys, they are none; a cell of clauses says so."""
    keys = grid.keys or ("",) * len(grid.rows)
    rows = [{"key": key, "name": name, "cells": [_cell(one) for one in cells]}
            for key, (name, cells) in zip(keys, grid.rows, strict=True)]  # fmt: skip
    return {"title": grid.title, "columns": grid.columns, "head": grid.head, "rows": rows}


def _cell(cell: str) -> str | dict[str, str]:
    return {"clause": cell.striptags()} if isinstance(cell, Markup) else cell
