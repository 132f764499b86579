"""Answers carried out on the page, control by control, by somebody who has the keyboard alone or a thumb alone."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from playwright.sync_api import expect

from tests.browser.steps import PATIENCE, Player

Form = dict[str, Any]
Answer = Mapping[str, Any]

BOXES = """() => Object.fromEntries([...document.querySelectorAll('#tray input[data-key^="unit-"]')]
    .map((box) => [box.dataset.key.slice(5), [box.checked, box.disabled]]))"""
PRESSED = """() => [...document.querySelectorAll('#tray button[data-key^="unit-"][aria-pressed=true]')]
    .map((button) => button.dataset.key.slice(5))"""
SLOTS = "() => [...document.querySelectorAll('#tray ol.slots li button')].map((button) => button.dataset.key)"
FAR = """(key) => {
    const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
        .filter((el) => !el.disabled && el.tabIndex >= 0 && el.checkVisibility({ visibilityProperty: true }))
    const to = all.findIndex((el) => el.dataset.key === key), from = all.indexOf(document.activeElement)
    return to < 0 || from < 0 ? 0 : to - from
}"""
NODE = "() => Number(location.hash.slice(1)) || 0"


def place_of(step: str) -> str:
    return step.partition("@")[0]


class Hand(ABC):
    """Somebody at the page of a board: what is done with a form, by its kind. How a control is pressed and a space is
    chosen is the keyboard's and the thumb's own."""

    def __init__(self, player: Player) -> None:
        self.player, self.page = player, player.page

    @abstractmethod
    def press(self, key: str) -> None: ...

    @abstractmethod
    def space(self, loc: str) -> None: ...

    @abstractmethod
    def select(self, key: str, value: str) -> None: ...

    # -- one answer ------------------------------------------------------------------------------------------

    @property
    def node(self) -> int:
        at: int = self.page.evaluate(NODE)
        return at

    def shown(self, key: str) -> bool:
        return self.player.key(key).count() > 0

    def until(self, true: Callable[[], bool], what: str) -> None:
        """Looks again and again until something is so on the page."""
        for _ in range(PATIENCE // 30):
            if true():
                return
            self.page.wait_for_timeout(30)
        raise AssertionError(f"{what} never came: {self.page.locator('#prompt').inner_text()!r}")

    def comes(self, key: str) -> None:
        self.until(lambda: self.shown(key), key)

    def go(self) -> None:
        expect(self.player.key("go")).to_be_enabled(timeout=PATIENCE)
        self.press("go")

    def answer(self, said: Answer) -> None:
        """Until the board stands at the node of the answer."""
        before = self.node
        forms: list[Form] = self.player.get(f"/view?node={before}")["request"]["forms"]
        form = next(form for form in forms if form["form"] == said["form"])
        if form["kind"] not in ("move", "choose") and len(forms) > 1:
            self.open(form)
        getattr(self, form["kind"])(form, said)
        self.until(lambda: self.node != before, f"an answer to {said}")
        expect(self.page.locator("#prompt.busy")).to_have_count(0, timeout=PATIENCE)

    def open(self, form: Form) -> None:
        """Its tool, where another one lies open."""
        if self.shown(f"tool-{form['form']}"):
            self.press(f"tool-{form['form']}")

    # -- by kind ---------------------------------------------------------------------------------------------

    def choose(self, form: Form, said: Answer) -> None:
        key, before = f"option-{form['form']}-{said['option']}", self.node
        self.comes(key)
        self.press(key)
        self.until(lambda: self.node != before or self.shown("cancel") or self.shown("without"), key)
        if self.node == before and self.shown("go"):
            self.press("go")

    def move(self, form: Form, said: Answer) -> None:
        path, aboard = said["path"], said.get("aboard", {})
        start, goal = place_of(path[0]), place_of(path[-1])
        self.space(start)
        expect(self.page.locator(f'#tray[data-at="{start}"]')).to_be_visible(timeout=PATIENCE)
        self.crew([unit for unit in said["units"] if unit not in aboard], aboard)
        self.space(goal)
        self.comes("go")
        if form.get("stances") and "@" in path[-1]:
            self.stand(path[-1])
        elif not form.get("stances"):
            self.bend(form, said)
        self.go()

    def crew(self, wanted: list[str], aboard: Mapping[str, str]) -> None:
        """Ticks who goes, then takes aboard who is carried."""
        for unit, (on, _) in sorted(self.boxes().items(), key=lambda box: box[0] not in wanted):
            if on != (unit in wanted) and self.boxes()[unit][0] == on and unit not in aboard:
                self.press(f"unit-{unit}")
                self.until(lambda unit=unit, on=on: self.boxes()[unit][0] != on, f"a tick at {unit}")  # type: ignore[misc]
        for unit, ship in aboard.items():
            self.comes(f"aboard-{unit}")
            self.select(f"aboard-{unit}", ship)

    def boxes(self) -> dict[str, tuple[bool, bool]]:
        found: dict[str, tuple[bool, bool]] = self.page.evaluate(BOXES)
        return found

    def stand(self, step: str) -> None:
        """In this formation, facing that way."""
        facing, _, formation = step.partition("@")[2].partition("/")
        for key in (f"formation-{formation}", f"facing-{facing}"):
            if self.shown(key) and self.player.key(key).get_attribute("aria-pressed") == "false":
                self.press(key)
                expect(self.player.key(key)).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)

    def bend(self, form: Form, said: Answer) -> None:
        """Over these spaces, where the page would take another way."""
        question = {"node": self.node, "form": form["form"], "units": said["units"], "aboard": said.get("aboard", {})}
        board = self.player.api.replace("/api/lessons/", "/api/boards/")
        asked = self.page.request.post(f"{board}/reach", data=question)
        assert asked.ok, asked.text()
        if list(chain(asked.json()["via"], said["path"][-1])) == said["path"][::-1]:
            return
        self.press("bend")
        for loc in said["path"][1:-1]:
            self.space(loc)

    def declare(self, _form: Form, said: Answer) -> None:
        self.space(said["target"])
        self.comes("go")
        self.counters(set(said["units"]), lambda unit: unit)
        self.go()

    def allocate(self, form: Form, said: Answer) -> None:
        for lot in form["lots"]:
            for unit in sorted(said["lots"].get(lot["id"], ()), key=lambda unit: unit in lot["last"]):
                key = f"unit-{lot['id']}-{unit}"
                self.comes(key)
                self.press(key)
                expect(self.player.key(key)).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
        self.go()

    def counters(self, wanted: set[str], key: Callable[[str], str]) -> None:
        """Presses the counters of a tray until those that are wanted are taken."""
        now = set(self.page.evaluate(PRESSED))
        for unit in sorted(now ^ {key(unit) for unit in wanted}):
            before = self.page.evaluate(PRESSED)
            self.press(f"unit-{unit}")
            self.until(lambda before=before: self.page.evaluate(PRESSED) != before, unit)  # type: ignore[misc]

    def place(self, form: Form, said: Answer) -> None:
        group = {unit: one["id"] for one in form["groups"] for unit in one["units"]}
        for unit, loc in said["placed"].items():
            if not self.shown(f"unit-{unit}"):
                self.press(f"fold-{group[unit]}")
            self.press(f"unit-{unit}")
            expect(self.player.key(f"unit-{unit}")).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
            self.press(f"off-{loc}") if self.shown(f"off-{loc}") else self.space(loc)
            self.until(lambda unit=unit: not self.shown(f"unit-{unit}"), f"{unit} at {loc}")  # type: ignore[misc]
        self.go()

    def line(self, form: Form, said: Answer) -> None:
        for unit, slot in said["placed"].items():
            at = form["slots"].index(slot)
            if (there := self.page.evaluate(SLOTS)[at]) != f"unit-{unit}":
                self.press(f"unit-{unit}")
                self.press(there)
                self.until(lambda at=at, unit=unit: self.page.evaluate(SLOTS)[at] == f"unit-{unit}", slot)  # type: ignore[misc]
        self.go()


def chain(via: Mapping[str, str], to: str) -> Iterator[str]:
    """The way back from a space."""
    at: str | None = to
    while at is not None:
        yield at
        at = via.get(at)


class Keys(Hand):
    """Tab, Enter, Space and arrows; a space is found by its number or name."""

    def reach(self, key: str) -> None:
        """By Tab alone, the shorter way round."""
        self.comes(key)
        far = self.page.evaluate(FAR, key)
        for _ in range(abs(far)):
            self.page.keyboard.press("Tab" if far > 0 else "Shift+Tab")
        self.player.tab_to(key, back=far < 0)

    def press(self, key: str) -> None:
        self.reach(key)
        ticked = self.page.evaluate("() => document.activeElement.type === 'checkbox'")
        self.page.keyboard.press("Space" if ticked else "Enter")

    def space(self, loc: str) -> None:
        if self.page.evaluate("() => document.activeElement.matches('select')"):
            self.page.keyboard.press("Tab")  # a list would take the letter for itself
        self.page.keyboard.press("f")
        expect(self.page.locator(".find-pop input")).to_be_focused(timeout=PATIENCE)
        self.page.keyboard.type(loc)
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".board-view")).to_be_focused()
        self.page.keyboard.press("Enter")

    def select(self, key: str, value: str) -> None:
        self.reach(key)
        for _ in range(10):
            if self.page.evaluate("() => document.activeElement.value") == value:
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"{key} does not offer {value}")


class Thumb(Hand):
    """Taps."""

    def press(self, key: str) -> None:
        self.player.press(self.player.key(key).first)

    def space(self, loc: str) -> None:
        self.player.tap(loc)

    def select(self, key: str, value: str) -> None:
        self.player.key(key).select_option(value)
