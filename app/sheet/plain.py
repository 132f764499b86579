"""Style sheets without custom properties, for programs that draw SVG and know none."""

from __future__ import annotations

import re
from collections.abc import Iterator

VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)")
MIXED = re.compile(r"color-mix\([^,]*,\s*(var\(--[\w-]+\)).*\)$")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
AT_RULE = re.compile(r"@[\w-]+[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
LEFT_OUT = {"transform", "visibility", "animation", "cursor"}  # which only level of detail and the board need

Declared = dict[str, str]


def plain(css: str) -> str:
    """The same style with every value written out. Themes are chosen before (`stills.style_sheet`).

    A rule whose values come from a class beside or above it is repeated for each class that sets them. What has no
    value is `none`; a mix of colours becomes the first of them.
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
    general, special = [], []
    for selector, declared in rules:
        shown = {name: value for name, value in declared.items() if name[:2] != "--" and name not in LEFT_OUT}
        if ":" in selector or not shown:
            continue
        general.append(_written(selector, {name: _value(value, root) for name, value in shown.items()}))
        for setter, own in setting:
            told = {name: _value(value, root | own) for name, value in shown.items()
                    if any(variable in own for variable, _ in VARIABLE.findall(value))}  # fmt: skip
            if told:
                special += [_written(one, told) for one in sorted(_together(setter, selector))]
    return "".join(general + special)


def _rules(css: str) -> Iterator[tuple[str, Declared]]:
    for selectors, body in RULE.findall(AT_RULE.sub("", COMMENT.sub("", css))):
        pairs = (one.split(":", 1) for one in body.split(";") if ":" in one)
        declared = {name.strip(): value.strip() for name, value in pairs}
        for selector in selectors.split(","):
            yield selector.strip(), declared


def _value(value: str, known: Declared) -> str:
    while VARIABLE.search(value):
        value = MIXED.sub(r"\1", value)
        value = VARIABLE.sub(lambda found: known.get(found[1], found[2] or "none"), value)
    return value


def _together(setter: str, selector: str) -> set[str]:
    """How a class that sets properties may stand to what uses them: above it, or on its first or its last element."""
    first, _, rest = selector.partition(" ")
    upper, _, last = selector.rpartition(" ")
    return {f"{setter} {selector}", f"{first}{setter} {rest}".strip(), f"{upper} {last}{setter}".strip()}


def _written(selector: str, declared: Declared) -> str:
    return f"{selector}{{{';'.join(f'{name}:{value}' for name, value in declared.items())}}}\n"
