"""A server with a throw-away data folder and database, and a post office that takes its mails."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from app import postgres
from app.config import ROOT

ADMIN_LINK = re.compile(r"(/first-admin/\S+)")


@dataclass
class Server:
    """`url`: its address; `database`: its database's; `first_admin`: the path that makes an admin; `mails`: what it
    has sent, oldest first."""

    url: str
    database: str
    first_admin: str
    mails: list[EmailMessage] = field(default_factory=list)

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        """As the SMTP library calls it."""
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        return "250 taken"


def plain(mail: EmailMessage) -> str:
    """The part of a mail that is only text."""
    part = mail.get_body(("plain",))
    assert isinstance(part, EmailMessage)
    return str(part.get_content())


def rich(mail: EmailMessage) -> str:
    """The HTML part, with the pictures that came with it in their places."""
    part = mail.get_body(("html",))
    assert isinstance(part, EmailMessage)
    html = str(part.get_content())
    for one in mail.walk():
        if one.get_content_maintype() == "image":
            data = b64encode(one.get_payload(decode=True)).decode()  # type: ignore[arg-type]
            html = html.replace(f"cid:{one['Content-ID'].strip('<>')}", f"data:{one.get_content_type()};base64,{data}")
    return html


@contextmanager
def served() -> Iterator[Server]:
    """Gone afterwards, with all it held."""
    from aiosmtpd.controller import Controller

    with tempfile.TemporaryDirectory(prefix="mariscal-gallery-") as data, postgres.running(Path(data) / "db") as base:
        port, smtp = _free(), _free()
        server = Server(f"http://127.0.0.1:{port}", base.url(), "")
        office = Controller(server, hostname="127.0.0.1", port=smtp)
        office.start()
        settings = {
            "DATABASE_URL": server.database, "MARISCAL_URL": server.url, "MARISCAL_SMTP_HOST": "127.0.0.1",
            "MARISCAL_SMTP_PORT": str(smtp), "MARISCAL_SMTP_TLS": "off", "MARISCAL_NOTICE_DELAY": "1",
            "MARISCAL_SMTP_SENDER": "Mariscal <post@mariscal.example>",
        }  # fmt: skip
        command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port), "--data", data]
        with subprocess.Popen(command, cwd=ROOT, env=os.environ | settings, stderr=subprocess.PIPE, text=True) as child:
            assert child.stderr is not None
            try:
                for line in child.stderr:
                    if found := ADMIN_LINK.search(line):  # the last that it says
                        server.first_admin = found[1]
                        yield server
                        break
                else:
                    raise RuntimeError("the server did not start; try `./mariscal serve`")
            finally:
                child.send_signal(signal.SIGINT)
                child.communicate()
                office.stop()


def _free() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port
