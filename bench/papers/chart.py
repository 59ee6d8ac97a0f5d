"""The papers' figures as drawings: curves in, SVG out, and the colours of a legend."""

from __future__ import annotations

from bench.papers.section import Chart, Curve
from discreet.report.axis import Axis
from discreet.report.markup import figure, text
from discreet.report.ru_map import COLOURS, colour
from discreet.report.svg import drawing, label, line, place

WIDTH, HEIGHT = 460.0, 290.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 26.0, 12.0, 42.0


def drawn(chart: Chart) -> str:
    """Return a chart as SVG.

    >>> drawn(Chart("Figure 1", "k", "loss", (Curve("MDAV", ((3, 1), (5, 2))),))).count("<circle")
    2
    """
    xs = [x for curve in chart.curves for x, _ in curve.points]
    ys = [y for curve in chart.curves for _, y in curve.points]
    ends = (WIDTH - RIGHT, LEFT) if chart.falling else (LEFT, WIDTH - RIGHT)
    x = Axis([0.0, *xs], *ends)
    y = Axis(
        ys if chart.logarithmic else [0.0, *ys],
        HEIGHT - BOTTOM,
        TOP,
        logarithmic=chart.logarithmic,
    )
    parts = [_frame(chart, x, y)]
    for number, curve in enumerate(chart.curves):
        tint = colour(number if curve.beside is None else curve.beside)
        spots = [(place(x(a)), place(y(b))) for a, b in curve.points]
        if curve.joined and len(spots) > 1:
            path = "L".join(" ".join(spot) for spot in spots)
            parts.append(f'<path d="M{path}" fill="none" stroke="{tint}" stroke-width="1.8"/>')
        look = 'r="5" fill="none"' if _ring(number, curve) else f'r="3.5" fill="{tint}"'
        for (across, up), (a, b) in zip(spots, curve.points, strict=True):
            tip = f"{curve.name}: {chart.across} {figure(a)}, {chart.up} {figure(b)}"
            parts.append(
                f'<circle cx="{across}" cy="{up}" {look} stroke="{tint}" stroke-width="1.6">'
                f"<title>{text(tip)}</title></circle>"
            )
    words = f"{chart.up} over {chart.across}: {', '.join(curve.name for curve in chart.curves)}"
    return drawing(WIDTH, HEIGHT, chart.title, words, "".join(parts))


def key(number: int, curve: Curve) -> str:
    """Return the look of a curve in the legend.

    >>> key(0, Curve("MDAV", ()))
    'background:#0072b2'
    """
    tint = colour(number if curve.beside is None else curve.beside)
    return f"border:2px solid {tint}" if _ring(number, curve) else f"background:{tint}"


def _ring(number: int, curve: Curve) -> bool:
    """Whether points are rings: figures of the paper, and curves whose colour is already taken."""
    return curve.beside is not None or number >= len(COLOURS)


def _frame(chart: Chart, x: Axis, y: Axis) -> str:
    parts = []
    for tick in y.ticks:
        parts.append(line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "axis"))
        parts.append(label(LEFT - 6, y(tick) + 4, figure(tick), "end", "soft"))
    for tick in x.ticks:
        parts.append(line(x(tick), HEIGHT - BOTTOM, x(tick), HEIGHT - BOTTOM + 4, "strong-axis"))
        words = figure(tick)
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
