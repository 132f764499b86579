"""What the page itself says of a form is true of it: how many can be placed, and when enough is chosen. The forms come
from random play of every title; the page's own drafts answer them, and the rules judge that."""

from random import Random
from typing import Any

from playwright.sync_api import Browser

from rules import bots, titles
from rules.core.chance import Chance
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Place
from rules.core.referee import Referee
from tests.browser.test_page_units import ORIGIN, _static
from tests.rules.harness import data

STARTS: list[tuple[str, dict[str, Any] | None, int]] = [
    ("triple_alliance", {"turn": 4, "phase": "allied_movement", "units": {
        f"AR-INF-{n}": "dead" for n in range(1, 9)}}, 4),
    ("triple_alliance", {"turn": 4, "phase": "events"}, 3), ("ultimo_hombre", None, 60), ("chaco", None, 30),
    ("guerra_a_muerte", None, 25)]  # fmt: skip
FULL = {"refusal.no_room", "refusal.too_dear", "refusal.spaces_shut", "refusal.has_served"}
PLACED = """async (offers) => {
  const m = await import('/static/js/game/place.js')
  return offers.map((form) => form.groups.map((group) => {
    const d = new m.PlaceDraft(form), most = d.capacity(group), taken = group.units.slice(0, most)
    for (const unit of taken) {
      d.pick([unit])
      const loc = d.legal()[0]
      if (loc) d.drop(loc)
    }
    return { id: group.id, most, placed: d.answer().placed, left: d.capacity(group) }
  }))
}"""
CHOSEN = """async (offers) => {
  const m = await import('/static/js/game/allocate.js')
  return offers.map((form) => {
    const d = new m.AllocateDraft(form), none = d.complete
    d.fill(() => 0)
    return { none, least: d.answer(), complete: d.complete }
  })
}"""


SMALL = """async () => {
  document.body.innerHTML = '<main id="main" data-title="x"></main>'
  const { menuItems } = await import('/static/js/game/desk.js')
  const { Names, Texts } = await import('/static/js/game/texts.js')
  const { undoButton } = await import('/static/js/game/undo.js')
  const game = { store: { card: { pace: {} }, request: {} }, plays: true, parts: { game: 'g' }, sound: null,
    api: { url: () => '' }, aids: {} }
  const units = Object.fromEntries(['AR-INF-10', 'AR-INF-1', 'AR-INF-2'].map((id) => [id, {}]))
  const words = { 'clause.8.title': 'Retreat', 'game.undo.entry': '{what} (rule {clause})',
    'game.undo.free': 'Take back', 'game.undo.no_consent': 'no consent needed' }
  const texts = new Texts('en', words, new Names(units, null, []))
  const entries = new Map([[154, { seq: 154, clause: '8', steps: [], seat: 'allied' }]])
  const store = { takeBack: { free: 154, consent: [] }, entries, card: { seats: {} } }
  const undo = undoButton({ texts, store }, () => 0)
  return [menuItems(game).map((group) => group.items.map((item) => item.key)), texts.ordered(Object.keys(units)),
    [...[...undo.children].map((child) => child.textContent), undo.title]]
}"""


def asked() -> tuple[list[Place], list[Allocate]]:
    """The forms of these kinds that games at random ask."""
    places: list[Place] = []
    lots: list[Allocate] = []
    for title_id, body, answers in STARTS:
        title, rng, bot = titles.load(title_id), Random(3), bots.make("random")
        pos = title.written(data(title_id), {"position": body}) if body else \
            title.first(data(title_id), next(iter(data(title_id).scenarios)), {})
        game = Referee.at(title, pos, Chance(b"page"))
        for _ in range(answers):
            if not game.asked:
                break
            forms = game.pending[game.asked[0]].forms
            places += [form for form in forms if isinstance(form, Place) and not any(g.must for g in form.groups)]
            lots += [form for form in forms if isinstance(form, Allocate)]
            game.answer(game.asked[0], bot.answer(game, game.asked[0], rng))
    return places, lots


def refusal(form: Place | Allocate, **answer: Any) -> str | None:
    try:
        form.check({"form": form.name, **answer})
    except Refusal as refused:
        return refused.key
    return None


def test_what_the_page_counts_is_what_the_rules_take(browser: Browser) -> None:
    places, lots = asked()
    page = browser.new_page()
    page.route(f"{ORIGIN}/**", _static)
    page.goto(f"{ORIGIN}/")
    found = page.evaluate(PLACED, [form.offer() for form in places])
    for form, groups in zip(places, found, strict=True):
        for group, said in zip(form.groups, groups, strict=True):
            assert len(said["placed"]) == said["most"], (form.name, said)
            assert said["left"] == 0
            if said["most"]:
                assert refusal(form, placed=said["placed"]) not in FULL, (form.name, said)
            more = [u for u in group.units if u not in said["placed"]][:1]
            for unit in more:  # and no one beyond
                assert all(refusal(form, placed={**said["placed"], unit: loc}) is not None for loc in group.where)
    chosen = page.evaluate(CHOSEN, [form.offer() for form in lots])
    for losing, draft in zip(lots, chosen, strict=True):
        assert draft["none"] == all(lot.least == 0 for lot in losing.lots)
        assert draft["complete"]
        assert refusal(losing, lots=draft["least"]["lots"]) not in ("refusal.count", "refusal.others_first")
    assert len(places) > 20
    assert len(lots) > 5
    keys, order, undo = page.evaluate(SMALL)
    assert keys[-1] == ["draw", "resign"]  # last and apart
    assert max(map(len, keys)) <= 7
    assert order == ["AR-INF-1", "AR-INF-2", "AR-INF-10"]
    assert undo == ["Take back", "Retreat (rule 8)", "Retreat (rule 8) (no consent needed)"]
    page.close()
