"""One PostgreSQL for the whole run; each test that asks gets a database of its own, copied from a migrated one."""

import itertools
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fastapi import FastAPI
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from starlette.testclient import TestClient
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

from app import postgres
from app.accounts import passwords
from app.accounts import service as accounts
from app.config import Settings
from app.db import Database, migrate
from app.main import create_app, furnish
from app.reactions import BORNE
from app.sheet import raster

PASSWORD = "correct horse battery"
_numbers = itertools.count()
BROWSERS, SERVER = "tests/browser/", "tests/app/"
LONGEST = ("tests/app/test_year.py", "tests/test_house.py")  # files that begin first, so that none is waited for alone


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests that take minutes")


class Together(LoadFileScheduling):  # type: ignore[misc]
    """Browsers stay in one process: two at once are slow to answer. The server's tests go to the others, since a
    browser's loop runs as long as its process and lets no other begin; files of rules to whichever is free."""

    def _split_scope(self, nodeid: str) -> str:
        return BROWSERS if nodeid.startswith(BROWSERS) else super()._split_scope(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        scope = self._fitting(node)
        assert scope is not None
        self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)

    def _reschedule(self, node: Any) -> None:
        if self.workqueue and self._fitting(node) is None:
            node.shutdown()  # when it has done what it has
        else:
            super()._reschedule(node)

    def _fitting(self, node: Any) -> str | None:
        """What a process does next: the browsers, if nobody has them yet; never the server's files after them."""
        if BROWSERS in self.workqueue:
            return BROWSERS
        mine = self.assigned_work[node]
        return next((scope for scope in self.workqueue if BROWSERS not in mine or not scope.startswith(SERVER)), None)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Together:
    return Together(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    if config.getoption("--long"):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in set(long)]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Says what was not checked for want of a tool."""
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        if "NOT CHECKED" in reason:
            terminalreporter.write_line(reason.removeprefix("Skipped: "), yellow=True, bold=True)
            return


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def _patient() -> None:
    """A picture may take longer than anybody would wait for it: the machine may be slow and loaded."""
    raster.PATIENCE = 600.0


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A throw-away server in memory, with a migrated database `template_mariscal`."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="mariscal-test-", dir=memory if memory.is_dir() else None))
    folder.chmod(0o755)
    try:
        with postgres.running(folder / "postgres", durable=False) as server:
            _execute(server, "CREATE DATABASE template_mariscal")
            migrate(server.url("template_mariscal"))
            yield server
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def database_url(postgres_server: postgres.Server) -> Iterator[str]:
    """An empty, migrated database."""
    with copied(postgres_server) as name:
        yield postgres_server.url(name)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, database_url=database_url, secret_key="known to the tests",
                    reached="http://testserver")  # fmt: skip


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    """The database for tests of services; they are marked `anyio`."""
    database = Database(database_url, BORNE)
    yield database
    await database.close()


@pytest.fixture(scope="session")
def application() -> FastAPI:
    """Built once, since its routes take longer to read than most tests."""
    return create_app(Settings(database_url="postgresql://"))


@pytest.fixture
def api(application: FastAPI, settings: Settings) -> FastAPI:
    """The application at the test's own database."""
    furnish(application, settings)
    return application


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hashes that cost nothing."""
    real = passwords._hasher
    passwords._hasher = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    yield
    passwords._hasher = real


@pytest.fixture
def client(api: FastAPI) -> Iterator[TestClient]:
    """A browser that nobody signed in with, on a running application."""
    with TestClient(api, follow_redirects=False) as browser:
        yield browser


@pytest.fixture
def person(client: TestClient, api: FastAPI) -> Callable[[str], TestClient]:
    """`person("Ana")` signs up and gives Ana's browser, on the same running application."""
    return partial(signed_up, client, api)


def another(client: TestClient, api: FastAPI) -> TestClient:
    """One more browser on the application that runs in the client's."""
    browser = TestClient(api, follow_redirects=False)
    browser.portal = client.portal
    return browser


def signed_up(client: TestClient, api: FastAPI, name: str) -> TestClient:
    browser = another(client, api)
    answer = browser.post("/api/account", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    return browser


def with_mail(browser: TestClient, mail: str) -> None:
    """Gives a browser's account a mail address that was proved before."""

    async def give(name: str) -> None:
        async with browser.app.state.db.begin() as session:  # type: ignore[attr-defined]
            user = await accounts.account_of(session, name)
            assert user is not None
            user.mail = mail

    assert browser.portal is not None
    browser.portal.call(give, browser.get("/api/account").json()["name"])


def prove(browser: TestClient) -> None:
    token = link_of(browser, browser.get("/api/account").json()["name"])
    assert browser.post(f"/account/mail/{token}").status_code == 303


def link_of(browser: TestClient, name: str) -> str | None:
    """The secret of the link that a mail would bring to somebody's new address."""

    async def link() -> str | None:
        async with browser.app.state.db.begin() as session:  # type: ignore[attr-defined]
            user = await accounts.account_of(session, name)
            assert user is not None
            return await accounts.mail_link(session, user)

    assert browser.portal is not None
    return browser.portal.call(link)


@contextmanager
def copied(server: postgres.Server, template: str = "template_mariscal") -> Iterator[str]:
    """The name of a copy of a database to which nobody is connected; it is dropped in the end."""
    name = f"t{os.getpid()}_{next(_numbers)}"
    _execute(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    yield name
    _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


def _execute(server: postgres.Server, statement: str) -> None:
    with psycopg.connect(host=str(server.sockets), user="mariscal", dbname="postgres", autocommit=True) as connection:
        connection.execute(statement.encode())
