"""Other services by their Apprise address: Discord, Telegram, ntfy, Matrix, webhooks and two hundred more."""

import asyncio
import contextlib
import importlib
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from app.errors import Refused
from app.notifications import abroad
from app.notifications.sending import Message, NotSent
from app.notifications.services import allowed

if TYPE_CHECKING:
    from apprise import NotifyBase

LONGEST = 2000  # characters of an address
WORDS = 1500  # characters of a message: what the smallest of the services take


@cache
def _library() -> ModuleType:
    """Imported when first used, with all its services: it takes a while, and Python warns of a module that it only
    looks for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        library = importlib.import_module("apprise")
        library.Apprise.instantiate("json://localhost")
    return library


def _service(address: str) -> "NotifyBase | None":
    """What an address means, if it is a service spoken to over HTTP: nothing of this machine, no protocol whose
    connections can't be watched, no parameter that is not known to be harmless."""
    library = _library()
    parsed = importlib.import_module("apprise.plugins").url_to_dict(address)
    if not parsed:
        return None
    found: NotifyBase | None = library.Apprise.instantiate(dict(parsed), suppress_exceptions=True)
    if found is None or not hasattr(sys.modules[type(found).__module__], "requests"):
        return None
    return found if allowed(type(found).__name__, parsed) else None


def _memory() -> Any:
    return importlib.import_module("apprise.attachment.memory").AttachMemory


async def checked(address: str) -> str:
    """The name of the service that an address belongs to. Raises Refused when it is none, or leads to a private
    network."""
    if len(address) > LONGEST:
        raise Refused("notice.bad_service")
    service = await asyncio.to_thread(_service, address)
    if service is None:
        raise Refused("notice.bad_service")
    host = str(getattr(service, "host", None) or urlsplit(address).hostname or "").strip("[]")
    if host and await abroad.leads_inside(host):
        raise Refused("notice.private_service")
    return str(service.service_name)


async def send(address: str, message: Message) -> None:
    """Raises NotSent."""
    await abroad.call(lambda: _send(address, message))


def _send(address: str, message: Message) -> None:
    service, library = _service(address), _library()
    if service is None:
        raise NotSent("unknown address", for_good=True)
    pictures = [item.picture for item in message.items if item.picture] if service.attachment_support else []
    attached = library.AppriseAttachment()
    for n, picture in enumerate(pictures, 1):
        attached.add(_memory()(picture, name=f"position-{n}.png", mimetype="image/png"))
    with _said() as words:
        done = service.notify(title=message.subject, body=message.plain()[:WORDS],
                              attach=attached if pictures else None)  # fmt: skip
    if not done:
        raise NotSent(words[-1] if words else "not accepted")


class _Ear(logging.Handler):
    """Keeps what the library logs in one thread: others speak with other people's services meanwhile."""

    def __init__(self, words: list[str]) -> None:
        super().__init__()
        self.words, self.thread = words, threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self.thread:
            self.words.append(record.getMessage())


@contextlib.contextmanager
def _said() -> Iterator[list[str]]:
    words: list[str] = []
    ear, logger = _Ear(words), logging.getLogger("apprise")
    logger.addHandler(ear)
    try:
        yield words
    finally:
        logger.removeHandler(ear)
