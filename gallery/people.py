"""Accounts on the gallery's server, each with a browser's cookies."""

import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:  # not there on a machine that only serves
    from playwright.sync_api import APIRequestContext, APIResponse, Browser

NOBODY = ""  # who isn't signed in


def ok(answer: Any) -> Any:
    """The JSON of an answer. Raises RuntimeError for a refusal."""
    if not answer.ok:
        raise RuntimeError(f"{answer.url}: {answer.status} {answer.text()}")
    return answer.json()


class People:
    """Signed up when first named. `url`: where the server is."""

    def __init__(self, browser: "Browser", url: str, lang: str) -> None:
        self.browser, self.url, self.lang = browser, url, lang
        self._signed_in: dict[str, APIRequestContext] = {}

    def named(self, name: str) -> "APIRequestContext":
        if name not in self._signed_in:
            person = self._signed_in[name] = self.browser.new_context().request
            if name != NOBODY:
                account = {"name": name, "password": secrets.token_urlsafe()}
                ok(person.post(f"{self.url}/api/account", data=account, headers={"accept-language": self.lang}))
        return self._signed_in[name]

    def does(self, name: str, path: str, /, **form: str) -> "APIResponse":
        """Sends a form of a page; the page that comes then. Raises RuntimeError for a refusal."""
        answer = self.named(name).post(f"{self.url}{path}", form=dict(form))
        if not answer.ok:
            raise RuntimeError(f"{name}: {answer.url}: {answer.status} {answer.text()}")
        return answer

    def reads(self, name: str, path: str) -> Any:
        """An answer of the API."""
        return ok(self.named(name).get(f"{self.url}{path}"))

    def says(self, name: str, path: str, /, **body: Any) -> None:
        """Sends JSON to the API."""
        answer = self.named(name).post(f"{self.url}{path}", data=body)
        if not answer.ok:
            raise RuntimeError(f"{name}: {answer.url}: {answer.status} {answer.text()}")

    def path_of(self, answer: "APIResponse") -> str:
        """Where a form has led."""
        return answer.url.removeprefix(self.url).partition("?")[0]


def player(name: str) -> str:
    """The path of somebody's page."""
    return f"/players/{quote(name)}"
