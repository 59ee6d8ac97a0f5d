"""Small drawings: plain data in, SVG text out. Colours come from the page's style sheet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from discreet.report.axis import Axis
from discreet.report.markup import THIN, clipped, dated, figure, text
from discreet.report.public_form import PublicScore

WIDTH = 320
ROOM_FOR_A_FIGURE, HIGHEST_CELL = 30.0, 36.0


def drawing(
    width: float,
    height: float,
    title: str,
    description: str,
    parts: str,
    *,
    css: str = "",
    pixels: float | None = None,
    style: str = "",
    role: str = "img",
) -> str:
    """Return an SVG picture with a title and a description for those who cannot see it.

    It is as wide as the page allows, or this many `pixels`. With a `style` it is a separate file.
    One with links in it has the `role` of a group.

    >>> drawing(10, 5, "Age", "Nothing to see", "")[:60]
    '<svg role="img" viewBox="0 0 10 5" preserveAspectRatio="xMin'
    """
    classes = " ".join(name for name in ("wide" if width > WIDTH else "", css) if name)
    look = f' class="{classes}"' if classes else ""
    inner = f"<style>{style}</style>" if style else ""
    size = f' style="width:{place(pixels)}px;max-width:none"' if pixels else ""
    alone = f' xmlns="http://www.w3.org/2000/svg" width="{place(width)}"' if style else ""
    return (
        f'<svg role="{role}" viewBox="0 0 {place(width)} {place(height)}" '
        f'preserveAspectRatio="xMinYMin meet"{look}{size}{alone}>'
        f"<title>{text(title)}</title><desc>{text(description)}</desc>{inner}{parts}</svg>\n"
    )


def place(value: float) -> str:
    """Return a coordinate with as many digits as a screen can show.

    >>> place(12.0), place(3.14159)
    ('12', '3.14')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def label(x: float, y: float, words: object, anchor: str = "start", css: str = "") -> str:
    """Return a text at a place."""
    style = f' class="{css}"' if css else ""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{place(x)}" y="{place(y)}"{side}{style}>{text(words)}</text>'


def rectangle(x: float, y: float, width: float, height: float, css: str, extra: str = "") -> str:
    """Return a rectangle; a negative size is drawn as none."""
    return (
        f'<rect x="{place(x)}" y="{place(y)}" width="{place(max(0, width))}" '
        f'height="{place(max(0, height))}" class="{css}"{extra}/>'
    )


def line(x1: float, y1: float, x2: float, y2: float, css: str) -> str:
    """Return a straight line."""
    return (
        f'<line x1="{place(x1)}" y1="{place(y1)}" x2="{place(x2)}" y2="{place(y2)}" class="{css}"/>'
    )


def histogram(
    title: str,
    edges: Sequence[float],
    sides: Mapping[str, Sequence[float]],
    *,
    dates: str = "",
    height: float = 120,
) -> str:
    """Return the histograms of one or two sides over the same bins.

    `sides` maps "original" and "released" to the share or count of each bin; `dates` is the unit of
    bins of dates.

    >>> "released-line" in histogram("age", [0, 10, 20], {"released": [0.25, 0.75]})
    True
    """
    top, bottom = 6.0, height - 18
    tallest = max((max(values, default=0) for values in sides.values()), default=0) or 1
    step = WIDTH / max(1, len(edges) - 1)
    parts = []
    for side in ("original", "released"):
        if side not in sides:
            continue
        points = [f"M0 {place(bottom)}"]
        for i, value in enumerate(sides[side]):
            y = place(bottom - (bottom - top) * value / tallest)
            points.append(f"L{place(i * step)} {y}L{place((i + 1) * step)} {y}")
        path = "".join(points) + f"L{WIDTH} {place(bottom)}"
        if side == "original" or len(sides) == 1:
            parts.append(f'<path d="{path}Z" class="{side}-area"/>')
        parts.append(f'<path d="{path}" class="{side}-line"/>')
    parts.append(line(0, bottom, WIDTH, bottom, "strong-axis"))
    middle = (len(edges) - 1) // 2
    for index, anchor in ((0, "start"), (middle, "middle"), (len(edges) - 1, "end")):
        if index == middle and not 0 < middle < len(edges) - 1:
            continue
        parts.append(line(index * step, bottom, index * step, bottom + 3, "strong-axis"))
        parts.append(label(index * step, height - 4, dated(edges[index], dates), anchor, "soft"))
    ends = f"from {dated(edges[0], dates)} to {dated(edges[-1], dates)}"
    words = f"Histogram of {' and '.join(sides)} values {ends}"
    return drawing(WIDTH, height, title, words, "".join(parts))


def bars(title: str, labels: Sequence[str], sides: Mapping[str, Sequence[float]]) -> str:
    """Return the share of each category as a bar for each side.

    >>> bars("sex", ["f", "m"], {"released": [0.5, 0.5]}).count("<rect")
    2
    """
    left, right, thick = 112.0, 44.0, 7.0
    tallest = max((max(values, default=0) for values in sides.values()), default=0) or 1
    row = thick * len(sides) + 9
    parts = []
    for i, words in enumerate(labels):
        y = i * row + 4
        middle = y + thick * len(sides) / 2 + 4
        whole = f"<title>{text(words)}</title>"
        cut = text(clipped(words, 18))
        parts.append(
            f'<text x="{place(left - 6)}" y="{place(middle)}" text-anchor="end">{whole}{cut}</text>'
        )
        for j, (side, values) in enumerate(sides.items()):
            width = (WIDTH - left - right) * values[i] / tallest
            parts.append(rectangle(left, y + j * thick, width, thick - 1, f"{side}-bar"))
        last = list(sides.values())[-1][i]
        parts.append(label(WIDTH, middle, f"{100 * last:.1f}{THIN}%", "end", "soft"))
    height = len(labels) * row + 4
    parts.append(line(left, 0, left, height, "strong-axis"))
    words = f"Share of each category among {' and '.join(sides)} values"
    return drawing(WIDTH, height, title, words, "".join(parts))


def heat_map(
    title: str,
    names: Sequence[str],
    matrix: Sequence[Sequence[float | None]],
    *,
    most: float = 1,
    width: float = WIDTH,
) -> str:
    """Return a matrix of values between `-most` and `most`, the larger the stronger the colour.

    >>> heat_map("r", ["a", "b"], [[1, 0.5], [0.5, None]]).count("<rect")
    4
    """
    left, top = 104.0, 16.0
    count = max(1, len(names))
    cell = min((width - left) / count, 60.0)
    row = min(cell, HIGHEST_CELL)
    parts = []
    for i, words in enumerate(names):
        middle = top + (i + 0.5) * row
        parts.append(
            f'<text x="{place(left - 6)}" y="{place(middle + 4)}" text-anchor="end">'
            f"<title>{text(words)}</title>{text(f'{clipped(words, 13)} {i + 1}')}</text>"
        )
        parts.append(label(left + (i + 0.5) * cell, top - 5, i + 1, "middle", "soft"))
        for j, value in enumerate(matrix[i]):
            x, y = left + j * cell, top + i * row
            if value is None:
                parts.append(rectangle(x + 0.5, y + 0.5, cell - 1, row - 1, "gap"))
                continue
            # Not above 0.6: the number on top must stay readable in light and dark.
            strength = 0.6 * min(1.0, abs(value) / most)
            css = "minus" if value < 0 else "plus"
            opacity = f' fill-opacity="{place(strength)}"'
            parts.append(rectangle(x + 0.5, y + 0.5, cell - 1, row - 1, css, opacity))
            if cell >= ROOM_FOR_A_FIGURE:
                parts.append(label(x + cell / 2, middle + 4, signed(value), "middle"))
    description = f"Matrix of {count} by {count} columns: {', '.join(map(str, names))}"
    return drawing(width, top + count * row + 2, title, description, "".join(parts))


def signed(value: float) -> str:
    """Return a correlation with two digits.

    >>> signed(-0.5), signed(-0.001)
    ('−0.50', '0.00')
    """
    shown = f"{abs(value):.2f}"
    return f"−{shown}" if value < 0 and float(shown) else shown


def dumbbells(title: str, scores: Sequence[PublicScore], *, whole: bool = False) -> str:
    """Return a line for each measure from its value before to its value after.

    All are shares; without a value before the line starts at 0, as the axis does. `whole` takes the
    axis to 100 % even if all shares are small.

    >>> dumbbells("risk", [PublicScore(name="a", title="A", identity=1, after=0.2)]).count("circle")
    2
    """
    width, row, left, right = 640.0, 40.0, 18.0, 30.0
    values = [v for s in scores for v in (s.was, s.after) if v is not None and math.isfinite(v)]
    across = Axis([0.0, *values, *([1.0] if whole else [])], left, width - right)
    height = row * len(scores) + 26
    parts = []
    for tick in across.ticks:
        x = across(tick)
        parts.append(line(x, 4, x, height - 20, "axis"))
        parts.append(label(x, height - 5, f"{figure(100 * tick)}{THIN}%", "middle", "soft"))
    for i, score in enumerate(scores):
        y = i * row + 28
        parts.append(label(left, y - 11, clipped(score.title, 80)))
        after = across(score.after or 0)
        parts.append(line(across(score.was or 0), y, after, y, "link"))
        if score.was is not None:
            # Larger than the other mark, so that it is visible where nothing changed.
            parts.append(_mark(across(score.was), y, 6.5, "original-mark"))
        parts.append(_mark(after, y, 4, "released-mark"))
    words = "Each measure before and after protection"
    return drawing(width, height, title, words, "".join(parts), css="lines")


def _mark(x: float, y: float, radius: float, css: str) -> str:
    return f'<circle cx="{place(x)}" cy="{place(y)}" r="{place(radius)}" class="{css}"/>'
