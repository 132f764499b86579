"""Lines over the turns, drawn by the server: one a side, told apart by colour and dash."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

WIDE, HIGH, LEFT, TOP, FOOT, RIGHT = 640, 190, 44, 12, 24, 12
DASHES = ("none", "9 4", "2 4", "12 3 2 3")
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
LABELS = 18  # that have room below the lines


def lines(labels: Sequence[str], series: Mapping[str, Sequence[float]], name: str) -> Markup:
    """An SVG of values by turn for each side; `name` says what it shows."""
    values = [0.0, *(value for line in series.values() for value in line)]
    low, high = min(values), max(values)
    step = next((one for one in STEPS if (high - low) / one <= 5), STEPS[-1])
    bottom, top = step * int(low // step), step * max(1, -int(-high // step))

    def x(i: int) -> float:
        return LEFT + i * (WIDE - LEFT - RIGHT) / max(1, len(labels) - 1)

    def y(value: float) -> float:
        return TOP + (HIGH - TOP - FOOT) * (top - value) / (top - bottom)

    out = [f'<svg class="lines" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(name)}">']
    for value in range(bottom, top + 1, step):
        said = str(value).replace("-", "−")
        out.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDE - RIGHT}"/>'
                   f'<text class="axis end" x="{LEFT - 7}" y="{y(value) + 4:.1f}">{said}</text>')
    every = -(-len(labels) // LABELS)
    last = len(labels) - 1  # whose label ends with the picture
    out += [f'<text class="axis end" x="{WIDE - 1}" y="{HIGH - 6}">{escape(label)}</text>' if 0 < i == last else
            f'<text class="axis" x="{x(i):.1f}" y="{HIGH - 6}">{escape(label)}</text>'
            for i, label in enumerate(labels) if i % every == 0]  # fmt: skip
    for dash, (side, line) in zip(DASHES * len(series), series.items(), strict=False):
        way = "".join(f"{'L' if i else 'M'}{x(i):.1f} {y(value):.1f}" for i, value in enumerate(line))
        out.append(f'<path class="series side-{escape(side)}" stroke-dasharray="{dash}" d="{way}"/>')
        if len(line) == 1:  # a line of one point is none
            out.append(f'<circle class="series side-{escape(side)}" cx="{x(0):.1f}" cy="{y(line[0]):.1f}" r="4"/>')
    return Markup("".join([*out, "</svg>"]))
