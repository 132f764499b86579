"""What people of the gallery's server have said to one another, wish for, and are asked."""

import time
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from app.games.live import conninfo
from gallery.cup import ORGANISER, PLAYERS, Cup
from gallery.people import People, player
from gallery.server import Server, plain, rich
from gallery.table import CARDS, TITLE, Table

ADMIN = "Juan Bautista"
ELISA, MANUEL, FRANCISCA, PANCHA = "Elisa", "Manuel", "Francisca", "Pancha"
DAYS = {"kind": "days", "days": 3, "bank": 10, "increment": 12}
LETTERS = {
    "en": ("Shall we play the whole war? I would take Paraguay.",
           "Gladly. Three days a turn?\n\nI am away over New Year, but that is what vacations are for.",
           "Agreed. I have made the game; the invitation should be with you.", "Then to the river!"),
    "es": ("¿Jugamos la guerra entera? Yo llevaría Paraguay.",
           "Con gusto. ¿Tres días por turno?\n\nEn Año Nuevo no estoy, pero para eso hay vacaciones.",
           "De acuerdo. La partida está hecha; la invitación ya debería haber llegado.", "¡Al río, entonces!"),
    "it": ("Giochiamo tutta la guerra? Io prenderei il Paraguay.",
           "Volentieri. Tre giorni a turno?\n\nA Capodanno non ci sono, ma per questo ci sono le vacanze.",
           "D'accordo. La partita è pronta; l'invito dovrebbe essere arrivato.", "Al fiume, allora!"),
    "pt": ("Jogamos a guerra inteira? Eu ficaria com o Paraguai.",
           "Com gosto. Três dias por turno?\n\nNo Ano Novo não estou, mas para isso há férias.",
           "Combinado. A partida está feita; o convite já deve ter chegado.", "Ao rio, então!"),
}  # fmt: skip
SENT = 90.0  # seconds that a mail may take


class Club:
    """One world for all pages of the server, seen mostly by Elisa; parts are made when first wanted."""

    def __init__(self, people: People, server: Server) -> None:
        self.people, self.server = people, server
        self.cup, self.words = Cup(people), LETTERS[people.lang]
        for name in (ADMIN, ORGANISER, *PLAYERS, "Solano", "Bartolomé"):
            people.named(name)
        people.does(ADMIN, server.first_admin)
        with self._database() as base:
            base.execute("delete from rate_hits")  # so many from one address are not let in

    def _database(self) -> psycopg.Connection:
        return psycopg.connect(conninfo(self.server.database), autocommit=True)

    # -- games

    @cached_property
    def table(self) -> Table:
        return Table(self.people, ELISA, MANUEL)

    @cached_property
    def lobby(self) -> str:
        """Own games in every state, games of others to join, an invitation, an event."""
        self.claim, self.invited, self.letters, self.cup.running, self.cup.bidding  # noqa: B018 - made by being named
        self.table.game(CARDS, "paraguayan")
        Table(self.people, ELISA, FRANCISCA).move  # noqa: B018
        over = self.table.game()
        self.people.says(MANUEL, f"/api/games/{over}/resign")
        self._open(PANCHA, TITLE, "allied", pace=DAYS)
        self._open("Tomás", CARDS, "paraguayan", pace={"kind": "live", "minutes": 120, "increment": 30})
        self._open(ELISA, CARDS, "allied")
        return "/"

    def _open(self, who: str, title: str, seat: str, **wishes: object) -> None:
        self.people.says(who, "/api/games", title=title, scenario=self.table.known(title)[0], seat=seat,
                         opponent="person", visibility="open", **wishes)  # fmt: skip

    @cached_property
    def invited(self) -> str:
        """A game that waits for whom its maker has invited, as that person is led there."""
        form = {"title": TITLE, "scenario": self.table.known(TITLE)[0], "seat": "paraguay", "opponent": "person",
                "visibility": "private", "policy": "run", "pace": "days"}  # fmt: skip
        path = self.people.path_of(self.people.does(FRANCISCA, f"/games?title={TITLE}", **form))
        self.people.does(FRANCISCA, f"{path.removesuffix('/join')}/invite", player=ELISA)
        home = self.people.named(ELISA).get(self.people.url).text()
        return path + home.partition(f'href="{path}')[2].partition('"')[0]

    @cached_property
    def running(self) -> str:
        """Elisa moves, by a clock of days."""
        game = Table(self.people, ELISA, MANUEL).game(pace=DAYS)
        return f"/games/{game}"

    @cached_property
    def clock(self) -> str:
        self.people.does(MANUEL, f"{self.running}/clock", act="pause")
        return f"{self.running}/clock"

    @cached_property
    def claim(self) -> str:
        """Manuel's time ran out days ago: all is as if it had been done three weeks earlier."""
        game = Table(self.people, ELISA, MANUEL).game(pace=DAYS)
        with self._database() as base:
            base.execute("update entries set at = at - interval '21 days' where game_id = %s", (game,))
            found = base.execute("select clock from games where id = %s", (game,)).fetchone()
            assert found is not None
            base.execute("""update games set clock = %s, deadline = deadline - interval '21 days',
                updated_at = updated_at - interval '21 days' where id = %s""", (Jsonb(_earlier(found[0])), game))
        return f"/games/{game}/clock"

    @cached_property
    def orders(self) -> str:
        return f"{self.running}/orders"

    @cached_property
    def chat(self) -> str:
        for number, text in enumerate(self.words):
            self.people.says((ELISA, MANUEL)[number % 2], f"/api{self.running}/chat", text=text)
        return f"{self.running}/chat"

    # -- people

    @cached_property
    def letters(self) -> str:
        """Friends, and what they have written."""
        does = self.people.does
        about = {"en": "Maps of the Paraguay and long evenings. Slow but steady.",
                 "es": "Mapas del Paraguay y tardes largas. Despacio, pero sin pausa.",
                 "it": "Mappe del Paraguay e lunghe serate. Piano ma con costanza.",
                 "pt": "Mapas do Paraguai e serões longos. Devagar, mas sempre."}[self.people.lang]  # fmt: skip
        does(MANUEL, "/account/profile", about=about, languages="es, gn, pt-BR", zone="America/Asuncion",
             seen_by="all", messages_from="all", invited_by="all")  # fmt: skip
        for one, other in ((ELISA, MANUEL), (MANUEL, ELISA), (ELISA, FRANCISCA), (FRANCISCA, ELISA), (PANCHA, ELISA),
                           (ELISA, "Tomás")):  # fmt: skip
            does(one, f"{player(other)}/befriend")
        does(ELISA, f"{player('Bartolomé')}/block")
        for number, text in enumerate(self.words):
            to, by = ((MANUEL, ELISA), (ELISA, MANUEL))[number % 2]
            does(by, f"/messages/{to}", text=text)
        does(PANCHA, f"/messages/{ELISA}", text=self.words[0])
        return f"/messages/{MANUEL}"

    @cached_property
    def profile(self) -> str:
        self.cup.done, self.letters  # noqa: B018
        return player(MANUEL)

    @cached_property
    def friends(self) -> str:
        self.letters  # noqa: B018
        return "/friends"

    @cached_property
    def messages(self) -> str:
        self.letters  # noqa: B018
        return "/messages"

    @cached_property
    def report(self) -> str:
        self.people.does(FRANCISCA, "/report?player=Bartolom%C3%A9", reason="Insults after every lost battle.")
        self.people.does(PANCHA, "/report?player=Bartolom%C3%A9", reason="Leaves games without a word.")
        return "/reports"

    # -- notices

    @cached_property
    def settings(self) -> str:
        """A mail address, a service that fails, and what has been sent."""
        self.people.says(ELISA, "/api/account/channels", address="ntfys://ntfy.example.org/mariscal-elisa")
        with self._database() as base:
            base.execute("update users set mail = 'elisa@example.org' where name = %s", (ELISA,))
        return "/account/notifications"

    @cached_property
    def notices(self) -> str:
        self.lobby, self.chat, self.mail  # noqa: B018
        return "/notices"

    @cached_property
    def mail(self) -> int:
        """Waits for the mail that tells Elisa of the fight at Corrientes; which of the mails it is."""
        self.settings  # noqa: B018
        return self._sent(Table(self.people, MANUEL, ELISA).fought, drawn=True)

    @cached_property
    def card_mail(self) -> int:
        """The same of the fight for Melo."""
        self.settings  # noqa: B018
        return self._sent(Table(self.people, ELISA, MANUEL).battle, drawn=True)

    @cached_property
    def reset_mail(self) -> int:
        self.settings  # noqa: B018
        self.people.does(ELISA, "/forgot", login=ELISA)
        return self._sent("/reset/")

    def _sent(self, word: str, drawn: bool = False) -> int:
        """Which of the mails is the last that says this, when it has come; `drawn`: and shows the position."""
        end = time.monotonic() + SENT
        while time.monotonic() < end:
            for number, mail in reversed(list(enumerate(self.server.mails))):
                if word in plain(mail) and (not drawn or "data:image" in rich(mail)):
                    return int(number)
            time.sleep(0.2)
        raise RuntimeError(f"no mail says {word}")

    @cached_property
    def reset(self) -> str:
        return "/reset/" + plain(self.server.mails[self.reset_mail]).partition("/reset/")[2].split()[0]

    @cached_property
    def calendar(self) -> str:
        hours = {"zone": "America/Asuncion", "quiet_from": "22:00", "quiet_to": "07:30", "rest.7": "on"}
        self.people.does(ELISA, "/account/calendar", **hours)
        today = datetime.now(UTC).date()
        for first, last in ((12, 19), (40, 47)):
            self.people.does(ELISA, "/account/vacations", first_day=str(today + timedelta(days=first)),
                             last_day=str(today + timedelta(days=last)))  # fmt: skip
        return "/account/calendar"

    # -- those who look after the site

    @cached_property
    def admin(self) -> str:
        """Something to look after: bans, roles, reports."""
        self.lobby, self.report  # noqa: B018
        with self._database() as base:
            ids = {str(name): int(one) for one, name in base.execute("select id, name from users").fetchall()}
        self.people.does(ADMIN, f"/admin/users/{ids['Bartolomé']}/ban", reason="Insults, after a warning.", days="7")
        self.people.does(ADMIN, f"/admin/users/{ids[ORGANISER]}/roles", roles="director")
        self._user = f"/admin/users/{ids['Bartolomé']}"
        return "/admin"

    @cached_property
    def user(self) -> str:
        self.admin  # noqa: B018
        return self._user

    @cached_property
    def games(self) -> str:
        self.lobby  # noqa: B018
        return "/admin/games?check=true"

    @cached_property
    def one_game(self) -> str:
        return f"/admin{self.running}?check=true"

    @cached_property
    def jobs(self) -> str:
        self.admin  # noqa: B018
        return "/admin/jobs"

    @cached_property
    def audit(self) -> str:
        self.admin  # noqa: B018
        return "/admin/audit"


def _earlier(told: Any) -> Any:
    """The same with every instant three weeks earlier."""
    if isinstance(told, dict):
        return {name: _earlier(value) for name, value in told.items()}
    if not isinstance(told, str) or "T" not in told:
        return told
    return (datetime.fromisoformat(told) - timedelta(days=21)).isoformat()
