"""Profiles, friends, blocks, invitations: by role, in forms and over HTTP."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from app import texts
from app.accounts.models import User
from app.config import ROOT
from app.db import Database
from app.leagues.blocks import blocked
from tests.app.test_lobby import create, lobby

Person = Callable[[str], TestClient]


def post(browser: TestClient, address: str, expect: int = 303, **fields: Any) -> str:
    answer = browser.post(address, data=fields)
    assert answer.status_code == expect, answer.text
    return answer.text


def news(browser: TestClient) -> list[str]:
    return [one["text"] for one in browser.get("/api/notices").json()["news"]]


@pytest.fixture
def two(person: Person) -> tuple[TestClient, TestClient]:
    return person("Ana"), person("Bea")


# -- profiles ----------------------------------------------------------------------------------------

PROFILE: dict[str, Any] = {"about": "I like rivers.", "languages": "es, PT-br", "zone": "America/Asuncion",
                           "seen_by": "all", "messages_from": "friends", "invited_by": "nobody"}  # fmt: skip


def test_a_profile_tells_what_its_owner_wants(two: tuple[TestClient, TestClient], client: TestClient) -> None:
    ana, _ = two
    before = client.get("/api/players/Ana").json()
    assert (before["about"], before["languages"], before["zone"], before["seen_at"]) == ("", [], "", None)
    post(ana, "/account/profile", **PROFILE)
    after = client.get("/api/players/Ana").json()
    assert (after["about"], after["zone"]) == ("I like rivers.", "America/Asuncion")
    assert after["languages"] == ["es", "pt-BR"]
    assert after["seen_at"]
    page = client.get("/players/Ana").text
    assert "I like rivers." in page
    assert "Portuguese (Brazil)" in page
    assert "/players/Ana/block" not in page
    assert 'href="/account/profile"' in ana.get("/players/Ana").text


@pytest.mark.parametrize(
    ("wrong", "status"),
    [({"zone": "Mars/Base"}, 400), ({"languages": "klingonese"}, 400), ({"languages": ",".join("abcdefghi")}, 400),
     ({"about": "x" * 2001}, 422), ({"seen_by": "me"}, 422), ({"about": "a\0b"}, 400)],
)  # fmt: skip
def test_a_profile_that_can_not_be_is_refused(person: Person, wrong: dict[str, str], status: int) -> None:
    ana = person("Ana")
    assert 'class="alert"' in post(ana, "/account/profile", status, **PROFILE | wrong)
    assert ana.get("/api/players/Ana").json()["zone"] == ""


def test_what_one_tells_of_oneself_is_text(person: Person) -> None:
    ana = person("Ana")
    post(ana, "/account/profile", **PROFILE | {"about": "<script>1</script>"})
    assert "<script>1" not in ana.get("/players/Ana").text


def test_only_games_against_others_are_won(two: tuple[TestClient, TestClient]) -> None:
    ana, bea = two
    create(ana, visibility="open")
    game = lobby(bea)["open"][0]["id"]
    bea.post(f"/api/games/{game}/join", json={"seat": "allied"})
    assert bea.post(f"/api/games/{game}/resign", json={}).status_code == 204
    alone = create(ana, opponent="both").rpartition("/")[2]
    assert ana.post(f"/api/games/{alone}/resign?seat=allied", json={}).status_code == 204
    profile = ana.get("/api/players/Ana").json()
    assert (profile["finished"], profile["won"]) == (2, 1)


# -- friends -----------------------------------------------------------------------------------------


def test_friends_ask_accept_and_part(two: tuple[TestClient, TestClient], person: Person) -> None:
    ana, bea = two
    eva = person("Eva")
    post(ana, "/players/Bea/befriend")
    assert news(bea) == ["Ana wants to be your friend."]
    assert "Asked by you" in ana.get("/friends").text
    assert "Want to be your friends" in bea.get("/friends").text
    post(ana, "/players/Bea/befriend")  # once more changes nothing: it is hers to accept
    assert "here now" not in ana.get("/friends").text
    post(bea, "/players/Ana/befriend?back=friends")
    assert news(ana) == ["Bea and you are friends now."]
    assert "here now" in ana.get("/friends").text
    assert ana.get("/api/players/Bea").json()["seen_at"]
    assert eva.get("/api/players/Bea").json()["seen_at"] is None
    post(bea, "/account/profile", seen_by="nobody")
    assert "here now" not in ana.get("/friends").text
    post(ana, "/players/Bea/part")
    assert "No friends yet" in bea.get("/friends").text


def test_games_of_friends_come_first(two: tuple[TestClient, TestClient], person: Person) -> None:
    ana, bea = two
    create(ana, visibility="open")
    create(person("Eva"), visibility="open")
    assert [card["created_by"] for card in lobby(bea)["open"]] == ["Eva", "Ana"]
    post(ana, "/players/Bea/befriend")
    post(bea, "/players/Ana/befriend")
    assert [card["created_by"] for card in lobby(bea)["open"]] == ["Ana", "Eva"]


# -- blocks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocker", ["Ana", "Bea"])
def test_blocked_pairs_do_not_meet(two: tuple[TestClient, TestClient], blocker: str) -> None:
    ana, bea = two
    create(ana, visibility="open")
    game = lobby(bea)["open"][0]["id"]
    one, other = (ana, "Bea") if blocker == "Ana" else (bea, "Ana")
    post(ana, "/players/Bea/befriend")
    post(one, f"/players/{other}/block")
    assert lobby(bea)["open"] == []
    assert bea.get(f"/games/{game}/join").status_code == 404
    assert bea.post(f"/api/games/{game}/join", json={"seat": "allied"}).status_code == 404
    assert bea.post(f"/games/{game}/join", data={"seat": "allied"}).status_code == 404
    post(ana, f"/games/{game}/invite", 403, player="Bea")
    for browser, name in ((ana, "Bea"), (bea, "Ana")):
        post(browser, f"/messages/{name}", 403, text="Hello")
        post(browser, f"/players/{name}/befriend", 403)
    assert "Asked by you" not in ana.get("/friends").text
    post(one, f"/players/{other}/unblock")
    assert len(lobby(bea)["open"]) == 1
    assert bea.post(f"/api/games/{game}/join", json={"seat": "allied"}).status_code == 200


@pytest.mark.anyio
async def test_leagues_learn_of_blocks(two: tuple[TestClient, TestClient], db: Database) -> None:
    ana, bea = two
    post(ana, "/players/Bea/block")
    async with db.begin() as session:
        one, other = await session.scalars(select(User.id).where(User.name.in_(["Ana", "Bea"])).order_by(User.name))
        assert await blocked(session, [one, other, 999]) == {(one, other)}
        assert await blocked(session, [other, 999]) == set()
    assert "You have blocked Bea" in ana.get("/players/Bea").text
    assert "You have blocked" not in bea.get("/players/Ana").text


def test_nobody_blocks_or_befriends_oneself_or_nobody(person: Person, client: TestClient) -> None:
    ana = person("Ana")
    for act in ("block", "befriend", "part", "unblock"):
        post(ana, f"/players/Ana/{act}", 400)
        post(ana, f"/players/Nobody/{act}", 404)
        assert client.post(f"/players/Ana/{act}").headers["location"].startswith("/sign-in")
    post(ana, "/players/Ana/praise", 404)


# -- invitations -------------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", ["private", "open"])
def test_an_invitation_opens_the_game_to_the_invited(
    two: tuple[TestClient, TestClient], person: Person, visibility: str
) -> None:
    ana, bea = two
    at = create(ana, visibility=visibility)
    game = at.split("/")[2]
    post(ana, f"/games/{game}/invite", player="bea")
    assert "no answer yet" in ana.get(at).text
    assert news(bea) == ["Ana invites you to a game."]
    (invitation,) = lobby(bea)["invitations"]
    assert bea.get(invitation["link"]).status_code == 200
    assert "Ana invites you." in bea.get("/").text
    assert lobby(person("Eva"))["invitations"] == []
    post(ana, f"/games/{game}/invite", 409, player="Bea")
    post(bea, f"/games/{game}/join", seat="allied", token=invitation["token"])
    assert lobby(bea)["invitations"] == []
    assert lobby(bea)["mine"][0]["state"] == "active"
    post(ana, f"/games/{game}/invite", 409, player="Eva")


def test_a_declined_invitation_is_told_once(two: tuple[TestClient, TestClient], person: Person) -> None:
    ana, bea = two
    game = create(ana).split("/")[2]
    post(bea, f"/games/{game}/invite", 404, player="Ana")
    post(ana, f"/games/{game}/invite", player="Bea")
    (invitation,) = lobby(bea)["invitations"]
    post(person("Eva"), f"/invitations/{invitation['id']}/decline", 404)
    for _ in range(2):
        post(bea, f"/invitations/{invitation['id']}/decline")
    (told,) = news(ana)
    assert told.endswith(": Bea has declined your invitation.")
    assert lobby(bea)["invitations"] == []
    assert "declined" in ana.get(f"/games/{game}/join").text


def test_who_wants_no_invitations_gets_none(two: tuple[TestClient, TestClient]) -> None:
    ana, bea = two
    game = create(ana).split("/")[2]
    post(bea, "/account/profile", invited_by="friends")
    post(ana, f"/games/{game}/invite", 403, player="Bea")
    post(ana, "/players/Bea/befriend")
    post(bea, "/players/Ana/befriend")
    post(ana, f"/games/{game}/invite", player="Bea")


# -- pages and texts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/friends", "/messages", "/account/profile", "/account/export", "/report?player=Ana"])
def test_strangers_sign_in_first(client: TestClient, path: str) -> None:
    assert client.get(path).headers["location"].startswith("/sign-in?next=")


def test_every_text_is_there_in_every_language() -> None:
    used: set[str] = set()
    for path in (*(ROOT / "templates/community").glob("*.html"), *(ROOT / "app/community").glob("*.py"),
                 ROOT / "templates/lobby/player.html"):  # fmt: skip
        used |= set(re.findall(r"""["'](community\.\w+[a-z])["']""", path.read_text()))
    assert len(used) > 60
    for lang in texts.LANGUAGES:
        assert used - texts.site(lang).keys() == set()
        assert len({key for key in texts.site(lang) if key.startswith("community.")}) >= len(used)


@pytest.mark.parametrize(
    "path", ["/players/%00", "/api/games/%00", "/games/a%00b/join", "/api/players/x?y=%00", "/sign-in?next=%00"]
)
def test_a_nul_in_an_address_is_refused(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 400


def test_what_the_database_can_not_hold_is_refused(person: Person) -> None:
    ana = person("Ana")
    assert ana.post("/api/session", json={"name": "a\0b", "password": "x"}).status_code == 400
    assert ana.get("/report?message=99999999999999999999").status_code in {400, 404}
    post(ana, f"/invitations/{10**20}/decline", 400)
