"""Names: none that the server itself says, none that only looks like another; a living player is no deleted one."""

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import Person, Sql
from tests.conftest import PASSWORD


def sign_up(client: TestClient, name: str) -> tuple[int, str]:
    answer = client.post("/api/account", json={"name": name, "password": PASSWORD})
    return answer.status_code, answer.json()["error"]["key"] if answer.status_code >= 400 else ""


@pytest.mark.parametrize("name", [
    "deleted_36", "Deleted 1", "deleted.7", "deleted", "Mariscal", "Admin", "ad.min", "Moderator", "director", "Bot",
    "deleted account", "cuenta borrada", "Computer", "your opponent", "ｄｅｌｅｔｅｄ_1", "ԁеӏеtеԁ_1".replace("t", "т"),
])  # fmt: skip
def test_what_the_server_says_itself_is_refused(client: TestClient, name: str) -> None:
    status, key = sign_up(client, name)
    assert status in (409, 422), name
    assert key in ("account.name_reserved", "account.name_mixed")


@pytest.mark.parametrize("name", ["Аna", "Pаblo", "Mаriо", "Αlice", "Джon", "日本Иван"])
def test_a_name_keeps_to_one_alphabet(client: TestClient, name: str) -> None:
    assert sign_up(client, name) == (422, "account.name_mixed")


@pytest.mark.parametrize("name", [
    "Иван", "Ελένη", "田中さん", "김철수", "José María", "O'Higgins", "Łukasz", "שלמה", "Ana 2"])  # fmt: skip
def test_names_of_all_alphabets_are_taken(client: TestClient, name: str) -> None:
    assert sign_up(client, name) == (201, "")


@pytest.mark.parametrize(("one", "other"), [("Capa", "Сара"), ("Сара", "Capa"), ("Вова", "Boвa".replace("B", "В"))])
def test_a_name_that_looks_like_a_taken_one_is_taken(client: TestClient, one: str, other: str) -> None:
    assert sign_up(client, one) == (201, "")
    status, key = sign_up(client, other)
    assert (status, key) in ((409, "account.name_taken"), (422, "account.name_mixed"))


def test_an_account_can_be_deleted_whatever_others_are_called(person: Person, sql: Sql) -> None:
    """Of the days when such names could be taken."""
    ana, bea = person("Ana"), person("Bea")
    number = sql("select id from users where name = 'Ana'")[0][0]
    sql(f"update users set name = 'deleted_{number}', name_key = 'deleted_{number}' where name = 'Bea'")
    gone = ana.request("DELETE", "/api/account", json={"password": PASSWORD})
    assert gone.status_code == 204, gone.text
    assert sql(f"select name from users where id = {number}") == [(f"deleted:{number}",)]
    page = bea.get(f"/players/deleted_{number}")
    assert page.status_code == 200
    assert f"deleted_{number}" in page.text
    assert bea.get(f"/players/deleted:{number}").status_code == 404
