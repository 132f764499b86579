"""A moderator's rights, address by address: what one may who may nothing else, and how far it goes."""

from tests.app.access.stage import ROLES, Stage
from tests.app.access.table import ROUTES, WHY

MORE = [
    ("GET", "/games/{game_id}/audit"),
    ("POST", "/api/games/{game_id}/mending/rule"),
    ("POST", "/games/{game_id}/broken/rule"),
    ("GET", "/reports"),
    ("POST", "/reports/{report_id}"),
    ("GET", "/api/reports"),
    ("POST", "/api/reports/{report_id}"),
    ("GET", "/admin"),
    ("GET", "/admin/users/{user_id}"),
    ("GET", "/admin/games"),
    ("GET", "/admin/games/{game_id}"),
    ("GET", "/admin/audit"),
    ("POST", "/admin/users/{user_id}/ban"),
    ("POST", "/admin/users/{user_id}/unban"),
]


def test_a_moderator_may_what_is_listed_here_and_else_what_anybody_may() -> None:
    """By the table that `test_routes` holds the server to; everybody is tried at these doors, also in a sample."""
    who = {(method, path): dict(zip(ROLES, letters, strict=True)) for method, path, letters, *_ in ROUTES}
    more = [one for one, may in who.items() if may["moderator"] == "A" != may["other"]]
    assert sorted(more) == sorted(MORE)
    less = {path for (_, path), may in who.items() if may["other"] == "A" != may["moderator"]}
    assert less == {"/games/{game_id}/leave", "/api/invitations/{invitation_id}/decline",
                    "/invitations/{invitation_id}/decline"}, "what is the other's own"  # fmt: skip


def test_it_does_not_reach_those_who_have_a_role(stage: Stage) -> None:
    """They are neither banned nor let in again by a moderator, nor the moderator by himself."""
    for name, banned in (("Dirk", "null"), ("Adam", "null"), ("Mona", "null"), ("Dirk", "'by an admin'")):
        stage.sql(f"update users set ban_reason = {banned} where name = '{name}'")
        number = stage.sql(f"select id from users where name = '{name}'")[0][0]
        deed = "unban" if banned != "null" else "ban"
        answer = stage.send("moderator", "POST", f"/admin/users/{number}/{deed}", WHY)
        assert answer.status_code == 403, (name, deed)
        page = stage.send("moderator", "GET", f"/admin/users/{number}").text
        assert f"/admin/users/{number}/{deed}" not in page
    assert stage.sql("select ban_reason from users where name = 'Dirk'") == [("by an admin",)]


def test_a_moderator_sees_no_mail_address_and_not_who_reported_him(stage: Stage) -> None:
    stage.sql("update users set mail = lower(name) || '@example.org'")
    about = stage.sql("select id from users where name = 'Mona'")[0][0]
    stage.sql(f"""insert into reports (kind, by_user, about_user, reason)
        values ('player', {stage.at["otto"]}, {about}, 'She bans her friends'' rivals')""")
    pages = [path for method, path in MORE if method == "GET"]
    for path in pages:
        at = path.replace("{user_id}", stage.at["ana"]).replace("{game_id}", stage.at["game"])
        seen = stage.send("moderator", "GET", at)
        assert seen.status_code == 200, path
        assert "@example.org" not in seen.text, path
        assert "rivals" not in seen.text, path
    assert "rivals" in stage.send("admin", "GET", "/reports").text
    assert "ana@example.org" in stage.send("admin", "GET", f"/admin/users/{stage.at['ana']}").text


def test_a_role_that_is_taken_away_is_gone_with_the_next_request(stage: Stage) -> None:
    assert stage.send("moderator", "GET", "/admin").status_code == 200
    stage.sql("update users set roles = '{}' where name = 'Mona'")
    for path in ("/admin", "/reports", "/admin/audit"):
        assert stage.send("moderator", "GET", path).status_code == 403
    assert stage.send("moderator", "POST", f"/admin/users/{stage.at['cleo']}/ban", WHY).status_code == 403
