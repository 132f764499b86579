"""Real proxies, set up as docs/hosting.md says, in front of two server processes on one database: played through them
over TLS by two people at addresses of their own, and one of the servers killed in mid-game."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from app.config import ROOT
from tests.app.test_kill import easy
from tests.app.test_serve import Served, data, serving
from tests.app.toy_table import NONCES, new_key
from tests.conftest import PASSWORD

__all__ = ["data"]

pytestmark = pytest.mark.long
PATIENCE = 30.0
ANSWERS = 12  # before a server is killed, and after
SEATS = ("paraguay", "allied")


def advised(language: str) -> str:
    """A proxy's configuration as docs/hosting.md has it."""
    found = re.search(rf"```{language}\n(.*?)```", (ROOT / "docs/hosting.md").read_text(), re.S)
    assert found, language
    return found[1]


def certificate(folder: Path) -> tuple[Path, Path]:
    """Of this machine, signed by itself."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.now(UTC)
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=True)
            .sign(key, hashes.SHA256()))  # fmt: skip
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (folder / "cert.pem").write_bytes(made.public_bytes(Encoding.PEM))
    return folder / "cert.pem", folder / "key.pem"


def nginx(folder: Path, port: int, servers: list[int]) -> list[str]:
    cert, key = certificate(folder)
    site = advised("nginx").replace("listen 443", f"listen 127.0.0.1:{port}")
    site = site.replace("server_name games.example.org", "server_name 127.0.0.1")
    site = re.sub(r"ssl_certificate \S+;", f"ssl_certificate {cert};", site)
    site = re.sub(r"ssl_certificate_key \S+;", f"ssl_certificate_key {key};", site)
    for told, there in zip(("8001", "8002"), servers, strict=True):
        site = site.replace(f"127.0.0.1:{told};", f"127.0.0.1:{there};")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"{'user root;' if os.geteuid() == 0 else ''} daemon off; pid {folder}/pid; error_log {folder}/log;\n"
        f"events {{}}\nhttp {{ access_log off; {paths} {site} }}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, servers: list[int]) -> list[str]:
    cert, key = certificate(folder)
    site = advised("caddy").replace("games.example.org {", f"https://127.0.0.1:{port} {{\n\ttls {cert} {key}", 1)
    for told, there in zip(("8001", "8002"), servers, strict=True):
        site = site.replace(f"127.0.0.1:{told}", f"127.0.0.1:{there}")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{site}")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@pytest.fixture(params=[nginx, caddy], ids=lambda proxy: proxy.__name__)
def house(
    request: pytest.FixtureRequest, data: Path, database_url: str, tmp_path: Path
) -> Iterator[tuple[str, list[Served]]]:
    """The proxy's address, and the servers behind it."""
    if shutil.which(request.param.__name__, path=f"{os.environ['PATH']}:/usr/sbin") is None:
        pytest.skip(f"NOT CHECKED: there is no {request.param.__name__}")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"https://127.0.0.1:{port}"
    where = {"DATABASE_URL": database_url, "MARISCAL_SECRET_KEY": "one for all", "MARISCAL_URL": url}
    with contextlib.ExitStack() as running:
        with ThreadPoolExecutor(2) as together:
            servers = list(together.map(
                lambda n: running.enter_context(serving(data.with_name(f"server-{n}"), where)), range(2)))  # fmt: skip
        command = request.param(tmp_path, port, [httpx.URL(one.url).port or 0 for one in servers])
        environment = os.environ | {"PATH": f"{os.environ['PATH']}:/usr/sbin", "XDG_DATA_HOME": str(tmp_path)}
        with (tmp_path / "words").open("wb") as words:
            proxy = subprocess.Popen(command, stdout=words, stderr=words, env=environment)
        running.callback(proxy.wait, 10)
        running.callback(proxy.terminate)
        until(lambda: reached(url), lambda: (tmp_path / "words").read_text())
        yield url, servers


def reached(url: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{url}/health", verify=False).status_code == 200
    return False


def until(done: Callable[[], Any], said: Callable[[], str] = str) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := done()):
        assert time.monotonic() < end, said()
        time.sleep(0.05)
    return found


@dataclass
class Player:
    """A person with a browser at an address of this machine's own; `heard` is what its line has brought."""

    held: contextlib.ExitStack
    url: str
    name: str
    seat: str
    at: str
    game: str = ""
    line: ClientConnection | None = None
    heard: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        transport = httpx.HTTPTransport(verify=False, local_address=self.at)
        self.browser = self.held.enter_context(
            httpx.Client(base_url=self.url, transport=transport, timeout=PATIENCE))  # fmt: skip
        self.call("POST", "/api/account", {"name": self.name, "password": PASSWORD})

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """As a page of the site calls, without what newer browsers say of its origin."""
        answer = self.browser.request(method, path, json=body, headers={"Origin": self.url})
        assert answer.is_success, (method, path, answer.status_code, answer.text[:300])
        return answer.json() if answer.content else None

    def of_game(self, method: str, path: str, body: Any = None) -> Any:
        return self.call(method, f"/api/games/{self.game}{path}?seat={self.seat}", body)

    def cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())

    def open(self, url: str | None = None, **headers: str) -> ClientConnection:
        """A line by the proxy, or straight to a server."""
        context = None
        if url is None:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        where = (url or self.url).replace("http", "ws", 1)
        return self.held.enter_context(connect(
            f"{where}/api/games/{self.game}/socket?seat={self.seat}", ssl=context, max_size=None,
            additional_headers={"Cookie": self.cookies(), **headers},
            origin=Origin(self.url) if url is None else None))  # fmt: skip

    def take(self, fits: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any]:
        """The next message that fits; opens the line anew when it was lost."""
        while True:
            if self.line is None:
                self.line = self.open()
            try:
                message: dict[str, Any] = json.loads(self.line.recv(PATIENCE))
            except ConnectionClosed:
                self.line = None
                continue
            self.heard.append(message)
            if fits(message):
                return message

    def hear(self, kind: str) -> dict[str, Any]:
        return self.take(lambda message: message["type"] == kind)

    def hear_upto(self, seq: int) -> None:
        """Until its line has told an entry, in news or in the whole view."""
        if not any(_tells(message) >= seq for message in self.heard):
            self.take(lambda message: _tells(message) >= seq)

    def say(self, **message: Any) -> None:
        if self.line is None:
            self.hear("view")
        assert self.line is not None
        self.line.send(json.dumps(message))

    def answer(self, said: Mapping[str, Any], by_line: bool) -> int:
        """By the line, or over HTTP, and so when the line dies before the reply; sent again with its key until somebody
        acknowledges it. The entry."""
        if by_line:
            try:
                self.say(type="answer", n=1, **said)
                assert self.line is not None
                while (message := json.loads(self.line.recv(PATIENCE)))["type"] != "answer":
                    self.heard.append(message)
                return int(message["seq"])
            except ConnectionClosed:
                self.line = None
        return int(until(lambda: self._posted(said)))

    def _posted(self, said: Mapping[str, Any]) -> int | None:
        with contextlib.suppress(httpx.TransportError):
            return int(self.of_game("POST", "/answers", said)["seq"])
        return None


def _tells(message: Mapping[str, Any]) -> int:
    if message["type"] in ("view", "taken_back"):
        return int(message["view"]["seq"])
    return max((int(entry["seq"]) for entry in message.get("entries", ())), default=0)


def seated(held: contextlib.ExitStack, url: str) -> tuple[Player, Player]:
    """Two people at a game whose dice are sealed, each with a line."""
    both = ana, bea = Player(held, url, "Ana", SEATS[0], "127.0.0.2"), Player(held, url, "Bea", SEATS[1], "127.0.0.3")
    made = ana.call("POST", "/api/games", {"title": "triple_alliance", "scenario": "war", "seat": SEATS[0],
                                           "opponent": "person", "visibility": "private",
                                           "policy": "run_and_consent"})  # fmt: skip
    ana.game = bea.game = made["id"]
    bea.call("POST", f"/api/games/{bea.game}/join", {"seat": bea.seat, "token": made["join_token"]})
    for one in both:
        one.hear("view")
    nonces = dict(zip(SEATS, NONCES.values(), strict=True))
    for one in both:
        one.of_game("POST", "/dice", {"hash": hashlib.sha256(bytes.fromhex(nonces[one.seat])).hexdigest()})
    for one in both:
        one.of_game("POST", "/dice", {"nonce": nonces[one.seat]})
    return both


def asked(both: tuple[Player, Player]) -> tuple[Player, dict[str, Any]] | None:
    with contextlib.suppress(httpx.TransportError):
        seen = [(one, one.of_game("GET", "/view")["request"]) for one in both]
        return next(((one, request) for one, request in seen if request and "forms" in request), None)
    return None


def answer(both: tuple[Player, Player], by_line: bool) -> tuple[Player, int]:
    """One answer of which both hear; who gave it, and its entry."""
    who, request = until(lambda: asked(both))
    seq = who.answer({"seq": request["seq"], "key": new_key(), "answer": easy(request)}, by_line)
    for one in both:
        one.hear_upto(seq)
    return who, seq


def pages(ana: Player) -> None:
    """As over https, with the cookie that only https has; style sheets and scripts of the game's page as well."""
    assert [*ana.browser.cookies] == ["__Host-session", "__Host-known"]
    page = ana.browser.get(f"/games/{ana.game}")
    assert (page.status_code, page.headers["strict-transport-security"]) == (200, "max-age=31536000")
    linked = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text))
    assert len(linked) > 3
    for path in ("/", "/games/new", f"/games/{ana.game}/clock", *linked):
        assert ana.browser.get(path).status_code == 200, path
    head = ana.browser.head("/")
    assert (head.status_code, head.content) == (200, b"")
    assert ana.browser.post("/preferences", data={"theme": "dark", "next": "/about"}).headers["location"] == "/about"
    refused = ana.browser.post("/preferences", data={"theme": "dark"}, headers={"Origin": "https://evil.example"})
    assert refused.status_code == 403


def chat(ana: Player, bea: Player) -> None:
    ana.of_game("POST", "/chat", {"text": "Good luck"})
    assert bea.hear("chat")["text"] == "Good luck"
    bea.of_game("POST", "/chat", {"text": "To you, too"})
    assert ana.take(lambda message: message.get("text") == "To you, too")["type"] == "chat"


def take_back(both: tuple[Player, Player]) -> None:
    who, _ = answer(both, by_line=True)
    offer = who.of_game("GET", "/take-back")
    to = offer["free"] or offer["consent"][-1]
    if not who.of_game("POST", "/take-back", {"to": to})["done"]:
        other = next(one for one in both if one is not who)
        other.of_game("POST", "/take-back/reply", {"yes": True})
    for one in both:
        assert one.hear("taken_back")["to"] == to


def sizes(ana: Player) -> None:
    """What is too large is refused by the servers, in their words; on a line as well, and it lives on."""
    for large, status, key in ((990_000, 422, "error.invalid_fields"), (1_000_100, 413, "error.too_large"),
                               (1_900_000, 413, "error.too_large")):  # fmt: skip
        told = ana.browser.put(f"/api/games/{ana.game}/notes?seat={ana.seat}", json={"text": "x" * large})
        assert (told.status_code, told.json()["error"]["key"]) == (status, key), large
    for large in (150_000, 300_000):
        ana.say(type="chat", n=large, text="x" * large)
        assert ana.hear("refused")["error"]["key"] == "games.bad_message"
    ana.say(type="ping", n=2)
    assert ana.hear("pong")["n"] == 2


def addresses(url: str) -> None:
    """A client counts by its own address, whatever it says of itself."""
    said = []
    for at, tries in (("127.0.0.4", 11), ("127.0.0.5", 1)):
        with httpx.Client(base_url=url, transport=httpx.HTTPTransport(verify=False, local_address=at)) as stranger:
            for n in range(tries):
                wrong = {"name": "Ana", "password": "wrong horse"}
                told = stranger.post("/api/session", json=wrong, headers={"X-Forwarded-For": f"192.0.2.{n}",
                                                                          "X-Real-IP": f"192.0.2.{n}"})  # fmt: skip
                said.append(told.status_code)
    assert said == [400] * 10 + [429, 400]


def _to_the_end(line: ClientConnection) -> None:
    while True:
        line.recv(PATIENCE)


def signed_out(bea: Player, servers: list[Served]) -> None:
    """Her lines end at both servers, whichever she tells."""
    lines = [bea.open(), *(bea.open(one.url, **{"X-Forwarded-Proto": "https"}) for one in servers)]
    for line in lines:
        assert json.loads(line.recv(PATIENCE))["type"] == "view"
    bea.call("DELETE", "/api/session")
    for line in lines:
        with pytest.raises(ConnectionClosed):
            _to_the_end(line)
    bea.call("POST", "/api/session", {"name": bea.name, "password": PASSWORD})


def test_two_servers_behind_a_proxy(house: tuple[str, list[Served]]) -> None:
    url, servers = house
    with contextlib.ExitStack() as held:
        both = ana, bea = seated(held, url)
        pages(ana)
        kept = [answer(both, by_line=n % 2 == 0)[1] for n in range(ANSWERS)]
        chat(ana, bea)
        take_back(both)
        sizes(ana)
        addresses(url)
        signed_out(bea, servers)
        servers[0].process.send_signal(signal.SIGKILL)
        kept += [answer(both, by_line=n % 2 == 0)[1] for n in range(ANSWERS)]
        record = {entry["seq"]: entry["kind"] for entry in ana.of_game("GET", "/record")["entries"]}
        assert [seq for seq in kept if record.get(seq) != "answer"] == []
        assert [*record] == [*range(1, max(record) + 1)]
