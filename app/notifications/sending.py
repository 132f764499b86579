"""What all ways to a person have in common: the message, and how it fails."""

import hashlib
from dataclasses import dataclass

from app.notifications.content import Item
from app.notifications.kinds import TASKS
from app.texts import Texts


class NotSent(Exception):
    """`for_good`: trying again would not help; `gone`: the address is no more; `refused`: the other side said no, so
    that nothing has arrived. The words are for its owner."""

    def __init__(self, words: str, *, for_good: bool = False, gone: bool = False, refused: bool = False) -> None:
        super().__init__(words[:300])
        self.for_good, self.gone, self.refused = for_good or gone, gone, refused


@dataclass(frozen=True)
class Message:
    """One message to one person: `site` is the address that all paths begin with."""

    t: Texts
    site: str
    items: list[Item]
    to: str
    token: str

    @property
    def subject(self) -> str:
        """The one thing it tells, or the most important with how many more: what is asked comes first."""
        first = next((item for item in self.items if item.kind in TASKS), self.items[0])
        more = len(self.items) - 1
        return self.t("notice.subject", first=first.heading, n=more) if more else first.heading

    @property
    def path(self) -> str:
        return self.items[0].path if len({item.path for item in self.items}) == 1 else "/notices"

    @property
    def id(self) -> str:
        """The same for the same notices, so that what is sent again after a crash is known to be the same."""
        told = ",".join(str(item.notice) for item in self.items)
        return hashlib.sha256(f"{self.token}:{told}".encode()).hexdigest()[:32]

    def link(self, path: str) -> str:
        return self.site.rstrip("/") + path

    def plain(self) -> str:
        """The whole message as text, without what only mails need."""
        return "\n\n".join(self.part(item) for item in self.items)

    def part(self, item: Item) -> str:
        lines = [item.heading]
        if item.more:
            lines.append(f"  {self.t('notice.more', n=item.more)}")
        lines += [f"  {line}" for line in item.lines]
        if item.asked:
            lines.append(f"  → {item.asked}")
        return "\n".join([*lines, self.link(item.path)])
