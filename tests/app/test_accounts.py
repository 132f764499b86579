"""Accounts: sign up, in and out, change, delete; sessions and links."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.accounts import service
from app.accounts.schemas import SignUp
from app.config import Settings
from app.db import Database
from app.errors import Conflict, NotFound
from app.main import create_app
from tests.app.conftest import Sql
from tests.conftest import PASSWORD, link_of, prove, with_mail

Person = Callable[[str], TestClient]


def test_signing_up_in_a_form_signs_in(client: TestClient) -> None:
    answer = client.post("/sign-up?next=/about", data={"name": "Pancha Garmendia", "mail": "", "password": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/about")
    account = client.get("/api/account").json()
    assert account["name"] == "Pancha Garmendia"
    assert account["mail"] is None
    assert account["is_admin"] is False


def test_a_wrong_form_is_shown_again_with_what_was_typed_but_no_password(client: TestClient) -> None:
    answer = client.post("/sign-up", data={"name": "x", "mail": "ana@example.org", "password": "secret-123456"})
    assert answer.status_code == 422
    assert 'value="ana@example.org"' in answer.text
    assert "secret-123456" not in answer.text
    assert "A name has 3 to 24 letters" in answer.text


@pytest.mark.parametrize("name", ["ab", "a" * 25, " -x-", "two  spaces", "a@b.org", "trailing_", "<script>"])
def test_names_are_letters_and_digits(client: TestClient, name: str) -> None:
    assert client.post("/api/account", json={"name": name, "password": PASSWORD}).status_code == 422


@pytest.mark.parametrize("name", ["ANA", "ana", " Ana "])
def test_names_are_taken_whatever_their_case(person: Person, client: TestClient, name: str) -> None:
    person("Ana")
    answer = client.post("/api/account", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 409
    assert answer.json()["error"]["key"] == "account.name_taken"


def test_signing_in_by_name_or_mail(client: TestClient) -> None:
    client.post("/api/account", json={"name": "Ana", "mail": "Ana@Example.org", "password": PASSWORD})
    prove(client)
    client.delete("/api/session")
    assert client.get("/api/account").status_code == 401
    for login in ("ana", "ana@example.org"):
        assert client.post("/api/session", json={"name": login, "password": PASSWORD}).status_code == 200
        assert client.get("/api/account").json()["name"] == "Ana"


def test_a_wrong_login_does_not_say_what_was_wrong(person: Person, client: TestClient) -> None:
    person("Ana")
    wrong_password = client.post("/api/session", json={"name": "Ana", "password": "x"}).json()
    wrong_name = client.post("/api/session", json={"name": "Bea", "password": "x"}).json()
    assert wrong_password == wrong_name
    assert wrong_name["error"]["key"] == "account.wrong_login"


def test_a_session_survives_a_restart(person: Person, settings: Settings) -> None:
    ana = person("Ana")
    with TestClient(create_app(settings), cookies=ana.cookies) as after:
        assert after.get("/api/account").json()["name"] == "Ana"


def test_only_the_hash_of_a_token_is_stored(person: Person, client: TestClient) -> None:
    token = person("Ana").cookies["session"]

    async def stored() -> set[bytes]:
        db: Database = client.app.state.db  # type: ignore[attr-defined]
        async with db.begin() as session:
            raw = (await session.connection()).exec_driver_sql
            return {row[0] for row in await raw("select token_hash from sessions")}

    assert client.portal is not None
    assert client.portal.call(stored) == {service.token_hash(token)}


def test_a_new_password_signs_out_every_other_browser(person: Person, client: TestClient) -> None:
    ana = person("Ana")
    client.post("/api/session", json={"name": "Ana", "password": PASSWORD})
    change = {"password": PASSWORD, "new": "another long one"}
    assert ana.put("/api/account/password", json=change | {"password": "wrong"}).status_code == 400
    assert client.get("/api/account").status_code == 200
    assert ana.put("/api/account/password", json=change).status_code == 204
    assert ana.get("/api/account").status_code == 200
    assert client.get("/api/account").status_code == 401
    assert client.post("/api/session", json={"name": "Ana", "password": PASSWORD}).status_code == 400
    assert client.post("/api/session", json={"name": "Ana", "password": "another long one"}).status_code == 200


def test_sessions_are_listed_and_revoked(person: Person, client: TestClient) -> None:
    ana = person("Ana")
    client.post("/api/session", json={"name": "Ana", "password": PASSWORD}, headers={"user-agent": "Second"})
    rows = ana.get("/api/account/sessions").json()
    assert {(row["agent"], row["this"]) for row in rows} == {("Second", False), ("testclient", True)}
    assert ana.post("/account/sessions").status_code == 303
    assert client.get("/api/account").status_code == 401
    assert len(ana.get("/api/account/sessions").json()) == 1


def test_mail_is_changed_with_the_password_and_used_when_proved(person: Person, sql: Sql) -> None:
    ana, bea = person("Ana"), person("Bea")
    assert ana.put("/api/account/mail", json={"mail": "a@example.org", "password": "wrong"}).status_code == 400
    wished = ana.put("/api/account/mail", json={"mail": "a@example.org", "password": PASSWORD}).json()
    assert (wished["mail"], wished["mail_wish"]) == (None, "a@example.org")
    prove(ana)
    account = ana.get("/api/account").json()
    assert (account["mail"], account["mail_wish"]) == ("a@example.org", None)
    ana.put("/api/account/mail", json={"mail": "b@example.org", "password": PASSWORD})
    assert ana.get("/api/account").json()["mail"] == "a@example.org", "the old one until the new one is proved"
    assert "b@example.org is not used yet" in ana.get("/account").text
    assert ana.put("/api/account/mail", json={"mail": "", "password": PASSWORD}).json()["mail"] is None
    assert sql("select mail_wish from users where name = 'Ana'") == [(None,)]
    assert bea.get("/api/account").json()["mail"] is None


def test_whose_mail_it_is_shows_only_to_who_reads_it(person: Person, client: TestClient, sql: Sql) -> None:
    """A stranger who names a known address is told what anybody is; who has the mailbox learns it by the link."""
    with_mail(person("Ana"), "ana@example.org")
    known = {"name": "Bea", "mail": "ANA@example.org", "password": PASSWORD}
    other = {"name": "Cid", "mail": "cid@example.org", "password": PASSWORD}
    first, second = client.post("/api/account", json=known), client.post("/api/account", json=other)
    assert first.status_code == second.status_code == 201
    assert {**first.json(), "name": "", "mail_wish": "", "created_at": ""} == {
        **second.json(), "name": "", "mail_wish": "", "created_at": ""}  # fmt: skip
    client.post("/api/session", json={"name": "Bea", "password": PASSWORD})
    told = client.post("/account/mail", data={"mail": "ana@example.org", "password": PASSWORD})
    assert told.headers["location"] == "/account?done=mail_sent"
    token = link_of(client, "Bea")
    assert "This is my address" in client.get(f"/account/mail/{token}").text
    refused = client.post(f"/account/mail/{token}")
    assert (refused.status_code, "Another account has this mail address" in refused.text) == (409, True)
    assert sql("select name from users where mail is not null") == [("Ana",)]


def test_a_link_proves_nothing_for_another_account(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    ana.put("/api/account/mail", json={"mail": "victim@example.org", "password": PASSWORD})
    token = link_of(ana, "Ana")
    assert bea.post(f"/account/mail/{token}").status_code == 404
    ana.put("/api/account/mail", json={"mail": "other@example.org", "password": PASSWORD})
    assert ana.post(f"/account/mail/{token}").status_code == 404, "sent for another address"
    assert ana.get("/api/account").json()["mail"] is None


def test_language_and_theme_are_kept(person: Person, client: TestClient) -> None:
    ana = person("Ana")
    assert ana.post("/preferences", data={"lang": "es", "next": "/account"}).headers["location"] == "/account"
    assert ana.patch("/api/account", json={"theme": "dark"}).json()["lang"] == "es"
    page = ana.get("/account").text
    assert '<html lang="es" data-theme="dark" ' in page
    assert "Contraseña" in page
    client.post("/preferences", data={"lang": "es"})
    client.post("/preferences", data={"theme": "contrast"})
    assert '<html lang="es" data-theme="contrast" ' in client.get("/sign-in").text


def test_a_deleted_account_leaves_a_row_that_names_nobody(person: Person, client: TestClient) -> None:
    ana = person("Ana")
    refused = ana.post("/account/delete", data={"password": "wrong"})
    assert (refused.status_code, "This is not your present password" in refused.text) == (400, True)
    assert ana.post("/account/delete", data={"password": PASSWORD}).headers["location"] == "/"
    assert ana.get("/api/account").status_code == 401
    assert client.post("/api/session", json={"name": "Ana", "password": PASSWORD}).status_code == 400
    assert client.get("/players/Ana").status_code == 404
    person("Ana")


def test_redirects_stay_on_this_site(client: TestClient) -> None:
    for to in ("//evil.example", "https://evil.example", "/\\evil.example"):
        assert client.post("/preferences", data={"next": to}).headers["location"] == "/"


@pytest.mark.anyio
async def test_two_at_once_get_one_name(db: Database) -> None:
    new = SignUp(name="Ana", password=PASSWORD)
    async with db.sessions() as first, db.sessions() as second:
        await service.sign_up(first, new, "en")
        await first.commit()
        await second.begin()
        with pytest.raises(Conflict):
            await service.sign_up(second, new, "en")


@pytest.mark.anyio
async def test_links_work_once_and_the_newest_only(db: Database) -> None:
    async with db.begin() as session:
        old = await service.first_admin_link(session)
        new = await service.first_admin_link(session)
        assert old
        assert new
        ana = await service.sign_up(session, SignUp(name="Ana", password=PASSWORD), "en")
        with pytest.raises(NotFound):
            await service.become_first_admin(session, ana, old)
        await service.become_first_admin(session, ana, new)
        assert ana.is_admin
        assert await service.first_admin_link(session) is None
        with pytest.raises(NotFound):
            await service.become_first_admin(session, ana, new)


def test_an_admin_makes_admins_and_password_links(person: Person, client: TestClient, api: FastAPI) -> None:
    async def link() -> str | None:
        async with api.state.db.begin() as session:
            return await service.first_admin_link(session)

    ana, bea = person("Ana"), person("Bea")
    assert bea.get("/admin").status_code == 403
    assert client.get("/admin").headers["location"] == "/sign-in?next=/admin"
    assert client.portal is not None
    token = client.portal.call(link)
    assert "You are signed in as Ana" in ana.get(f"/first-admin/{token}").text
    assert ana.post(f"/first-admin/{token}").headers["location"] == "/admin"
    assert client.get(f"/first-admin/{token}").status_code == 404
    assert ana.delete("/api/account", params={}).status_code == 422
    assert ana.request("DELETE", "/api/account", json={"password": PASSWORD}).json()["error"]["key"] == (
        "account.last_admin"
    )
    page = ana.post("/admin/users/2/reset").text
    reset = page.partition("testserver")[2].partition("<")[0]
    assert client.post(reset, data={"new": "short"}).status_code == 422
    assert client.post(reset, data={"new": "my new password"}).headers["location"] == "/"
    assert client.get("/api/account").json()["name"] == "Bea"
    assert bea.get("/api/account").status_code == 401
    assert client.get(reset).status_code == 404
    assert ana.post("/admin/users/2/roles", data={"roles": "admin"}).headers["location"] == "/admin/users/2"
    assert client.get("/admin").status_code == 200
