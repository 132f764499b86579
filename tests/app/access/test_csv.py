"""Every table that can be taken along as CSV, read as a spreadsheet reads it."""

import csv
import io
import re
from typing import Any

import pytest

from app.spreadsheet import csv_of
from app.tables import PREFIX
from app.tables.columns import TABLES
from tests.app.access.stage import Stage
from tests.app.access.table import ROUTES
from tests.app.access.test_routes import filled

STARTS = ("=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "\ufeff=1", "\x01=1", "\uff1d1+1",
          "=cmd|'/c calc'!A1", '=HYPERLINK("http://evil.example","here")')  # fmt: skip
ODD = ('"quoted", with a comma', "two\r\nlines", "half a line\rhere", "Ñandú, coração, où", "semi;colon", "'said", "")


def read(body: bytes) -> list[list[str]]:
    """With the code that the mark says, by RFC 4180: lines end in CR LF, but for those within quotes."""
    assert body.startswith("\ufeff".encode()), "without its mark Ñ becomes two letters"
    text = body.decode("utf-8-sig")
    outside = re.sub(r'"(?:[^"]|"")*"', "", text)
    assert outside.count("\n") == outside.count("\r") == outside.count("\r\n") > 0
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert {len(row) for row in rows} == {len(rows[0])}
    return rows


def test_nothing_is_reckoned_with_and_nothing_is_lost() -> None:
    cells = [*STARTS, *ODD]
    head, *lines = read(csv_of(["=a", "b"], [[cell, n] for n, cell in enumerate(cells)]))
    assert head == ["'=a", "b"]
    assert [line[0] for line in lines] == [*("'" + one for one in STARTS), *ODD]
    assert [line[1] for line in lines] == [*map(str, range(len(cells)))], "numbers are numbers"
    assert read(csv_of(["n"], [[-3], [-0.5], [None]]))[1:] == [["-3"], ["-0.5"], [""]]


def exported(stage: Stage) -> dict[str, bytes]:
    """What each address gives that gives CSV."""
    found: dict[str, bytes] = {}
    for method, path, _, _, address in ROUTES:
        if path.endswith(".csv"):
            found[path] = stage.send("admin", method, filled(address or path, stage.at)).content
    browser = stage.browsers["admin"]
    for key in TABLES:
        stage.send("admin", "GET", f"{PREFIX}/{key}/list")
        said: dict[str, Any] = {"format": "csv", "scope": "page"}
        token = {"X-CSRFToken": browser.cookies["starlette_admin_csrftoken"]}
        answer = browser.post(f"{PREFIX}/_api/{key}/action?name=export", data=said, headers=token)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"].startswith("attachment")
        found[key] = answer.content
    return found


@pytest.mark.parametrize("start", ["=1+1", "\t@SUM(1)"])
def test_what_people_wrote_is_no_formula_in_any_table(stage: Stage, start: str) -> None:
    """Names and words that were taken before there was a check, or by another way."""
    words = f"""E'{start} "x", y\\r\\nÑ ' || """.replace("\t", "\\t")
    for table, column, key in (("users", "name", "id"), ("events", "name", "id"), ("leagues", "name", "id"),
                               ("reports", "reason", "id"), ("audit", "reason", "id"),
                               ("notice_deliveries", "name", "id")):  # fmt: skip
        stage.sql(f"update {table} set {column} = {words} {key}::text")
    found = exported(stage)
    assert len(found) >= len(TABLES) + 2
    planted = 0
    for where, body in found.items():
        for row in read(body)[1:]:
            for cell in row:
                assert not re.match(r"\s*[=+@]|\s*-(?![\d.])", cell), (where, cell)
                planted += cell.startswith("'" + start)
    assert planted > 10, "there was something to see"
