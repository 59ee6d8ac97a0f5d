"""The papers' figures as drawings: curves in, SVG out, with a legend in the page's own colours."""

from __future__ import annotations

import math

from bench.papers.section import Chart, Curve
from discreet.report.markup import figure, text
from discreet.report.ru_map import COLOURS, colour
from discreet.report.svg import drawing, label, line, place

WIDTH, HEIGHT = 460.0, 290.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 14.0, 12.0, 42.0


class Axis:
    """Places values between two ends of the drawing, on a scale from a round value to another.

    >>> axis = Axis([3, 100], 0, 50)
    >>> axis.ticks
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    >>> axis(50)
    25.0
    """

    def __init__(
        self, values: list[float], start: float, end: float, logarithmic: bool = False
    ) -> None:
        self._start, self._end, self._log = start, end, logarithmic and min(values) > 0
        if self._log:
            low = 10.0 ** math.floor(math.log10(min(values)))
            high = max(values)
            steps = [m * 10.0**e for e in range(-12, 13) for m in (1, 2, 5)]
            top = next(step for step in steps if step >= high)
            self.ticks = [step for step in steps if low <= step <= top]
            if len(self.ticks) > 8:
                powers = [t for t in self.ticks if math.log10(t).is_integer()]
                self.ticks = powers if powers[-1] == top else [*powers, top]
            self._low, self._high = math.log10(low), math.log10(top)
            return
        low, high = min(0.0, *values), max(values)
        step = _round_step((high - low) / 5 or 0.2)
        first, last = math.floor(low / step), max(1, math.ceil(high / step - 1e-9))
        self.ticks = [i * step for i in range(first, last + 1)]
        self._low, self._high = self.ticks[0], self.ticks[-1]

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        at = math.log10(value) if self._log else value
        share = (at - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * power >= least * 0.999)


def drawn(chart: Chart) -> str:
    """Return a chart with its legend as HTML.

    >>> drawn(Chart("Figure 1", "k", "loss", (Curve("MDAV", ((3, 1), (5, 2))),))).count("<circle")
    2
    """
    xs = [x for curve in chart.curves for x, _ in curve.points]
    ys = [y for curve in chart.curves for _, y in curve.points]
    ends = (WIDTH - RIGHT, LEFT) if chart.falling else (LEFT, WIDTH - RIGHT)
    x, y = Axis(xs, *ends), Axis(ys, HEIGHT - BOTTOM, TOP, chart.logarithmic)
    parts = [_frame(chart, x, y)]
    for number, curve in enumerate(chart.curves):
        tint = colour(number if curve.beside is None else curve.beside)
        spots = [(place(x(a)), place(y(b))) for a, b in curve.points]
        if curve.joined and len(spots) > 1:
            path = "L".join(" ".join(spot) for spot in spots)
            parts.append(f'<path d="M{path}" fill="none" stroke="{tint}" stroke-width="1.8"/>')
        look = 'r="5" fill="none"' if _ring(number, curve) else f'r="3.5" fill="{tint}"'
        for (across, up), (a, b) in zip(spots, curve.points, strict=True):
            told = f"{curve.name}: {chart.across} {figure(a)}, {chart.up} {figure(b)}"
            parts.append(
                f'<circle cx="{across}" cy="{up}" {look} stroke="{tint}" stroke-width="1.6">'
                f"<title>{text(told)}</title></circle>"
            )
    words = f"{chart.up} over {chart.across}: {', '.join(curve.name for curve in chart.curves)}"
    keys = "".join(
        f'<li><i style="{_key(i, curve)}"></i>{text(curve.name)}</li>'
        for i, curve in enumerate(chart.curves)
    )
    picture = drawing(WIDTH, HEIGHT, chart.title, words, "".join(parts))
    return (
        f"<figure><figcaption><strong>{text(chart.title)}</strong></figcaption>"
        f'{picture}<ul class="keys">{keys}</ul></figure>\n'
    )


def _key(number: int, curve: Curve) -> str:
    tint = colour(number if curve.beside is None else curve.beside)
    return f"border:2px solid {tint}" if _ring(number, curve) else f"background:{tint}"


def _ring(number: int, curve: Curve) -> bool:
    """Whether points are rings: figures of the paper, and curves whose colour is taken already."""
    return curve.beside is not None or number >= len(COLOURS)


def _frame(chart: Chart, x: Axis, y: Axis) -> str:
    parts = []
    for tick in y.ticks:
        parts.append(line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "axis"))
        parts.append(label(LEFT - 6, y(tick) + 4, figure(round(tick, 9)), "end", "soft"))
    for tick in x.ticks:
        parts.append(line(x(tick), HEIGHT - BOTTOM, x(tick), HEIGHT - BOTTOM + 4, "strong-axis"))
        words = figure(round(tick, 9))
        parts.append(label(x(tick), HEIGHT - BOTTOM + 16, words, "middle", "soft"))
    parts.append(line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "strong-axis"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(label(middle, HEIGHT - 8, chart.across, "middle"))
    up = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text x="12" y="{place(up)}" text-anchor="middle" '
        f'transform="rotate(-90 12 {place(up)})">{text(chart.up)}</text>'
    )
    return "".join(parts)
