"""How many clicks a turn takes: a turn of Triple Alliance with two replacements, a fleet's voyage and an attack, and a
whole turn of Hasta, played as a person plays them, in three sizes of window.

    ./mariscal test --long tests/browser/test_clicks.py -s

prints them. A click is whatever is pressed: a button, a counter, a space of the map; pans of the map are not counted.
With `MARISCAL_CLICKS=long` the way goes as it had to before a second tap on the goal moved and "no more attacks this
turn" ended all phases, and nothing is demanded: so the figures of an older tree are found. `MARISCAL_CLICKS_OUT` is a
folder for a picture before every click.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser import steps, war
from tests.browser.conftest import LiveServer
from tests.browser.steps import Player

SIZES = {"1440x900": (1440, 900), "1280x800": (1280, 800), "390x844": (390, 844)}
CORRIENTES, CAMP, ITAPIRU = "1335", "1435", "1434"
LONG = os.environ.get("MARISCAL_CLICKS") == "long"
OUT = os.environ.get("MARISCAL_CLICKS_OUT")
# The most that each may take.
MOST = {"triple_alliance": 18, "ultimo_hombre": 22}
FACE = {"now": 5}  # what every die shows
OTHERS: dict[str, Player] = {}  # who plays the other side, by the address of the game


@dataclass
class Hand:
    """A player whose clicks are counted, by what they were for."""

    player: Player
    long: bool
    out: Path | None = None
    counts: dict[str, int] = field(default_factory=dict)
    doing: str = ""

    def press(self, key: str | Locator) -> None:
        at = self.player.key(key).first if isinstance(key, str) else key
        expect(at).to_be_enabled(timeout=steps.PATIENCE)
        self._count()
        self.player.press(at)
        self.player.page.wait_for_timeout(350)

    def tap(self, loc: str) -> None:
        self._count()
        self.player.tap(loc)
        self.player.page.wait_for_timeout(350)

    def _count(self) -> None:
        self.counts[self.doing] = self.counts.get(self.doing, 0) + 1
        if self.out:
            self.player.page.screenshot(path=self.out / f"{sum(self.counts.values()):02} {self.doing}.png")

    def shown(self, key: str) -> bool:
        return self.player.key(key).count() > 0

    def go_there(self, goal: str) -> None:
        """To the goal of a move that is planned, and make it."""
        self.tap(goal)
        seq = self.player.get("/view")["seq"]
        expect(self.player.key("go")).to_be_enabled(timeout=steps.PATIENCE)
        if self.long:
            self.press("go")
        else:
            self.tap(goal)
        self.player.until(lambda: self.player.get("/view")["seq"] > seq)

    def end(self, key: str) -> None:
        """End a phase, with the question whether one means it if there is one."""
        self.press(key)
        if self.shown("go"):
            self.press("go")

    def asked(self, *prompts: str) -> str:
        """Wait until one of these is asked of this seat; which."""
        found: list[str] = []

        def now() -> bool:
            request = self.player.get("/view")["request"]
            key = request["prompt"]["key"].removeprefix("prompt.") if request and request["mine"] else ""
            found[:] = [key] if key in prompts else []
            return bool(found)

        self.player.until(now)
        self.player.page.wait_for_timeout(700)
        return found[0]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


# -- Triple Alliance -----------------------------------------------------------------------------------------


def least(form: dict[str, Any]) -> dict[str, Any]:
    """The smallest answer to a form."""
    if form["kind"] == "choose":
        return {"form": form["form"], "option": form["options"][0]["id"]}
    lots = {lot["id"]: [*(u for u in lot["units"] if u not in lot["last"]), *lot["last"]][: lot["min"]]
            for lot in form["lots"]}
    return {"form": form["form"], "lots": lots}


def answers_for(people: dict[str, Player], until: Callable[[dict[str, Any]], bool]) -> None:
    """The least that everybody has to answer, until a question."""
    for _ in range(200):
        for seat, player in people.items():
            request = player.get("/view")["request"]
            if until(request):
                return
            if request["mine"]:
                names = [f["form"] for f in request["forms"]]
                if request["prompt"]["key"] == "prompt.movement" and request["seat"] == "allied" \
                        and player.view().get(f"space:{CORRIENTES}", {}).get("count", 0) > 2:
                    player.answer({"form": "move", "units": [f"AR-CAV-{n}GN" for n in (1, 2)],
                                   "path": [CORRIENTES, "1336", "1436"], "aboard": {}})
                    break
                form = next((f for f in request["forms"] if f["form"] in ("end", "no_attack", "end_move")),
                            request["forms"][names.index(names[0])])
                player.answer(least(form))
                break
            assert seat


def second_turn(browser: Browser, server: LiveServer, device: dict[str, Any]) -> Player:
    """Paraguay moves in turn II: its camp lies beside Corrientes, and attrition has left something to replace."""
    bea, ana = (steps.sign_up(browser, server, name, how) for name, how in (("Bea", device), ("Ana", steps.DESKTOP)))
    wish = {"title": "triple_alliance", "scenario": "war", "seat": "allied", "opponent": "person",
            "visibility": "private"}
    made = ana.context.request.post(f"{ana.site}/api/games", data=wish).json()
    joined = {"seat": "paraguay", "token": made["join_token"]}
    assert bea.context.request.post(f"{bea.site}/api/games/{made['id']}/join", data=joined).ok
    for player in (ana, bea):
        player.url = f"{player.site}/games/{made['id']}"
    war.seal((ana, "allied"), (bea, "paraguay"))
    ana.seat = "allied"
    ana.answer({"form": "no_invasion", "option": "no_invasion"})
    form = ana.get("/view")["request"]["forms"][0]
    garrison = [u for g in form["groups"] if CORRIENTES in g["where"] for u in g["units"]][:12]
    placed = {**form["suggested"], **dict.fromkeys(garrison, CORRIENTES)}
    ana.answer({"form": form["form"], "placed": placed, "boxes": {
        box: at for box, at in form["suggested_boxes"].items() if at in placed.values()}})
    bea.seat = "paraguay"
    steps.place(bea)
    bea.answer({"form": "move", "units": war.FOOT, "path": [ITAPIRU, CAMP], "aboard": {}})

    def movement_of_the_second_turn(request: dict[str, Any]) -> bool:
        return bool(request["prompt"]["key"] == "prompt.movement" and request["seat"] == "paraguay"
                    and bea.view()["turn"]["turn"] == 2)

    answers_for({"paraguay": bea, "allied": ana}, movement_of_the_second_turn)
    OTHERS[bea.url] = ana
    return bea


def replacements(hand: Hand) -> None:
    forms = {f["form"]: f for f in hand.player.get("/view")["request"]["forms"]}
    group = next(g for g in forms["replace"]["groups"] if g["cost"] == 1 and len(g["units"]) > 1)
    hand.doing = "two replacements"
    hand.press("tool-replace")
    for unit in group["units"][:2]:
        hand.press(f"unit-{unit}")
    hand.tap(group["where"][0])
    hand.press("go")
    hand.player.until(lambda: steps.told(hand.player, "replaced") == 1)


def voyage(hand: Hand) -> None:
    """The largest fleet, as far as it comes."""
    (move,) = (f for f in hand.player.get("/view")["request"]["forms"] if f["form"] == "move")
    kinds = hand.player.context.request.get(f"{hand.player.site}/api/titles/triple_alliance/data").json()["units"]
    ships = {loc: [u["id"] for u in units if kinds[u["id"]]["type"] == "warship"]
             for loc, units in move["stacks"].items()}
    start = max(ships, key=lambda loc: (len(ships[loc]), loc))
    reach = hand.player.post("/reach", {"form": "move", "units": ships[start], "aboard": {}})
    goal = max((loc for loc in reach["cost"] if loc not in reach["blocked"]), key=lambda loc: (reach["cost"][loc], loc))
    hand.doing = "a fleet's voyage"
    hand.tap(start)
    marchers = [u["id"] for u in move["stacks"][start] if not u.get("holds")]
    if marchers:  # all of the stack's first pace are chosen: the warships instead
        hand.press("select-warship")
    hand.go_there(goal)


def attack(hand: Hand) -> None:
    """Corrientes, and whatever is asked of its attacker."""
    hand.doing = "the attack"
    hand.asked("combat")
    form = hand.player.get("/view")["request"]["forms"][0]
    units = [u for us in form["targets"][CORRIENTES]["from"].values() for u in us]
    seen = hand.player.post("/preview", {"answer": {"form": "attack", "target": CORRIENTES, "units": units}})["effect"]
    # Both sides are left with something, so that there is more to attack, and two more phases to be ended.
    FACE["now"] = min(seen["faces"], key=lambda f: (f["clears"], f["attacker"]))["roll"]
    hand.tap(CORRIENTES)
    hand.press("go")
    while (prompt := battle_over(hand)) not in ("combat", "over"):
        hand.press("go") if prompt in ("advance", "attacker_supply") else lose(hand)


def battle_over(hand: Hand) -> str:
    other = OTHERS[hand.player.url]
    for _ in range(100):
        request = hand.player.get("/view")["request"]
        if request["mine"]:
            hand.player.page.wait_for_timeout(900)
            return str(request["prompt"]["key"].removeprefix("prompt."))
        theirs = other.get("/view")["request"]
        if theirs["prompt"]["key"] == "prompt.movement":
            return "over"
        if theirs["mine"]:
            other.answer(least(theirs["forms"][0]))
    raise AssertionError("the battle never ends")


def lose(hand: Hand) -> None:
    go = hand.player.key("go").first
    expect(go).to_contain_text("Lose")  # the question is there
    if go.is_disabled():
        hand.press("fill")
    hand.press("go")


def _moves_on(hand: Hand, seq: int) -> None:
    hand.player.until(lambda: hand.player.get("/view")["seq"] > seq)


def triple_alliance(hand: Hand) -> None:
    replacements(hand)
    voyage(hand)
    hand.doing = "ends of phases"
    hand.end("option-end-end")
    attack(hand)
    hand.doing = "ends of phases"
    while hand.player.get("/view")["request"]["prompt"]["key"] == "prompt.combat" \
            and hand.player.get("/view")["request"]["mine"]:
        short = not hand.long and hand.shown("option-no_attack-no_more")
        before = hand.player.get("/view")["seq"]
        hand.end("option-no_attack-no_more" if short else "option-no_attack-no_attack")
        _moves_on(hand, before)
        hand.player.page.wait_for_timeout(700)


# -- Hasta ---------------------------------------------------------------------------------------------------

COLUMN = ["br_inf_01", "br_inf_02", "br_inf_03", "br_cav_01", "br_cav_02"]


def campaign(browser: Browser, server: LiveServer, device: dict[str, Any]) -> Player:
    """The Allied player's first turn begins."""
    bea, ana = (steps.sign_up(browser, server, name, how) for name, how in (("Bea", device), ("Ana", steps.DESKTOP)))
    wish = {"title": "ultimo_hombre", "scenario": "war", "seat": "allied", "opponent": "person",
            "visibility": "private"}
    made = bea.context.request.post(f"{bea.site}/api/games", data=wish).json()
    joined = {"seat": "paraguayan", "token": made["join_token"]}
    assert ana.context.request.post(f"{ana.site}/api/games/{made['id']}/join", data=joined).ok
    for player in (ana, bea):
        player.url = f"{player.site}/games/{made['id']}"
    war.seal((bea, "allied"), (ana, "paraguayan"))
    OTHERS[bea.url] = ana
    return bea


def hasta(hand: Hand) -> None:
    """A transport, a column into an empty space, a card, reinforcements, and the ends of phases."""
    hand.doing = "a transport"
    (ship,) = (f for f in hand.player.get("/view")["request"]["forms"] if f["form"] == "ship")
    start = next(loc for loc, units in ship["stacks"].items() if loc == "rio_grande" or len(units) > 1)
    units = [u["id"] for u in ship["stacks"][start]]
    reach = hand.player.post("/reach", {"form": "ship", "units": units[:1], "aboard": {}})
    goal = next(loc for loc in sorted(reach["cost"]) if loc not in reach["blocked"])
    hand.tap(start)
    hand.press("select-none")
    hand.press(f"unit-{units[0]}")
    hand.go_there(goal)
    hand.doing = "ends of phases"
    hand.end("option-end_transport-end")
    hand.asked("movement")
    hand.doing = "a march"
    hand.tap("jaguarao")
    hand.press("select-all")
    hand.go_there("melo")
    hand.doing = "ends of phases"
    hand.end("option-end_movement-end")
    recovery(hand)


def recovery(hand: Hand) -> None:
    while True:
        prompt = hand.asked("choose_card", "reinforce", "effect", "card_event", "combat")
        request = hand.player.get("/view")["request"]
        if prompt == "choose_card":
            hand.doing = "the card"
            hand.press(f"option-choose_card-{request['forms'][0]['options'][0]['id']}")
            hand.player.page.wait_for_timeout(900)
        elif prompt == "reinforce":
            reinforce(hand, request)
            hand.doing = "ends of phases"
            hand.end("option-end_restore-end")
            return
        else:
            raise AssertionError(prompt)


def reinforce(hand: Hand, request: dict[str, Any]) -> None:
    """One unit of the reserve on each of two spaces."""
    form = next(f for f in request["forms"] if f["form"] == "reinforce")
    hand.doing = "two reinforcements"
    if not hand.shown(f"unit-{form['groups'][0]['units'][0]}"):
        hand.press("tool-reinforce") if hand.shown("tool-reinforce") else None
    group = form["groups"][0]
    for unit, loc in zip(group["units"][:2], group["where"][:2], strict=False):
        hand.press(f"unit-{unit}")
        hand.tap(loc)
    hand.press("go")
    hand.player.page.wait_for_timeout(700)


STORIES: dict[str, tuple[Callable[..., Player], Callable[[Hand], None]]] = {
    "triple_alliance": (second_turn, triple_alliance), "ultimo_hombre": (campaign, hasta)}


def play(browser: Browser, server: LiveServer, title: str, size: str) -> Hand:
    """A story in one size of window."""
    begin, tell = STORIES[title]
    width, height = SIZES[size]
    device: dict[str, Any] = {"viewport": {"width": width, "height": height}}
    if width < 900:
        device |= {"is_mobile": True, "has_touch": True}
    player = begin(browser, server, device)
    war.open_page(player)
    player.page.wait_for_timeout(1500)
    out = Path(OUT) / f"{title}-{size}" if OUT else None
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    hand = Hand(player, LONG, out)
    try:
        tell(hand)
    finally:
        if out is not None:
            player.page.screenshot(path=out / "99 the end.png")
    assert player.faults == [], player.faults
    player.context.close()
    OTHERS[player.url].context.close()
    return hand


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("title", STORIES)
def test_a_turn_takes_so_many_clicks(
    browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, title: str, size: str
) -> None:
    FACE["now"] = 5
    monkeypatch.setattr("rules.core.chance.value", lambda _key, _number, sides: min(FACE["now"], sides - 1))
    hand = play(browser, live_server, title, size)
    parts = ", ".join(f"{what} {n}" for what, n in hand.counts.items())
    print(f"\n{title} {size}: {hand.total} clicks ({parts})")
    assert LONG or hand.total <= MOST[title]
