"""17.4 Where the Paraguayan army stands when its player is free to choose."""

from __future__ import annotations

from rules.bots.ultimo_hombre.sight import Sight
from rules.core.forms import Answer, Place

LINE = 6  # battalions of the line, the best of the infantry
# Space -> battalions of the line, squadrons, other battalions. The northern column of the printed set-up stands on the
# border of Mato Grosso, the southern ones get its cavalry's place filled from the forts and have a reserve in Tuyutí.
PLAN = {
    "fuerte_olimpo": (2, 3, 1),
    "itapiru": (2, 2, 2),
    "encarnacion": (2, 2, 2),
    "tuyuti": (0, 0, 3),
    "curupayti": (0, 0, 1),
    "humaita": (0, 0, 1),
    "concepcion": (0, 0, 1),
    "asuncion": (0, 0, 1),
    "cerro_leon": (0, 0, 1),
}


def set_up(sight: Sight, form: Place) -> Answer:
    """The army by the plan; who has no place in it stays where the printed set-up has him."""
    units = sight.best(form.groups[0].units)
    foot = [u for u in units if sight.unit(u).type == "infantry"]
    arms = (foot[:LINE], [u for u in units if u not in foot], foot[LINE:])
    ready = [iter(arm) for arm in arms]
    placed = dict(form.suggested)
    for space, counts in PLAN.items():
        for arm, n in zip(ready, counts, strict=True):
            placed.update((unit, space) for _, unit in zip(range(n), arm, strict=False))
    return {"form": form.name, "placed": placed}
