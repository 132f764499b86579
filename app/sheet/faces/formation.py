"""Troops as the blocks of a staff map: the shape is the formation, its bright edge the front, the band at the rear the
corps. The board turns the shape to the facing and sets the figures upright on it (static/js/board/troops.js).

Fields: `type` (`infantry`, `cavalry`, `heavy_cavalry`, `foot_artillery`, `horse_artillery`), `abbrev` or `name`, what
the file's `figures` name for formations (the first is the strength, shown longest), and perhaps `band`: a class for
whose `--band` the theme has a colour, and `parts`: in how many the band is broken.

Shapes have ids `f-FORMATION-TYPE`, and `f-FORMATION-TYPE-2` over two hexes, in a box of 64 around 0,0, facing north.
`data-mid`, `data-gap`: where the figures lie, along the block, or with `data-deep` from front to rear; `data-fixed`:
has no facing; `data-flag`: under a white flag (`f-flag`), which is not turned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from app.sheet.faces.parts import Face, Piece, Style, has_reduced
from app.sheet.lettering import escape
from app.sheet.pen import num

HORSE, HEAVY, GUNS = ("cavalry", "heavy_cavalry"), "heavy_cavalry", ("foot_artillery", "horse_artillery")
BODIES = ("infantry", *HORSE)
USED = re.compile(r'<use href="#f-([\w-]+)"([^/]*)/>')
SMALL = 0.78  # of a shape in the 44 of lists
ONE_ROW = 3  # figures that stand one under another there
APART = 69.28  # between the centres of two hexes
Jumble = Sequence[tuple[float, float, float]]
JUMBLED: Jumble = [(-3, -16, -10), (4, 0, 8), (-2, 16, -5)]
FLED = [(6.0, -17.0, 17.0, 24.0), (-4.0, -1.0, -13.0, 28.0), (3.0, 15.0, 10.0, 22.0)]
SWARM: Jumble = [
    *((0, -27, 4), (16, -22, -12), (-17, -21, 14), (27, -9, 40), (-27, -8, -38)),
    *((27, 9, -36), (-27, 10, 42), (17, 22, 10), (-16, 22, -8), (1, 27, 3)),
]


def _draw(name: str, piece: Piece, _style: Style) -> str:
    """The unit as lists show it: its usual shape, facing north."""
    shape = f"limbered-{piece['type']}" if piece["type"] in GUNS else f"column-{piece['type']}"
    classes = " ".join(("ctr", piece["nation"], "troops", *band(piece)))
    figures = piece.get("figures", ())
    spots = zip(_spots(len(figures)), figures, strict=True)
    text = "".join(f'<text x="{x}" y="{num(y)}">{escape(told)}</text>' for (x, y), told in spots)
    return (
        f'<g id="c-{name}" class="{classes}"><path class="tr-card" d="M.4.4h43.2v43.2H.4z"/>'
        f'<g transform="translate(22 22)scale({SMALL})"><use href="#f-{shape}"/></g><g class="tr-small">{text}</g></g>'
    )


def _spots(count: int) -> list[tuple[float, float]]:
    """Where figures stand in the 44 of lists: one under another, two by two where there are more than three."""
    if count > ONE_ROW:
        return [((15, 29)[i % 2], 27.4 + (i // 2 - (count - 1) // 2 / 2) * 13.4) for i in range(count)]
    return [(22, 26 + (i - (count - 1) / 2) * 12.6) for i in range(count)]


def band(piece: Piece) -> tuple[str, ...]:
    parts = piece.get("parts", 1)
    return (*((piece["band"],) if piece.get("band") else ()), *((f"parts-{parts}",) if parts > 1 else ()))


def _worth(piece: Piece) -> float:
    first = next(iter(piece.get("figures", ())), "0")
    return float(first) if first.isdigit() else 0


FACE = Face(_draw, worth=_worth, turns=has_reduced)


def shapes(pieces: Mapping[str, Piece]) -> str:
    """Every formation of every type that some piece has; "" where none is drawn so."""
    groups = [f'<g id="f-{key}"{_where(key)}>{body}</g>' for key, body in _drawn(pieces).items()]
    return "".join([*groups, *([f'<g id="f-flag">{FLAG}</g>'] if groups else [])])


def spelled(drawn: str, pieces: Mapping[str, Piece]) -> str:
    """Troops with their shapes written out where they stand, for a drawer to which what is inside a <use> has the
    classes of its definition alone, so neither nation nor corps."""
    known = _drawn(pieces)
    return USED.sub(lambda found: f"<g{found[2]}>{known[found[1]]}</g>" if found[1] in known else found[0], drawn)


def _drawn(pieces: Mapping[str, Piece]) -> dict[str, str]:
    """The shapes by name, without `f-`."""
    types = {piece["type"] for piece in pieces.values() if piece.get("face") == "formation"}
    return {key: body for kind in sorted(types) for key, body in _shapes_of(kind).items()}


LAID = {  # formation -> middle and step of its figures; whether they lie from front to rear; whether it has no facing
    "line": (5.2, 19, False, False),
    "column": (0.0, 14.8, True, False),
    "disorder": (0.0, 15.2, True, False),
    "routed": (1.0, 15.5, True, False),
    "unlimbered": (-3.4, 16, False, False),
    "limbered": (0.5, 17, True, False),
    "skirmish": (0.0, 12, False, True),
    "square": (0.0, 11, False, True),
}


def laid(key: str) -> tuple[float, float, bool, bool]:
    """Of a shape, FORMATION-TYPE or FORMATION-TYPE-2, as `LAID` has it."""
    middle, gap, deep, fixed = LAID[key.split("-")[0]]
    two = key.endswith("-2")
    return (7 - APART / 2, 17.3, deep, fixed) if deep and two else (middle, gap, deep, fixed and not two)


def shape_of(formation: str | None, kind: str, *, two: bool) -> str:
    """The shape of a formation, the usual one where there is none of its own."""
    known, usual = _shapes_of(kind), "limbered" if kind in GUNS else "column"
    wanted = [f"{form}-{kind}{over}" for form in (formation or usual, usual) for over in (("-2", "") if two else ("",))]
    return next(shape for shape in wanted if shape in known)


def _where(key: str) -> str:
    """Where the figures lie on a shape."""
    middle, gap, deep, fixed = laid(key)
    marks = {"deep": deep, "flag": key.startswith("routed"), "fixed": fixed}
    told = "".join(f' data-{mark}=""' for mark, holds in marks.items() if holds)
    return f' data-mid="{num(middle)}" data-gap="{gap}"{told}'


@cache
def _shapes_of(kind: str) -> dict[str, str]:
    if kind in GUNS:
        return {f"unlimbered-{kind}": _unlimbered(kind), f"limbered-{kind}": _limbered(kind)}
    loose = [(x, y, t, 35.0) for x, y, t in JUMBLED]
    long = [((-3, 4, -2, 3, -4, 2)[i], -16 + 17.3 * i, (-10, 8, -5, 7, -8, 5)[i], 35.0) for i in range(6)]
    out = {
        f"line-{kind}": block(0, -5, 60, 25, kind),
        f"line-{kind}-2": block(0, -5, 129, 25, kind) + '<path class="tr-joint" d="M0-15v16"/>',
        f"column-{kind}": "".join(block(0, 16 * i, 36, 15, kind, front=i < 0, rear=i > 0) for i in (-1, 0, 1)),
        f"column-{kind}-2": "".join(
            block(0, -16 + i * 17.3, 36, 15.6, kind, front=i == 0, rear=i == 5) for i in range(6)),
        f"disorder-{kind}": _jumbled(loose, kind),
        f"disorder-{kind}-2": _jumbled(long, kind),
        f"routed-{kind}": f'<g class="tr-flee">{_jumbled(FLED, kind, front=False)}</g>',
    }  # fmt: skip
    if kind == "infantry":
        out |= {"square-infantry": _square(), "skirmish-infantry": _swarm(SWARM) + _screen()}
        far = APART / 2
        out["skirmish-infantry-2"] = _swarm(SWARM[:-1], -far) + _swarm(SWARM[1:], far) + _screen()
    return out


FLAG = '<path class="tr-pole" d="M10-4v-24"/><path class="tr-flag" d="M10-28q5-3 9 0t8-1v9q-4 2-8 0t-9 1z"/>'


def block(x: float, y: float, wide: float, deep: float, kind: str, *, front: bool = True, rear: bool = True,
          loose: bool = False) -> str:  # fmt: skip
    """One body of troops, front up, its middle at x, y."""
    left, top = x - wide / 2, y - deep / 2
    frame = f"M{num(left)} {num(top)}h{num(wide)}v{num(deep)}h{num(-wide)}z"
    out = [f'<path class="tr-body" d="{frame}"/>']
    if kind in HORSE:  # horse: the old diagonal, heavy horse in a darker half
        corner = f"M{num(left)} {num(top + deep)}L{num(left + wide)} {num(top)}"
        out.append(f'<path class="tr-half{" heavy" if kind == HEAVY else ""}" d="{corner}v{num(deep)}z"/>')
        out.append(f'<path class="tr-diagonal" d="{corner}"/>')
    if rear:
        out.append(f'<path class="tr-band" pathLength="100" d="M{num(left)} {num(top + deep - 2.2)}h{num(wide)}"/>')
    if front:
        out.append(f'<path class="tr-front{" loose" if loose else ""}" d="M{num(left)} {num(top + 1.9)}h{num(wide)}"/>')
    return "".join(out) + f'<path class="tr-rim" d="{frame}"/>'


def _jumbled(spots: Sequence[tuple[float, float, float, float]], kind: str, front: bool = True) -> str:
    last = len(spots) - 1
    return "".join(
        f'<g transform="translate({num(x)} {num(y)})rotate({num(turn)})">'
        f"{block(0, 0, wide, 14 if front else 12, kind, front=front and not i, rear=i == last, loose=True)}</g>"
        for i, (x, y, turn, wide) in enumerate(spots)
    )


def _square() -> str:
    ring, yard = "M-24-24h48v48h-48z", "M-15-15v30h30v-30z"
    return (
        f'<path class="tr-body" fill-rule="evenodd" d="{ring}{yard}"/><path class="tr-yard" d="{yard}"/>'
        '<path class="tr-front" d="M-22.2-22.2h44.4v44.4h-44.4z"/>'
        '<path class="tr-band" pathLength="100" d="M-15-15h30"/>'
        f'<path class="tr-rim" d="{ring}{yard}"/>'
    )


def _swarm(spots: Jumble, down: float = 0) -> str:
    places = [f"translate({num(x)} {num(y + down)})rotate({num(turn)})" for x, y, turn in spots]
    return "".join(f'<path class="tr-dot" d="M-4-2.2h8v4.4h-8z" transform="{place}"/>' for place in places)


def _screen() -> str:
    return (
        '<path class="tr-body" d="M-20-9.5h40v19h-40z"/><path class="tr-band" pathLength="100" d="M-20 7.5h40"/>'
        '<path class="tr-rim" d="M-20-9.5h40v19h-40z"/>'
    )


def _unlimbered(kind: str) -> str:
    return "".join(_gun(x) for x in (-18, 0, 18)) + block(0, 4, 52, 19, _crew(kind), front=False)


def _gun(x: float) -> str:
    rest = f"M{num(x - 4.6)}-19v8M{num(x + 4.6)}-19v8M{num(x - 5)}-15h10"
    return (
        f'<path class="tr-gun-case" d="M{num(x)}-26v17{rest}"/><path class="tr-gun" d="M{num(x)}-26v17"/>'
        f'<path class="tr-wheel" d="{rest}"/>'
    )


def _limbered(kind: str) -> str:
    team = "M-5-31q3-4 3 2v6h-5v-5zM5-31q-3-4-3 2v6h5v-5z"
    return (
        f'<path class="tr-horse" d="{team}"/><path class="tr-pole" d="M0-24v8"/>'
        '<path class="tr-wheel" d="M-16-14v10M16-14v10M-16 8v12M16 8v12"/>'
        f"{block(0, -9, 26, 15, _crew(kind), front=False, rear=False)}{block(0, 8, 26, 15, _crew(kind), front=False)}"
        '<path class="tr-gun-case" d="M0 16v14"/><path class="tr-gun" d="M0 17v13"/>'
    )


def _crew(kind: str) -> str:
    return "cavalry" if kind == "horse_artillery" else "infantry"
