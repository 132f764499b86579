"""Lobby pages: home, new game, joining, players, about."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.accounts import guests as newcomers
from app.accounts import limits
from app.accounts import service as accounts
from app.boards.routes import HandDep
from app.clocks.forms import Number, PaceForm
from app.clocks.pages import words_for
from app.deps import (
    Address,
    DatabaseDep,
    ForReaders,
    Guest,
    ReaderDep,
    SessionDep,
    SettingsDep,
    SignedIn,
    Viewer,
    carry,
)
from app.errors import as_sent
from app.games import data, making
from app.games.deps import LiveDep
from app.games.schemas import Conditions, NewGame, Opponent, Policy, Visibility
from app.leagues.views import events_of_mine
from app.lessons import service as lessons
from app.lessons.lesson import lesson, lessons_of
from app.lessons.pages import picture_of
from app.lobby import guests, repository, service
from app.lobby.limits import GAMES, Making
from app.lobby.titles import titles
from app.pages import read_form, redirect, render
from app.rulebook.book import options_explained
from app.rulebook.pictures import Pictures
from rules.bots import NAMES as BOTS

Percent = Annotated[
    Annotated[int, Field(ge=0, le=100)] | None, BeforeValidator(lambda n: None if n == "" else n)
]  # an empty field: not asked

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])


class JoinForm(BaseModel):
    """`token`: from the link of a private game."""

    seat: str = Field(max_length=40)
    token: str = Field(default="", max_length=100)


class NewGameForm(PaceForm):
    """The create form. Fields named `option.NAME` are the title's options, by position in its list."""

    model_config = ConfigDict(extra="allow")

    title: str
    scenario: str
    seating: str | None = None
    seat: str
    opponent: Opponent
    visibility: Visibility
    policy: Policy
    no_what_if: bool = False
    bot: str | None = None
    each: Literal["seat", "side"] | None = None
    most_time_outs: Percent = Field(default=None, alias="ask.late")
    least_rated: Number = Field(default=0, ge=0, le=1000, alias="ask.rated")

    def new_game(self) -> NewGame:
        asked = Conditions(most_time_outs=self.most_time_outs, least_rated=self.least_rated)
        pace = self.chosen_pace()
        pace = pace and pace.model_copy(update={"each": self.each})
        chosen = self.model_dump() | {"pace": pace, "conditions": asked}
        found = titles()[self.title].scenarios.get(self.scenario)
        known = found.options if found else {}
        options = {name: values[int(chosen.get(f"option.{name}", 0))] for name, values in known.items()}
        plain = {name: chosen[name] for name in NewGame.model_fields if name in chosen}
        return NewGame.model_validate(plain | {"options": options, "what_if": not self.no_what_if})


@router.get("/")
async def home(
    request: Request, session: SessionDep, viewer: Viewer, guest: Guest, reader: ReaderDep, live: LiveDep, hand: HandDep
) -> HTMLResponse:
    done = await lessons.done_by(live.store, hand, bool(reader.support))
    first = first_lesson(done, reader.lang)
    if viewer is None:
        taught = {title_id for title_id in titles() if lessons_of(title_id)}
        return render(request, reader, "lobby/welcome.html", titles=titles(), first=first, taught=taught,
                      shown=shown_board(reader.lang), games=await guests.games_of(session, guest))  # fmt: skip
    words = await words_for(session, viewer, reader)
    lobby = await service.lobby(session, viewer.id, not reader.support)
    events = await events_of_mine(session, viewer.id)
    return render(request, reader, "lobby/lobby.html", lobby=lobby, events=events, titles=titles(), words=words,
                  first=first)  # fmt: skip


def first_lesson(done: set[tuple[str, str]], lang: str) -> dict[str, Any] | None:
    """The lesson to begin or to go on with: of the title in which one has done some, else of the first."""
    begun = [title_id for title_id in titles() if any(title == title_id for title, _ in done)]
    for title_id in [*begun, *titles()]:
        if name := lessons.next_of(title_id, done):
            one = lesson(title_id, name)
            return {"title_id": title_id, "name": name, "title": one.title[lang], "minutes": one.minutes,
                    "going_on": title_id in begun}  # fmt: skip
    return None


def shown_board(lang: str) -> dict[str, str] | None:
    """The board that the front page shows: where the last lesson of the first title with lessons begins."""
    for title_id in titles():
        if (names := list(lessons_of(title_id))) and Pictures.can_draw(title_id):
            return {"title_id": title_id, "src": picture_of(title_id, names[-1], lang)}
    return None


@router.post("/titles/{title_id}/play")
async def play_at_once(
    title_id: str, request: Request, session: SessionDep, viewer: Viewer, guest: Guest, reader: ReaderDep,
    address: Address, db: DatabaseDep, settings: SettingsDep,
) -> Response:  # fmt: skip
    """A game against the computer, and there; without an account one begins as a guest. Raises NotFound, TooMany."""
    if banned := getattr(request.state, "banned", None):
        raise accounts.Banned(banned)
    data.title(title_id)
    if viewer is not None:
        await limits.count(db, settings.secret(), GAMES, str(viewer.id))
        return redirect(f"/games/{await guests.play(session, viewer, title_id)}")
    await limits.count(db, settings.secret(), limits.GUEST, address)
    if guest is not None:
        return redirect(f"/games/{await guests.play(session, guest, title_id)}")
    agent = request.headers.get("user-agent", "")
    guest, token = await newcomers.begin(session, reader.lang, reader.theme, agent)
    there = redirect(f"/games/{await guests.play(session, guest, title_id)}")
    carry(request, there, token)
    return there


@router.get("/about")
def about(request: Request, reader: ReaderDep) -> HTMLResponse:
    return render(request, reader, "about.html")


def _form_page(title: str | None, scenario: str | None, seating: str | None, lang: str) -> dict[str, Any]:
    """The create form for one scenario of a title, and who sits; the first of each when none is named."""
    known = titles()
    of = known.get(title or "") or next(iter(known.values()))
    name = scenario if scenario in of.scenarios else next(iter(of.scenarios))
    seatings = of.scenarios[name].seatings
    chosen = seating if seating in seatings else next(iter(seatings))
    return {"titles": known, "title": of, "scenario": name, "options": of.scenarios[name].options, "seatings": seatings,
            "seating": chosen, "clock": of.scenarios[name].clock, "bots": BOTS,
            "explained": options_explained(of.id, lang)}  # fmt: skip


@router.get("/games/new")
async def new_game(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep, title: str | None = None,
                   scenario: str | None = None, seating: str | None = None) -> HTMLResponse:  # fmt: skip
    """Who has not played yet is offered the computer first."""
    page = _form_page(title, scenario, seating, reader.lang)
    usual = "person" if await repository.count_games(session, user.id) else "bot"
    return render(request, reader, "lobby/new_game.html", **page, usual=usual)


@router.post("/games", dependencies=[Making])
async def create(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep, title: str,
                 scenario: str | None = None, seating: str | None = None) -> Response:  # fmt: skip
    page = _form_page(title, scenario, seating, reader.lang)
    form = await read_form(request, NewGameForm, "lobby/new_game.html", **page, usual="person")
    with as_sent():
        new = form.new_game()
    game = await making.create_game(session, user, new)
    return redirect(f"/games/{game.id}" if game.status == "active" else f"/games/{game.id}/join")


@router.get("/games/{game_id}/join")
async def join_page(
    game_id: str, request: Request, viewer: Viewer, session: SessionDep, reader: ReaderDep, settings: SettingsDep,
    t: str | None = None
) -> Response:
    """What one would join; for those in it already, the link to send while it waits."""
    room = await service.waiting_room(session, viewer.id if viewer else None, game_id, t, settings)
    if room["card"].state != "open":
        return redirect(f"/games/{game_id}")
    return render(request, reader, "lobby/join.html", **room)


@router.post("/games/{game_id}/join")
async def join(game_id: str, request: Request, user: SignedIn, session: SessionDep,
               settings: SettingsDep) -> Response:
    """Who is refused is told why on the page of the game."""
    token = str((await request.form()).get("token", "")) or None
    room = await service.waiting_room(session, user.id, game_id, token, settings)
    form = await read_form(request, JoinForm, "lobby/join.html", **room)
    await service.join(session, user, game_id, form.seat, token)
    return redirect(f"/games/{game_id}")


@router.get("/games/{game_id}/substitute")
async def vacancy(
    game_id: str, request: Request, viewer: Viewer, session: SessionDep, reader: ReaderDep, t: str | None = None
) -> Response:
    """What one would take over in the place of somebody whose time is up."""
    found = await service.vacancy(session, viewer.id if viewer else None, game_id, t)
    if found is None or not service.stands_by(found):
        return redirect(f"/games/{game_id}")
    return render(request, reader, "lobby/substitute.html", card=found, token=t, titles=titles())


@router.post("/games/{game_id}/substitute")
async def step_in(game_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    token = str((await request.form()).get("token", "")) or None
    await service.step_in(session, user, game_id, token)
    return redirect(f"/games/{game_id}")


@router.post("/games/{game_id}/leave")
async def leave(game_id: str, user: SignedIn, session: SessionDep) -> Response:
    await making.leave_game(session, user, game_id)
    return redirect("/")
