"""Highways, roads, trails and railways through the sites of hexes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.sheet.hexsheet import HexSheet
from app.sheet.pen import Line, Point, chains, pen, relax, resample, ribbon, spline, wander


def roads(sheet: HexSheet) -> str:
    """All ways of the sheet; a railway steps aside where it runs with a road."""
    highways, paved, trails = (_ways(sheet, kind) for kind in ("highway", "road", "trail"))
    rails = _ways(sheet, "rail", beside=[p for line in (*highways, *paved, *trails) for p in line])
    highway, road, trail, rail = ("".join(pen(line) for line in lines) for lines in (highways, paved, trails, rails))
    broad = f'<path class="m-highway-rim" d="{highway}"/><path class="m-highway" d="{highway}"/>' if highway else ""
    return (
        f'<path class="m-casing" d="{road}{trail}"/><path class="m-road" d="{road}"/>'
        f'<path class="m-trail" d="{trail}"/>{broad}'
        f'<path class="m-rail" d="{rail}"/><path class="m-ties" d="{rail}"/>'
    )


def _ways(sheet: HexSheet, kind: str, beside: Sequence[Point] = ()) -> list[Line]:
    """The ways of a kind as fine lines; corners are relaxed once, places with a sign stay put."""
    marked = sheet.style.get("marks", {})
    pairs = [(sheet.site(a), sheet.site(b)) for a, b in sorted(sorted(e) for e in sheet.edges[kind])]
    towns = {sheet.site(k) for k, h in sheet.hexes.items() if any(f["type"] in marked for f in h["features"])}
    out = []
    for path in chains(pairs):
        soft = [p if p in towns else q for p, q in zip(path, relax(path, 1), strict=True)]
        line = wander(resample(spline(soft, 8), 10), 2.2, 40)
        if beside:
            near = [float(any(math.dist(p, q) < 15 for q in beside)) for p in line]
            windows = [near[max(0, n - 3) : n + 4] for n in range(len(near))]
            line = ribbon(line, [12 * sum(w) / len(w) for w in windows])[: len(line)]
        for x, y in line:
            sheet.block(x, y, 5)
        out.append(line)
    return out
