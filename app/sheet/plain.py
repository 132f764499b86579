"""Style sheets without custom properties, for programs that draw SVG and know none."""

from __future__ import annotations

import re
from collections.abc import Iterator

VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)")
MIXED = re.compile(r"color-mix\([^,()]*,\s*([^,()]+),\s*([^,()]+)\)")
HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}$")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
AT_RULE = re.compile(r"@[\w-]+[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
LEFT_OUT = {"transform", "visibility", "animation", "cursor"}  # which only level of detail and the board need

Declared = dict[str, str]


def plain(css: str) -> str:
    """The same style with every value written out. Themes are chosen before (`stills.style_sheet`).

    A rule whose values come from a class beside or above it is repeated for each class that sets them, or that sets
    what a class of its own makes them of. What has no value is `none`.
    """
    rules = list(_rules(css))
    root: Declared = {}
    setting = []  # (selector, the custom properties it sets)
    for selector, declared in rules:
        own = {name: value for name, value in declared.items() if name.startswith("--")}
        if selector in (":root", ":root:root"):
            root |= own
        elif own and ":" not in selector:
            setting.append((selector, own))
    made = {name: value for _, own in setting for name, value in own.items() if VARIABLE.search(value)}
    general, special = [], []
    for selector, declared in rules:
        shown = {name: value for name, value in declared.items() if name[:2] != "--" and name not in LEFT_OUT}
        if ":" in selector or not shown:
            continue
        general.append(_written(selector, {name: _value(value, root) for name, value in shown.items()}))
        for setter, own in setting:
            told = {name: _value(value, root | made | own) for name, value in shown.items()
                    if _of(value, made | own) & own.keys()}  # fmt: skip
            if told:
                special += [_written(one, told) for one in sorted(_together(setter, selector))]
    return "".join(general + special)


def _rules(css: str) -> Iterator[tuple[str, Declared]]:
    for selectors, body in RULE.findall(AT_RULE.sub("", COMMENT.sub("", css))):
        pairs = (one.split(":", 1) for one in body.split(";") if ":" in one)
        declared = {name.strip(): value.strip() for name, value in pairs}
        for selector in selectors.split(","):
            yield selector.strip(), declared


def _of(value: str, known: Declared) -> set[str]:
    """The properties that a value names, and those that these are made of."""
    named = {name for name, _ in VARIABLE.findall(value)}
    return named.union(*(_of(known[name], known) for name in named if name in known))


def _value(value: str, known: Declared) -> str:
    while VARIABLE.search(value):
        value = VARIABLE.sub(lambda found: known.get(found[1], found[2] or "none"), value)
    while MIXED.search(value):
        value = MIXED.sub(_mixed, value)
    return value


def _mixed(found: re.Match[str]) -> str:
    """Two colours, each perhaps with its share; the first where one of them is none that can be mixed."""
    (first, *share), (second, *rest) = found[1].split(), found[2].split()
    if not (HEX.match(first) and HEX.match(second)):
        return first
    part = 1 - _share(rest) if rest else _share(share) if share else 0.5
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02X}" for a, b in pairs)


def _share(told: list[str]) -> float:
    return float(told[0].rstrip("%")) / 100


def _channels(colour: str) -> list[int]:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return [int(digits[i : i + 2], 16) for i in (0, 2, 4)]


def _together(setter: str, selector: str) -> set[str]:
    """How a class that sets properties may stand to what uses them: above it, or on its first or its last element."""
    first, _, rest = selector.partition(" ")
    upper, _, last = selector.rpartition(" ")
    return {f"{setter} {selector}", f"{first}{setter} {rest}".strip(), f"{upper} {last}{setter}".strip()}


def _written(selector: str, declared: Declared) -> str:
    return f"{selector}{{{';'.join(f'{name}:{value}' for name, value in declared.items())}}}\n"
