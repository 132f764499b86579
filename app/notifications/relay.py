"""Other services by their Apprise address: Discord, Telegram, ntfy, Matrix, webhooks and two hundred more."""

import asyncio
import contextlib
import importlib
import socket
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from app.errors import Refused
from app.notifications.config import notice_settings
from app.notifications.sending import Message, NotSent, guarded, is_public

if TYPE_CHECKING:
    from apprise import NotifyBase

LONGEST = 2000  # characters of an address
WORDS = 1500  # characters of a message: what the smallest of the services take

_thread = ThreadPoolExecutor(1, "relay")  # one at a time, so that what the library says is about this one


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
    """What an address means, if it is a service spoken to over HTTP: nothing of this machine, and no protocol whose
    connections can't be watched."""
    found: NotifyBase | None = _library().Apprise.instantiate(address, suppress_exceptions=True)
    if found is None or not hasattr(sys.modules[type(found).__module__], "requests"):
        return None
    return found


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
    if host and not notice_settings().private:
        with contextlib.suppress(OSError):  # the name of a room or a user: nothing to connect to
            found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
            if not all(is_public(str(one[4][0])) for one in found):
                raise Refused("notice.private_service")
    return str(service.service_name)


async def send(address: str, message: Message) -> None:
    """Raises NotSent."""
    await asyncio.get_running_loop().run_in_executor(_thread, _send, address, message)


def _send(address: str, message: Message) -> None:
    service, library = _service(address), _library()
    if service is None:
        raise NotSent("unknown address", for_good=True)
    pictures = [item.picture for item in message.items if item.picture] if service.attachment_support else []
    attached = library.AppriseAttachment()
    for n, picture in enumerate(pictures, 1):
        attached.add(_memory()(picture, name=f"position-{n}.png", mimetype="image/png"))
    with library.LogCapture(fmt="%(message)s") as said:
        done = guarded(
            lambda: service.notify(title=message.subject, body=message.plain()[:WORDS],
                                   attach=attached if pictures else None),
            notice_settings().private,
        )  # fmt: skip
        words = said.getvalue().strip().splitlines()
    if not done:
        raise NotSent(words[-1] if words else "not accepted")
