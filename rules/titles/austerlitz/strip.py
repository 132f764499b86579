"""8.1-8.4 The combat under way, step by step, for the eyes: what was declared, checked, fired and fought, each die with
its modifiers. It is made from what is told, so that the rules of combat need not know of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STEPS: dict[str, tuple[tuple[str, str], ...]] = {
    "fire": (("declared", "8.1.1"), ("answer", "8.1.2"), ("results", "8.5")),
    "bayonet": (("declared", "8.2.1"), ("nerve", "8.2.1"), ("answer", "8.2.1"), ("stand", "8.2.1")),
    "assault": (("declared", "8.3.1"), ("nerve", "8.3.1"), ("answer", "8.3.1"), ("stand", "8.3.1"), ("melee", "8.3.1"),
                ("follow", "8.3.1")),
    "charge": (("declared", "8.4.2"), ("ride", "8.4.2"), ("counter", "6.2.3"), ("stand", "8.4.2"), ("answer", "8.4.2"),
               ("melee", "8.4.2"), ("follow", "8.4.2")),
}
BEGINS = {"fired": "fire", "attack_declared": "", "charge_declared": "charge", "reaction_charge": "charge"}
OF = {"fired": "declared", "attack_declared": "declared", "charge_declared": "declared", "reaction_charge": "ride",
      "attacker_checked": "nerve", "returned_fire": "answer", "stepped_back": "answer", "charged_on": "ride",
      "reaction_fire": "ride", "countercharge_tried": "counter", "countercharged": "counter", "square_tried": "stand",
      "square_formed": "stand", "defender_checked": "stand", "melee": "melee", "pursuit_tried": "follow",
      "pursued": "follow", "advanced": "follow"}
AFTER = frozenset({"lost_points", "destroyed", "morale_checked", "unsteady", "routed", "retreated", "retreat_blocked",
                   "leader_hit", "leader_unhurt", "stands", "both_rolled"})  # they belong to the step under way
SAID = ("unit", "units", "roll", "result", "count", "total", "leader", "rolls")  # what their sentences name
LONGEST = 24


def concerns(fight: dict[str, Any] | None, event: str) -> bool:
    """Whether an event belongs to a combat: it begins one, or goes on with the one under way."""
    return event in BEGINS or (fight is not None and (event in OF or event in AFTER))


def note(fight: dict[str, Any] | None, event: str, clause: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The strip after an event of a combat: a new one where it begins, else the old one with a line more."""
    if fight is None or event in BEGINS:
        fight = {"kind": BEGINS[event] or str(data["kind"]), "target": data.get("at"), "from": data.get("from"),
                 "step": 0, "lines": []}
    names = [name for name, _clause in STEPS[fight["kind"]]]
    step = OF.get(event)
    if step in names:
        fight["step"] = max(fight["step"], names.index(step))
    elif step is None and fight["kind"] == "fire":
        fight["step"] = names.index("results")
    line: dict[str, Any] = {"step": names[fight["step"]], "event": event, "clause": clause,
                            "args": {k: data[k] for k in SAID if k in data}}
    if data.get("modifiers"):
        line["modifiers"] = data["modifiers"]
    fight["lines"] = [*fight["lines"], line][-LONGEST:]
    return fight


def shown(fight: dict[str, Any] | None, over: bool) -> dict[str, Any] | None:
    """The strip as docs/protocol.md section 2 has it (`combat`); it stays until the next activation begins."""
    if fight is None:
        return None
    steps = []
    for n, (name, clause) in enumerate(STEPS[fight["kind"]]):
        lines = [{"text": {"key": f"event.{line['event']}", "args": line["args"]}, "clause": line["clause"],
                  **({"modifiers": line["modifiers"]} if "modifiers" in line else {})}
                 for line in fight["lines"] if line["step"] == name]
        state = "done" if n < fight["step"] + over else "now" if n == fight["step"] else "todo"
        steps.append({"id": name, "label": {"key": f"strip.{name}", "args": {}}, "clause": clause, "state": state,
                      "lines": lines})
    return {"title": {"key": f"form.{fight['kind']}", "args": {}}, "target": fight["target"], "from": fight["from"],
            "steps": steps}
