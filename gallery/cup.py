"""Events of the gallery's club, run to where pictures want them. Games are decided by resigning, for speed."""

import time
from functools import cached_property
from typing import Any

from gallery.people import People

ORGANISER = "Venancio"
PLAYERS = ("Elisa", "Pancha", "Manuel", "Francisca", "Tomás", "Pedro Juan Caballero")  # the better first
PATIENCE = 60.0  # seconds
RULES = {
    "board.triple_alliance.war": "on", "seeding": "joined", "pace": "days", "pace.days": "3", "pace.bank": "10",
    "rated": "true", "hosts_play": "true", "third_place": "true",
}  # fmt: skip
ABOUT = {
    "en": "Three rounds by the river. A round should take a month; who needs longer tells the director in time.",
    "es": "Tres rondas junto al río. Una ronda debería durar un mes; quien necesite más avisa a tiempo al director.",
    "it": "Tre turni in riva al fiume. Un turno dovrebbe durare un mese; chi ha bisogno di più avvisa il direttore.",
    "pt": "Três rondas junto ao rio. Uma ronda deve durar um mês; quem precisar de mais avisa a tempo o diretor.",
}


class Cup:
    """Each event is made when first wanted, and known by its path."""

    def __init__(self, people: People) -> None:
        self.people = people

    @cached_property
    def running(self) -> str:
        """Swiss, in its third round: one game drawn by ruling, one with a claim open, one not begun."""
        path = self._event("Copa del Paraná", about=ABOUT[self.people.lang], format="swiss", rounds="3",
                           round_days="30")  # fmt: skip
        self._enter(path, PLAYERS)
        self.people.does("Solano", f"{path}/enter", **{"as": "reserve"})
        self.people.does(ORGANISER, f"{path}/start")
        self._decide(path, 1)
        self._decide(path, 2, drawn=True)
        claimed = self._board(path, 3, 0)
        self.people.does(claimed["first"]["name"], f"{path}/pairings/{claimed['id']}/claim", wish="draw", points="0",
                         text="Neither army can reach the other before the last turn.")  # fmt: skip
        return path

    @cached_property
    def claimed(self) -> str:
        return f"{self.running}/pairings/{self._board(self.running, 3, 0)['id']}"

    @cached_property
    def done(self) -> str:
        """A round robin, played to its end."""
        path = self._event("Torneo de Asunción", format="round_robin", at_once="true")
        self._enter(path, PLAYERS)
        self.people.does(ORGANISER, f"{path}/start")
        for number in range(1, len(PLAYERS)):
            self._decide(path, number, drawn=number == 2)
        self._until(path, lambda now: now["state"] == "finished")
        return path

    @cached_property
    def handed_over(self) -> str:
        """The board of somebody whose place a substitute has taken."""
        self.people.does(ORGANISER, f"{self.running}/substitute", name="Solano", reason="Away at the front.",
                         entrant=str(self._entrant(self.running, "Tomás")))  # fmt: skip
        rounds = self.people.reads(ORGANISER, f"/api{self.running}")["rounds"]
        board = next(one for one in rounds[2]["pairings"] if "Solano" in (one["first"]["name"], one["second"]["name"]))
        return f"{self.running}/pairings/{board['id']}"

    @cached_property
    def bidding(self) -> str:
        """The board of two who bid for their sides."""
        path = self._event("Copa de los bandos", format="knock_out", bids="true", bid_hours="48")
        self._enter(path, PLAYERS[:4])
        self.people.does(ORGANISER, f"{path}/start")
        board = next(one for one in self._round(path, 1)
                     if PLAYERS[0] in (one["first"]["name"], one["second"]["name"]))  # fmt: skip
        return f"{path}/pairings/{board['id']}"

    @cached_property
    def entering(self) -> str:
        """A ladder that one may still enter."""
        path = self._event("Escalera de verano", format="ladder", event_days="60", capacity="12", least_share="80",
                           **{"board.ultimo_hombre.war": "on"})  # fmt: skip
        self._enter(path, PLAYERS[2:5])
        return path

    @cached_property
    def league(self) -> str:
        """Two divisions; one season is over, the next has begun."""
        does = self.people.does
        league = self.people.path_of(does(ORGANISER, "/leagues", name="Liga del Plata", about=ABOUT[self.people.lang],
                                          format="round_robin", at_once="true", divisions="2", moving="1", **RULES))
        does(ORGANISER, f"{league}/seasons")
        divisions = self._divisions("open")
        for event, names in zip(divisions, (PLAYERS[:3], PLAYERS[3:]), strict=True):
            self._enter(event, names)
            does(ORGANISER, f"{event}/start")
            for number in range(1, 4):
                self._decide(event, number)
            self._until(event, lambda now: now["state"] == "finished")
        does(ORGANISER, f"{league}/seasons")
        for event in self._divisions("open"):
            does(ORGANISER, f"{event}/start")
            self._decide(event, 1)
        return league

    def _divisions(self, state: str) -> list[str]:
        """The events of the league's seasons in that state, the first division first."""
        page = self.people.named(ORGANISER).get(f"{self.people.url}/leagues").text()
        found = [path.partition('"')[0] for path in page.split('href="')[1:] if path.startswith("/leagues/")]
        league = next(path for path in found if path.count("/") == 2 and path != "/leagues/new")
        shown = self.people.named(ORGANISER).get(f"{self.people.url}{league}").text()
        events = [f"/events/{part[:8]}" for part in shown.split('href="/events/')[1:]]
        views = {event: self.people.reads(ORGANISER, f"/api{event}") for event in dict.fromkeys(events)}
        open_ = [event for event in views if views[event]["state"] == state]
        return sorted(open_, key=lambda event: int(views[event]["division"]))

    def _event(self, name: str, **rules: str) -> str:
        return self.people.path_of(self.people.does(ORGANISER, "/events", **RULES | rules, name=name))

    def _enter(self, path: str, names: tuple[str, ...]) -> None:
        for name in names:
            self.people.does(name, f"{path}/enter", **{"as": "player"})

    def _entrant(self, path: str, name: str) -> int:
        entrants = self.people.reads(ORGANISER, f"/api{path}")["entrants"]
        return next(int(one["id"]) for one in entrants if one["name"] == name)

    def _until(self, path: str, true: Any) -> Any:
        end = time.monotonic() + PATIENCE
        while not true(now := self.people.reads(ORGANISER, f"/api{path}")):
            if time.monotonic() > end:
                raise RuntimeError(f"{path} does not get any further")
            time.sleep(0.2)
        return now

    def _round(self, path: str, number: int) -> Any:
        """Its pairings, once it is open."""

        def is_open(now: Any) -> bool:
            rounds = now["rounds"]
            return len(rounds) >= number and all(one["state"] != "planned" for one in rounds[number - 1]["pairings"])

        return self._until(path, is_open)["rounds"][number - 1]["pairings"]

    def _board(self, path: str, number: int, board: int) -> Any:
        return [one for one in self._round(path, number) if one["second"]][board]

    def _decide(self, path: str, number: int, drawn: bool = False) -> None:
        """Whoever is the worse resigns; `drawn`: but the first game is drawn by a ruling."""
        for one in self._round(path, number):
            if one["state"] != "playing":
                continue
            if drawn:
                self.people.does(ORGANISER, f"{path}/pairings/{one['id']}/rule", ruling="draw",
                                 reason="Agreed at the table.")  # fmt: skip
            else:
                worse = max(one["first"]["name"], one["second"]["name"], key=PLAYERS.index)
                self.people.says(worse, f"/api/games/{one['game']}/resign")
            drawn = False
