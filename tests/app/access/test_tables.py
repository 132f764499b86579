"""The tables that admins read: who comes in, what is shown and, above all, what is not."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from app.operations.metrics import MOUNTED
from app.security import INLINE_HANDLERS, POLICY
from app.tables import PREFIX
from app.tables.columns import TABLES
from app.texts import LANGUAGES, site
from tests.app.access.stage import ROLES, Stage
from tests.app.access.test_guards import FOREIGN
from tests.app.access.test_routes import outcome

PLANTED = "planted-5e1f"
VALUES = {"text": f"'{PLANTED}' || ctid::text", "bytea": f"'{PLANTED}'::bytea",
          "jsonb": f"""'{{"planted": "{PLANTED}"}}'::jsonb"""}  # fmt: skip
CHECKED = {"games.data_digest"}  # a column that takes no other value; a hash of what all can read
SECRET = re.compile("hash|token|seed|secret|dice|notes|plans|bids|address|private|args|quote|told|settings|error|body")
CLOSED = (
    ("GET", "/users/create"), ("POST", "/users/create"), ("GET", "/users/edit?pk=1"), ("POST", "/users/edit?pk=1"),
    ("POST", "/_api/users/import"), ("POST", "/_api/users/action?name=delete&pks=1"),
    ("POST", "/_api/users/action?name=export&name=delete&pks=1"), ("POST", "/_api/users/row-action?name=delete&pk=1"),
    ("GET", "/_api/users/inline-edit?pk=1&field=name"), ("POST", "/_api/users/inline-edit?pk=1&field=name"),
    ("GET", "/_api/users/inline-edit/row?pk=1"), ("GET", "/_api/users/relation-lookup"), ("GET", "/login"),
    ("POST", "/logout"), ("GET", "/_files/x/y"), ("POST", "/users/list"), ("DELETE", "/users/list"),
)  # fmt: skip


def test_only_admins_come_in(stage: Stage) -> None:
    """And an admin who looks on as somebody does not."""
    letters = dict(zip(ROLES, "SFFFFFFAFF", strict=True))
    stage.touched()
    for path in ("/", "/users/list", "/users/detail?pk=1", "/static/js/list.js", "/_api/users/action?name=export"):
        method = "POST" if path.startswith("/_api") else "GET"
        for role in ROLES:
            assert outcome(stage.send(role, method, PREFIX + path)) in letters[role] + "F" * (method == "POST"), (
                f"{role}: {path}"
            )
    assert [what for what in stage.touched() if not what.endswith(" sessions")] == []


def test_nothing_can_be_done(stage: Stage) -> None:
    for method, path in CLOSED:
        stage.keep()
        stage.touched()
        assert stage.send("admin", method, PREFIX + path).status_code == 404, f"{method} {path}"
        assert stage.touched() == [], f"{method} {path}"


def test_the_database_itself_refuses_to_be_written_to(stage: Stage) -> None:
    browser = stage.browsers["admin"]
    stage.send("admin", "GET", f"{PREFIX}/users/list")  # loads the library
    from sqlalchemy import text
    from sqlalchemy.exc import DBAPIError

    door = next(route.app for route in browser.app.routes if getattr(route, "path", "") == PREFIX)  # type: ignore
    sessions = next(one.kwargs["session_provider"] for one in door.inner.user_middleware
                    if "session_provider" in one.kwargs)  # fmt: skip

    async def write() -> None:
        async with sessions() as session:
            await session.execute(text("update users set name = 'x'"))

    assert browser.portal is not None
    with pytest.raises(DBAPIError, match="read-only"):
        browser.portal.call(write)


def plant(stage: Stage) -> set[str]:
    """Puts a word into every column of the tables shown that holds text, bytes or JSON and isn't on the list."""
    done = set()
    for shown in TABLES.values():
        table = shown.table.name
        kinds = stage.sql(f"""select column_name, data_type from information_schema.columns
            where table_schema = 'public' and table_name = '{table}' and data_type in ('text', 'bytea', 'jsonb')""")
        for column, kind in kinds:
            name = f"{table}.{column}"
            if column not in shown.columns and name not in CHECKED:
                stage.sql(f'update {table} set "{column}" = {VALUES[kind]}')
                done.add(name)
    return done


def test_what_is_not_on_the_list_is_nowhere(stage: Stage) -> None:
    """Every list, row and export, also when other columns are asked for by name."""
    stage.sql(f"""insert into notice_deliveries (user_id, kind, name, notices, error)
        values ({stage.at["ana"]}, 'push', 'x', 1, 'x')""")
    stage.sql(f"""insert into reports (kind, by_user, about_user, reason, quote)
        values ('player', {stage.at["ana"]}, {stage.at["ana"]}, 'why', 'x')""")
    planted = plant(stage)
    assert planted >= {"users.password_hash", "games.dice_seed", "games.join_token", "seats.notes", "seats.plans",
                       "pairings.bids", "events.seed", "audit.args", "reports.quote", "notice_deliveries.error",
                       "procrastinate_jobs.args"}  # fmt: skip
    filled = 0
    for key, shown in TABLES.items():
        hidden = sorted(one.partition(".")[2] for one in planted if one.startswith(f"{shown.table.name}."))
        asked = "&".join(f"sort={one}__asc" for one in hidden) + f"&cols={','.join(hidden)}"
        pages = [f"{PREFIX}/{key}/list", f"{PREFIX}/{key}/list?{asked}"]
        listed = stage.send("admin", "GET", pages[0])
        rows = set(re.findall(rf"{PREFIX}/{key}/detail\?pk=[^\"&]+", listed.text))
        filled += bool(rows)
        for page in [*pages, *sorted(rows)[:2]]:
            answer = stage.send("admin", "GET", page)
            assert answer.status_code == 200, page
            assert PLANTED not in answer.text, page
        found = stage.send("admin", "GET", f"{PREFIX}/{key}/list?q={PLANTED}").text
        assert "detail?pk=" not in found, f"{key}: found by what is hidden"
        for one in hidden:
            told = stage.send("admin", "GET", f"{PREFIX}/{key}/list?filter={one}:contains:{PLANTED}")
            assert "detail?pk=" not in told.text, f"{key}: {one} can be asked"
        text = export(stage, key, fields=hidden)
        assert PLANTED not in text
        said = site("en")
        assert next(csv.reader(text.splitlines())) == [said[f"tables.of.{name}"] for name in shown.columns]
    assert filled > len(TABLES) / 2, "there was something to see"


def export(stage: Stage, key: str, **more: Any) -> str:
    """As the form of a page that was seen asks for it."""
    browser = stage.browsers["admin"]
    token = browser.cookies["starlette_admin_csrftoken"]
    said = {"format": "csv", "scope": "page", **more}
    answer = browser.post(f"{PREFIX}/_api/{key}/action?name=export", data=said, headers={"X-CSRFToken": token})
    assert answer.status_code == 200, answer.text
    return str(answer.content.decode("utf-8-sig"))


def test_nothing_is_asked_from_another_site(stage: Stage) -> None:
    """The export is the one form: with an admin's cookies and even the form's token; and it needs that token."""
    path = f"{PREFIX}/_api/users/action?name=export"
    said = {"format": "csv", "scope": "page"}
    stage.send("admin", "GET", f"{PREFIX}/users/list")
    browser = stage.browsers["admin"]
    token = {"X-CSRFToken": browser.cookies["starlette_admin_csrftoken"]}
    for headers in FOREIGN:
        refused = browser.post(path, data=said, headers={**token, **headers})
        assert (refused.status_code, "set-cookie" in refused.headers) == (403, False)
    assert browser.post(path, data=said).status_code == 403
    assert browser.post(path, data=said, headers=token).status_code == 200


def test_no_secret_has_a_place_on_the_list() -> None:
    for key, shown in TABLES.items():
        assert not [name for name in shown.columns if SECRET.search(name)], key


def test_what_is_asked_wrongly_is_no_fault_of_ours(stage: Stage) -> None:
    for path in ("/users/detail", "/users/detail?pk=x", "/users/detail?pk=99999999999999999999", "/seats/detail?pk=x",
                 "/nothing/list", "/messages/list", "/drafts/list", "/users/list?page=99999999999999999999",
                 "/users/list?page_size=-1", "/users/list?filter=id:eq:x", "/users/list?filter=((",
                 "/users/list?filter=id:eq:99999999999999999999"):  # fmt: skip
        assert stage.send("admin", "GET", PREFIX + path).status_code < 500, path


def test_the_policy_stays_strict(stage: Stage) -> None:
    """No inline code runs but the library's own; the nonce is another every time, and no data ever bears it."""
    stage.sql("update users set ban_reason = '<script>alert(1)</script>' where name = 'Bodo'")
    nonces = set()
    for _ in range(2):
        answer = stage.send("admin", "GET", f"{PREFIX}/users/list")
        policy = answer.headers["content-security-policy"]
        nonce = re.findall("'nonce-([^']+)'", policy)[0]
        nonces.add(nonce)
        assert set(POLICY.split("; ")) - set(policy.split("; ")) == {"script-src 'self'", "style-src 'self'"}
        assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")
        tags = re.findall(r"<(?:script|style)\b[^>]*>", answer.text)
        assert tags
        assert all(f'nonce="{nonce}"' in tag for tag in tags)
        assert "<script>alert" not in answer.text
        assert set(re.findall(r'\son\w+="([^"]*)"', answer.text)) <= set(INLINE_HANDLERS)
        assert not re.search(r"""(?:src|href)=["']?https?://(?!testserver)""", answer.text)
        assert "rsms.me" not in answer.text
    assert len(nonces) == 2
    assert stage.send("admin", "GET", "/admin").headers["content-security-policy"] == POLICY


def test_the_pages_speak_to_their_reader(stage: Stage) -> None:
    """In all they say, whatever the browser would like; times are those of the reader's zone."""
    stage.sql("update games set created_at = '2026-03-01 23:30+00'")
    words = {"en": ("Users", "To the site", "Columns", "Looks for a substitute", "Showing 1 to", "Mar 1, 2026"),
             "es": ("Usuarios", "Al sitio", "Columnas", "Busca suplente", "De 1 a", "1 mar 2026"),
             "it": ("Utenti", "Al sito", "Colonne", "Cerca un sostituto", "Da 1 a", "1 mar 2026"),
             "pt": ("Utilizadores", "Ao sítio", "Colunas", "Procura suplente", "A mostrar 1 a", "1 de mar. de 2026")}
    for lang, said in words.items():
        stage.sql(f"update users set lang = '{lang}', theme = 'dark' where name = 'Adam'")
        text = stage.send("admin", "GET", f"{PREFIX}/games/list", headers={"accept-language": "de"}).text
        assert f'<html lang="{lang}"' in text
        assert 'data-bs-theme="dark"' in text
        assert [one for one in said if one not in text] == []
        assert "rules_version</" not in text
    for zone, at in (("America/Asuncion", "1 de mar. de 2026 20:30"), ("Asia/Tokyo", "2 de mar. de 2026 08:30")):
        stage.browsers["admin"].cookies.set("zone", zone)  # beside the one that was sent last
        assert at in stage.browsers["admin"].get(f"{PREFIX}/games/list").text


def test_every_column_has_a_heading_in_words() -> None:
    for lang in LANGUAGES:
        said = site(lang)
        assert [name for shown in TABLES.values() for name in shown.columns if f"tables.of.{name}" not in said] == []


@pytest.mark.parametrize("lang", ["es", "it", "pt"])
def test_the_library_says_everything_in_our_languages(lang: str) -> None:
    """Whatever its templates for lists and rows, and its filters, can say; but for what is not offered here."""
    from starlette_admin import filters, i18n

    from app.tables.library import teach

    teach()
    folder = Path(i18n.__file__).parent
    unused = re.compile("create|edit|delete|import|inline|login|form|widget|error|field")
    sources = [path for some in ("*.html", "fields/list/*.html", "actions/export_form.html")
               for path in folder.glob(f"templates/{some}")]  # fmt: skip
    sources += Path(filters.__file__).parent.glob("*.py")
    said = {text for path in sources if not unused.search(path.stem.removeprefix("export_"))
            for _, text in re.findall(r"""\b_\(\s*(["'])(.+?)\1""", path.read_text())}  # fmt: skip
    said -= {"Admin", "Change language", "Change timezone", "Import", "New %(name)s"}
    assert len(said) > 60
    assert {text for text in said if i18n.translations[lang].ugettext(text) == text} == set()


def test_what_is_mended_in_the_librarys_templates_is_still_there() -> None:
    from starlette_admin import i18n

    from app.tables.library import MENDED

    source = "".join(path.read_text() for path in Path(i18n.__file__).parent.glob("templates/*.html"))
    assert [theirs for theirs, _ in MENDED if theirs not in source] == []


def test_they_count_as_one_route(stage: Stage) -> None:
    assert PREFIX in MOUNTED
    stage.send("admin", "GET", f"{PREFIX}/users/list")
    stage.send("admin", "GET", f"{PREFIX}/surely-unheard-of")
    metrics = stage.browsers["admin"].app.state.metrics  # type: ignore[attr-defined]
    routes = {sample.labels.get("route") for family in metrics.registry.collect() for sample in family.samples}
    assert PREFIX in routes
    assert not [route for route in routes if route and route.startswith(f"{PREFIX}/")]
    assert not [path for path in stage.send("admin", "GET", "/api/openapi.json").json()["paths"] if PREFIX in path]
