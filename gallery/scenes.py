"""What is shown: whose page, which one, and what is done there first."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

from app.tables import PREFIX
from gallery.anywhere import Anywhere
from gallery.club import ADMIN, ELISA, Club
from gallery.cup import ORGANISER
from gallery.people import NOBODY, People
from gallery.server import Server, plain, rich
from gallery.table import CARDS, FOOT, TITLE, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SOLANO, BARTOLOME = "Solano", "Bartolomé"
REST = 700  # ms that animations may take
Where = tuple[str, str | None, int]  # title, scenario (None: the first), answers


class World:
    """A server with its people; whoever is not asked for is never made."""

    def __init__(self, browser: "Browser", server: Server, lang: str, anywhere: Where = (TITLE, None, 60)) -> None:
        self.browser, self.server = browser, server
        self.people = People(browser, server.url, lang)
        self.table = Table(self.people)
        self._where = anywhere

    @cached_property
    def club(self) -> Club:
        return Club(self.people, self.server)

    @cached_property
    def anywhere(self) -> Anywhere:
        return Anywhere(self.people, self.server, *self._where)


@dataclass(frozen=True)
class Scene:
    """A picture. `where`: makes what is to be seen and gives its path; `whole`: all of the page, not only what fits
    the window."""

    who: str
    where: Callable[[World], str]
    act: Callable[["Page"], None] = lambda _page: None
    whole: bool = True

    def show(self, world: World, page: "Page") -> None:
        page.goto(world.server.url + self.where(world))
        self.act(page)


class Room(Scene):
    """A game's own page, of the table of the first two titles, or of the title that the run names (`any.MOMENT`)."""

    def __init__(self, who: str, game: str, act: Callable[["Page"], None] = lambda _page: None) -> None:
        of, _, moment = game.rpartition(".")

        def where(world: World) -> str:
            return f"/games/{getattr(world.anywhere if of == 'any' else world.table, moment)}"

        super().__init__(who, where, act, whole=False)

    def show(self, world: World, page: "Page") -> None:
        path = self.where(world)
        world.people.named(self.who).delete(f"{world.server.url}/api{path}/draft")  # what an earlier picture has left
        page.goto(world.server.url + path)
        ready(page)
        self.act(page)


@dataclass(frozen=True)
class Letter:
    """A mail as it came: its HTML part, or its text."""

    which: str
    as_text: bool = False
    who: str = NOBODY
    whole: bool = True

    def show(self, world: World, page: "Page") -> None:
        number: int = getattr(world.club, self.which)
        mail = world.server.mails[number]
        look = "color-scheme: light dark; white-space: pre-wrap; overflow-wrap: anywhere"
        text = f'<html style="{look}"><pre style="white-space: inherit">{escape(plain(mail))}</pre>'
        page.set_content(text if self.as_text else rich(mail))


def ready(page: "Page") -> None:
    page.wait_for_selector('#main[data-ready="yes"]')


def press(*keys: str) -> Callable[["Page"], None]:
    """Press controls of the game page one after another, each by the beginning of its name."""

    def act(page: "Page") -> None:
        for key in keys:
            page.locator(f'[data-key^="{key}"]:visible').first.click()

    return act


def all_layers(page: "Page") -> None:
    """Everything that the view lays over the map, seen as a whole."""
    page.locator("#layers").click()
    for box in page.locator("#layers-pop input").all():
        box.check()
    page.keyboard.press("Escape")
    page.keyboard.press("0")


def in_words(*keys: str) -> Callable[["Page"], None]:
    """Do something on the map by way of the position in words, which needs no pointing."""

    def act(page: "Page") -> None:
        page.keyboard.press("t")
        press(*keys)(page)
        page.keyboard.press("t")
        page.evaluate("document.activeElement.blur()")  # no ring about the map

    return act


def come_back(page: "Page") -> None:
    """As one who has seen no more than the beginning."""
    shelf = "`mariscal.seen.${document.getElementById('main').dataset.game}.allied`"
    while not page.evaluate(f"localStorage.getItem({shelf})"):  # written when all is there
        page.wait_for_timeout(50)
    page.evaluate(f"localStorage.setItem({shelf}, '4')")
    page.reload()
    ready(page)
    page.locator("#since button").wait_for()


def play_missed(page: "Page") -> None:
    """The fight among what was missed."""
    come_back(page)
    press("since", "play", *["step"] * 4)(page)


def light_card(page: "Page") -> None:
    """A card's spaces, when the map has gone there."""
    press("map")(page)
    page.wait_for_timeout(3 * REST)


def in_room(act: Callable[["Page"], None]) -> Callable[["Page"], None]:
    """The same once the map is drawn."""

    def later(page: "Page") -> None:
        ready(page)
        act(page)

    return later


def to_end(page: "Page") -> None:
    page.locator("#player input[type=range]").press("End")


def correct(page: "Page") -> None:
    """What a patch would change, on the page of one's game."""
    page.fill("#patch-reason", "The regiment had crossed already.")
    page.locator('form[action$="/position"] button').click()
    page.fill("#merge", f'{{"at": {{"{FOOT[0]}": "1435"}}, "control": {{"1435": "paraguay"}}}}')
    page.locator('form[action$="/position"] button').click()
    page.locator('form[action$="/patch"]').wait_for()


def at(path: str) -> Callable[[World], str]:
    return lambda _world: path


ROOMS: dict[str, Scene | Letter] = {
    "set-up": Room(BARTOLOME, "set_up", press("suggest")),
    "stack": Room(SOLANO, "move", in_words("at-1335")),
    "reach": Room(SOLANO, "move", in_words("now-1434")),
    "move": Room(SOLANO, "move", in_words("now-1434", "now-1435")),
    "attack": Room(SOLANO, "attack", in_words("now-1335")),
    "log": Room(BARTOLOME, "fought", press("log")),
    "since-you-left": Room(BARTOLOME, "fought", come_back),
    "since-step": Room(BARTOLOME, "fought", play_missed),
    "tables": Room(SOLANO, "fought", press("tables")),
    "charts": Room(SOLANO, "fought", press("charts")),
    "forces": Room(SOLANO, "fought", press("forces")),
    "words": Room(SOLANO, "move", lambda page: page.keyboard.press("t")),
    "rulings": Room(SOLANO, "fought", press("about")),
    "talk": Scene(ELISA, lambda world: world.club.chat.removesuffix("/chat"), in_room(press("chat")), whole=False),
    "replay": Scene(SOLANO, lambda world: f"/games/{world.table.fought}/replay", in_room(to_end), whole=False),
    "menu": Room(SOLANO, "move", lambda page: page.locator(".menu-open").click()),
    "counters": Scene(NOBODY, at(f"/titles/{TITLE}/counters")),
    "free-set-up": Room(SOLANO, "free"),
    "transport": Room(BARTOLOME, "transport", in_words("now-")),
    "march": Room(BARTOLOME, "campaign", in_words("now-jaguarao")),
    "points": Room(BARTOLOME, "campaign", lambda page: page.locator("#zoom-fit").click()),
    "hand": Room(BARTOLOME, "hand"),
    "card-on-map": Room(BARTOLOME, "hand", light_card),
    "line-of-battle": Room(SOLANO, "line"),
    "fire": Room(SOLANO, "fire"),
    "battle": Room(SOLANO, "battle"),
    "battle-words": Room(BARTOLOME, "battle", lambda page: page.keyboard.press("t")),
    "cards": Room(BARTOLOME, "battle", lambda page: page.get_by_role("tab").nth(2).click()),
    "recovery": Room(BARTOLOME, "recovery"),
    "points-words": Room(BARTOLOME, "campaign", lambda page: page.keyboard.press("t")),
    "since-you-marched": Room(BARTOLOME, "battle", come_back),
    "card-replay": Scene(SOLANO, lambda world: f"/games/{world.table.battle}/replay", in_room(to_end), whole=False),
    "card-counters": Scene(NOBODY, at(f"/titles/{CARDS}/counters")),
}

def what_if(world: World) -> str:
    """A board of Solano's game, by his own eyes."""
    made = world.people.named(SOLANO).post(f"{world.server.url}/api/games/{world.table.move}/what-if", data={})
    return f"/boards/{made.json()['id']}"


def empty_map(page: "Page") -> None:
    """From the page where one chooses to a board, and a position that is put by hand."""
    page.locator("input[name=empty]").check()
    page.locator("[data-key=scenario]").click()
    ready(page)
    press("by-hand")(page)
    page.locator(".hand-tray input").fill("PY-INF")
    press("unit-PY-INF-1", "unit-PY-INF-2")(page)


BOARDS: dict[str, Scene | Letter] = {
    "try": Scene(NOBODY, at(f"/titles/{TITLE}/try")),
    "by-hand": Scene(NOBODY, at(f"/titles/{TITLE}/try"), empty_map, whole=False),
    "what-if": Scene(SOLANO, what_if, in_room(lambda _page: None), whole=False),
}
ANY: dict[str, Scene | Letter] = {  # of the title that --title names
    "any-begun": Room(SOLANO, "any.begun"),
    "any-played": Room(SOLANO, "any.played"),
    "any-log": Room(SOLANO, "any.played", press("log")),
    "any-tables": Room(SOLANO, "any.played", press("tables")),
    "any-forces": Room(SOLANO, "any.played", press("forces")),
    "any-layers": Room(SOLANO, "any.played", all_layers),
    "any-words": Room(SOLANO, "any.played", lambda page: page.keyboard.press("t")),
    "any-replay": Scene(SOLANO, lambda world: f"/games/{world.anywhere.played}/replay", in_room(to_end), whole=False),
    "any-counters": Scene(NOBODY, lambda world: f"/titles/{world.anywhere.title}/counters"),
    "any-new-game": Scene(SOLANO, lambda world: f"/games/new?title={world.anywhere.title}"
                                                f"&scenario={world.anywhere.scenario}"),
}
DOORS: dict[str, Scene | Letter] = {
    "welcome": Scene(NOBODY, at("/")),
    "sign-up": Scene(NOBODY, at("/sign-up")),
    "sign-in": Scene(NOBODY, at("/sign-in")),
    "forgot": Scene(NOBODY, at("/forgot")),
    "reset": Scene(NOBODY, lambda world: world.club.reset),
    "about": Scene(NOBODY, at("/about")),
    "not-found": Scene(NOBODY, at("/games/nowhere")),
    "offline": Scene(NOBODY, at("/offline")),
}
LOBBY: dict[str, Scene | Letter] = {
    "lobby": Scene(ELISA, lambda world: world.club.lobby),
    "lobby-empty": Scene("Nueva", at("/")),
    "new-game": Scene(ELISA, at(f"/games/new?title={TITLE}")),
    "join": Scene(ELISA, lambda world: world.club.invited),
    "waiting-room": Scene("Francisca", lambda world: world.club.invited),
    "clock": Scene(ELISA, lambda world: world.club.clock),
    "time-out": Scene(ELISA, lambda world: world.club.claim),
    "orders": Scene(ELISA, lambda world: world.club.orders),
    "chat": Scene(ELISA, lambda world: world.club.chat),
}
PEOPLE: dict[str, Scene | Letter] = {
    "profile": Scene(ELISA, lambda world: world.club.profile),
    "profile-form": Scene("Manuel", lambda world: (world.club.letters, "/account/profile")[1]),
    "friends": Scene(ELISA, lambda world: world.club.friends),
    "messages": Scene(ELISA, lambda world: world.club.messages),
    "thread": Scene(ELISA, lambda world: world.club.letters),
    "report": Scene(ELISA, at("/report?player=Bartolom%C3%A9")),
    "account": Scene(ELISA, at("/account")),
    "calendar": Scene(ELISA, lambda world: world.club.calendar),
    "notices": Scene(ELISA, lambda world: world.club.notices),
    "notification-settings": Scene(ELISA, lambda world: world.club.settings),
}
LEAGUES: dict[str, Scene | Letter] = {
    "leagues": Scene(ELISA, lambda world: (world.club.cup.league, world.club.cup.running, world.club.cup.entering,
                                           world.club.cup.done, "/leagues")[-1]),
    "event-form": Scene(ORGANISER, at("/events/new")),
    "event-open": Scene(ELISA, lambda world: world.club.cup.entering),
    "event": Scene(ELISA, lambda world: world.club.cup.running),
    "event-direct": Scene(ORGANISER, lambda world: f"{world.club.cup.running}/direct"),
    "event-rounds": Scene(ELISA, lambda world: f"{world.club.cup.running}/schedule"),
    "event-rules": Scene(ELISA, lambda world: f"{world.club.cup.running}/rules"),
    "event-rulings": Scene(ELISA, lambda world: f"{world.club.cup.running}/acts"),
    "standings": Scene(ELISA, lambda world: world.club.cup.done),
    "crosstable": Scene(ELISA, lambda world: f"{world.club.cup.done}/cross"),
    "embedded": Scene(NOBODY, lambda world: f"{world.club.cup.done}/embed"),
    "pairing": Scene(ORGANISER, lambda world: world.club.cup.claimed),
    "bidding": Scene(ELISA, lambda world: world.club.cup.bidding),
    "substitute": Scene(SOLANO, lambda world: world.club.cup.handed_over),
    "seasons": Scene(ELISA, lambda world: world.club.cup.league),
    "ratings": Scene(ELISA, lambda world: (world.club.cup.done, f"/ratings?title={TITLE}")[1]),
    "rating-of": Scene(ELISA, lambda world: (world.club.cup.done, f"/ratings/players/{ELISA}")[1]),
}
STAFF: dict[str, Scene | Letter] = {
    "admin": Scene(ADMIN, lambda world: world.club.admin),
    "admin-user": Scene(ADMIN, lambda world: world.club.user),
    "admin-games": Scene(ADMIN, lambda world: world.club.games),
    "admin-game": Scene(ADMIN, lambda world: world.club.one_game),
    "admin-patch": Scene(ADMIN, lambda world: f"/admin/games/{world.club.table.move}", correct),
    "admin-tables": Scene(ADMIN, lambda world: (world.club.games, f"{PREFIX}/games/list")[1]),
    "admin-tables-filter": Scene(ADMIN, lambda world: (world.club.admin, f"{PREFIX}/users/list")[1],
                                 lambda page: page.locator(".dropdown-toggle").first.click()),
    "admin-tables-row": Scene(ADMIN, lambda world: (world.club.admin, f"{PREFIX}/users/detail?pk=1")[1]),
    "admin-jobs": Scene(ADMIN, lambda world: world.club.jobs),
    "admin-audit": Scene(ADMIN, lambda world: world.club.audit),
    "reports": Scene(ADMIN, lambda world: world.club.report),
}
MAILS: dict[str, Scene | Letter] = {
    "mail": Letter("mail"),
    "mail-text": Letter("mail", as_text=True),
    "mail-of-cards": Letter("card_mail"),
    "mail-reset": Letter("reset_mail"),
}
SCENES = ROOMS | BOARDS | DOORS | LOBBY | PEOPLE | LEAGUES | STAFF | MAILS | ANY
GROUPS = {"rooms": ROOMS, "boards": BOARDS, "any": ANY, "doors": DOORS, "lobby": LOBBY, "people": PEOPLE,
          "leagues": LEAGUES, "staff": STAFF, "mails": MAILS}  # fmt: skip
