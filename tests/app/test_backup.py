"""Backups are whole, made beside a working server, and proved; a restore is all or nothing."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from starlette.testclient import TestClient

from app import backup
from app.backup import BackupError
from app.commands import backup as backup_command
from app.games.live import conninfo
from tests.app.conftest import Command
from tests.app.toy_table import HIDE, Side, new_game

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def at(database_url: str) -> str:
    return conninfo(database_url)


def names(at: str) -> list[str]:
    with psycopg.connect(at) as conn:
        return [name for (name,) in conn.execute("select name from users order by name")]


def test_a_backup_beside_a_running_game_brings_all_of_it_back(
    at: str, person: Callable[[str], TestClient], tmp_path: Path
) -> None:
    red = Side(person("Ana"), "", "red")
    red.game = new_game(red.browser, opponent="both")["id"]
    red.answer(HIDE)
    seen = red.view()
    counts = backup.backup(at, tmp_path / "b")
    assert (counts["users"], counts["games"]) == (1, 1)
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600, "nobody else reads it"
    person("Bea")
    assert names(at) == ["Ana", "Bea"]
    with pytest.raises(BackupError, match="2 accounts"):
        backup.restore(at, tmp_path / "b", replace=False)
    assert names(at) == ["Ana", "Bea"]
    assert backup.restore(at, tmp_path / "b", replace=True) == counts
    assert names(at) == ["Ana"]
    assert red.view() == seen
    with psycopg.connect(at) as conn:
        left = conn.execute("select count(*) from pg_database where datname like 'mariscal_proof%'").fetchone()
    assert left == (0,)


def test_a_damaged_file_changes_nothing(at: str, person: Callable[[str], TestClient], tmp_path: Path) -> None:
    person("Ana")
    file = tmp_path / "b"
    backup.backup(at, file, verify=False)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(BackupError, match="pg_restore"):
        backup.restore(at, file, replace=True)
    assert names(at) == ["Ana"]


def test_a_backup_that_came_back_different_is_not_kept(
    at: str, person: Callable[[str], TestClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person("Ana")
    real = backup._restore

    def lossy(there: str, file: Path) -> None:
        real(there, file)
        with psycopg.connect(there) as conn:
            conn.execute("delete from sessions")

    monkeypatch.setattr(backup, "_restore", lossy)
    with pytest.raises(BackupError, match="sessions"):
        backup.backup(at, tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_it_wrote(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    parser = __import__("argparse").ArgumentParser()
    backup_command.add_arguments(parser)
    assert backup_command.run(parser.parse_args([str(tmp_path / "b"), "--json"])) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["bytes"] == (tmp_path / "b").stat().st_size
    assert said["tables"]["users"] == 0
    assert backup_command.run(parser.parse_args([str(tmp_path / "none" / "b")])) == 1


def test_a_restore_seals_running_games_anew(
    at: str, person: Callable[[str], TestClient], command: Command, tmp_path: Path
) -> None:
    """Who saw rolls that are lost would foresee them."""
    red = Side(person("Ana"), "", "red")
    red.game = new_game(red.browser, opponent="both")["id"]
    before = red.get("")["dice"]
    backup.backup(at, tmp_path / "b")
    code, said = command("restore", str(tmp_path / "b"), "--replace", "--data", str(tmp_path / "data"))
    assert (code, said["sealed_anew"]) == (0, 1)
    after = red.get("")["dice"]
    assert after["seed_hash"] != before["seed_hash"]
    assert (after["restarts"], after["restarted"]) == (before["restarts"] + 1, [{"by": None, "why": "restored"}])
    assert not after["complete"]


def test_a_backup_of_a_newer_release_is_refused_before_anything_is_touched(
    at: str, person: Callable[[str], TestClient], tmp_path: Path
) -> None:
    person("Ana")
    with psycopg.connect(at, autocommit=True) as conn:
        kept = conn.execute("select version_num from alembic_version").fetchone()
        conn.execute("update alembic_version set version_num = '9999'")
        backup.backup(at, tmp_path / "b")
        conn.execute("update alembic_version set version_num = %s", kept)
    person("Bea")
    with pytest.raises(BackupError, match=r"newer release .*9999"):
        backup.restore(at, tmp_path / "b", replace=True)
    assert names(at) == ["Ana", "Bea"]
