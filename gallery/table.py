"""Two players and the games between them."""

import hashlib
import secrets
from functools import cached_property
from typing import Any

from gallery.people import People, ok

TITLE = "triple_alliance"
CARDS = "ultimo_hombre"
FOOT = [f"PY-INF-{n}" for n in range(1, 13)]
HORSE = ["PY-CAV-AC", "PY-CAV-AV", "PY-CAV-1", "PY-CAV-2"]
COLUMN = ["br_inf_01", "br_inf_02", "br_inf_03", "br_cav_01", "br_cav_02"]
BLANCOS = {"montevideo": ["ub_cav_2", "ub_inf_1", "ub_inf_3", "ub_inf_5"], "paysandu": ["ub_inf_2", "ub_inf_4"]}


class Table:
    """Two players and their games, each in the state that some pictures show, made when first wanted."""

    def __init__(self, people: People, paraguay: str = "Solano", allied: str = "Bartolomé") -> None:
        self.at, self.all, self.pair = people.url, people, (paraguay, allied)
        south, north = people.named(allied), people.named(paraguay)
        self.people = {"allied": south, "paraguay": north, "paraguayan": north}

    @cached_property
    def set_up(self) -> str:
        return self.game()

    @cached_property
    def move(self) -> str:
        game = self.game()
        self._place(game)
        return game

    @cached_property
    def attack(self) -> str:
        game = self.game()
        self._march(game)
        return game

    @cached_property
    def fought(self) -> str:
        game = self.game()
        self._march(game)
        self._fight(game)
        return game

    def known(self, title: str, scenario: str | None = None) -> tuple[str, list[str]]:
        """A scenario of a title, the first if none is named, and its usual seats, as the title's data say."""
        found = self.all.reads(self.pair[0], f"/api/titles/{title}")["scenarios"]
        one = next(one for one in found if scenario in (None, one["id"]))
        return one["id"], list(next(iter(one["seatings"].values())))

    def game(self, title: str = TITLE, first: str = "paraguay", scenario: str | None = None, **wishes: Any) -> str:
        """A game of all who sit in a scenario (the first), its dice sealed; one of the first title waits for the Allied
        set-up. Seats that these two have in no title are theirs in order, those that are left their guests'."""
        scenario, seats = self.known(title, scenario)
        for number, seat in enumerate(seats):
            name = self.pair[number] if number < len(self.pair) else f"Guest {number}"
            self.people.setdefault(seat, self.all.named(name))
        usual = {"opponent": "person", "visibility": "private"}
        wish = {"title": title, "seat": first, "scenario": scenario, **usual, **wishes}
        made = ok(self.people[first].post(f"{self.at}/api/games", data=wish))
        game: str = made["id"]
        for seat in seats:
            if seat != first:
                joined = {"seat": seat, "token": made["join_token"]}
                ok(self.people[seat].post(f"{self.at}/api/games/{game}/join", data=joined))
        nonces = {seat: secrets.token_bytes(32) for seat in seats}
        for seat, nonce in nonces.items():
            self._seal(game, seat, {"hash": hashlib.sha256(nonce).hexdigest()})
        for seat, nonce in nonces.items():
            self._seal(game, seat, {"nonce": nonce.hex()})
        if title == TITLE:
            self._answer(game, "allied", {"form": "no_invasion", "option": "no_invasion"})
        return game

    def _seal(self, game: str, seat: str, part: dict[str, str]) -> None:
        ok(self.people[seat].post(f"{self.at}/api/games/{game}/dice", data=part))

    def _answer(self, game: str, seat: str, answer: dict[str, Any]) -> None:
        at = f"{self.at}/api/games/{game}"
        seq = ok(self.people[seat].get(f"{at}/view"))["request"]["seq"]
        body = {"seq": seq, "key": secrets.token_hex(8), "answer": answer}
        ok(self.people[seat].post(f"{at}/answers", data=body))

    def _request(self, game: str) -> tuple[str, dict[str, Any]]:
        """Who is asked, and what."""
        asked = ok(self.people["paraguay"].get(f"{self.at}/api/games/{game}/view"))["request"]
        seat: str = asked["seat"]
        return seat, ok(self.people[seat].get(f"{self.at}/api/games/{game}/view"))["request"]

    def _place(self, game: str) -> None:
        for seat in ("allied", "paraguay"):
            form = self._request(game)[1]["forms"][0]
            placed = {**form["suggested"], **({"AR-CAV-3GN": "1335", "AR-CAV-4GN": "1335"} if seat == "allied" else {})}
            self._answer(game, seat, {"form": form["form"], "placed": placed, "boxes": form["suggested_boxes"]})

    def _march(self, game: str) -> None:
        self._place(game)
        for units, path in ((FOOT[:8], ["1434", "1435"]), (HORSE, ["1434", "1435", "1436", "1336"])):
            self._answer(game, "paraguay", {"form": "move", "units": units, "path": path, "aboard": {}})
        self._answer(game, "paraguay", {"form": "end", "option": "end"})

    def _fight(self, game: str) -> None:
        """The attack on Corrientes, with whatever losses the die brings, until the Allies move."""
        self._answer(game, "paraguay", {"form": "attack", "target": "1335", "units": [*FOOT[:8], *HORSE]})
        while (asked := self._request(game))[1]["prompt"]["key"] != "prompt.movement":
            seat, request = asked
            form = request["forms"][-1]
            if form["kind"] == "choose":
                self._answer(game, seat, {"form": form["form"], "option": form["options"][0]["id"]})
                continue
            many = "max" if form["verb"] == "advance" else "min"
            lots = {lot["id"]: lot["units"][: lot[many]] for lot in form["lots"]}
            self._answer(game, seat, {"form": form["form"], "lots": lots})

    # the second title

    @cached_property
    def free(self) -> str:
        """The Paraguayan army may stand elsewhere."""
        return self.game(CARDS, "paraguayan", options={"free_set_up": True})

    @cached_property
    def transport(self) -> str:
        """The Allied player ships."""
        return self.game(CARDS, "paraguayan")

    @cached_property
    def campaign(self) -> str:
        """The Allied player moves."""
        game = self.game(CARDS, "paraguayan")
        self._answer(game, "allied", {"form": "end_transport", "option": "end"})
        return game

    @cached_property
    def hand(self) -> str:
        """He has two cards to choose from, one of which speaks of some spaces."""
        while True:
            game = self._melo()
            at = f"{self.at}/api/games/{game}/view"
            held = ok(self.people["allied"].get(at))["view"]["fragments"]["hand:allied"]["cards"]
            if any("spaces" in card for card in held):
                return game

    def _melo(self) -> str:
        """The Allied column has taken Melo."""
        game = self.game(CARDS, "paraguayan")
        self._answer(game, "allied", {"form": "end_transport", "option": "end"})
        self._answer(game, "allied", {"form": "move", "units": COLUMN, "path": ["jaguarao", "melo"], "aboard": {}})
        self._answer(game, "allied", {"form": "end_movement", "option": "end"})
        return game

    def _attack(self) -> str:
        """Six battalions have come over the river; the defender lines up."""
        game = self._melo()
        march = {"form": "move", "aboard": {}}
        self._until(game, "prompt.movement")
        self._answer(game, "paraguayan", {"form": "leaders", "placed": {"diaz": "melo"}})
        for start, units in BLANCOS.items():
            self._answer(game, "paraguayan", {**march, "units": units, "path": [start, "durazno", "melo"]})
        self._answer(game, "paraguayan", {"form": "end_movement", "option": "end"})
        return game

    @cached_property
    def line(self) -> str:
        """The attacker lines up."""
        game = self._attack()
        seat, request = self._request(game)
        self._answer(game, seat, _first(request))
        return game

    @cached_property
    def fire(self) -> str:
        """Over a river: who faces nobody names a target, then all fire at once."""
        return self._fought("prompt.targets")

    @cached_property
    def battle(self) -> str:
        """One round has been fought."""
        return self._fought("prompt.retreat")

    def _fought(self, prompt: str) -> str:
        """The attack on Melo at a question; where its dice lead past that, another is begun."""
        while not self._until(game := self._attack(), prompt):
            pass
        return game

    @cached_property
    def recovery(self) -> str:
        """A card is in use; the Allied player raises troops."""
        game = self._melo()
        self._until(game, "prompt.reinforce")
        return game

    def _until(self, game: str, prompt: str) -> bool:
        """The first answer to whatever is asked before; whether it came, within the turn."""
        at = f"{self.at}/api/games/{game}/view"
        turn = ok(self.people["paraguay"].get(at))["view"]["fragments"]["turn"]["turn"]
        while (said := ok(self.people["paraguay"].get(at)))["view"]["fragments"]["turn"]["turn"] == turn:
            if not said["request"]:
                return False
            seat, request = self._request(game)
            if request["prompt"]["key"] == prompt:
                return True
            self._answer(game, seat, _first(request))
        return False


def _first(request: dict[str, Any]) -> dict[str, Any]:
    """The closing option, if there is one, else the first thing that can be answered."""
    forms = request["forms"]
    form = next((f for f in forms if f["form"].startswith("end_")), forms[0])
    match form["kind"]:
        case "choose":
            return {"form": form["form"], "option": form["options"][0]["id"]}
        case "place" | "line":
            return {"form": form["form"], "placed": form["suggested"]}
        case "pick":
            return {"form": form["form"], "options": [option["id"] for option in form["options"][: form["min"]]]}
        case _:
            return {"form": form["form"], "lots": {lot["id"]: lot["units"][: lot["min"]] for lot in form["lots"]}}
