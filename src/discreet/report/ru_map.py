"""The R-U map: every setting that was tried, by its risk and its loss.

The picture is drawn here and is complete without a script; a small script of the page's own adds
the figures of a point under the mouse, and a click on a method shows it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from discreet.contracts import Better, MeasureSpec
from discreet.report.axis import Axis, spans_powers
from discreet.report.html import TEMPLATES, WARNING, filled, page
from discreet.report.markup import brief, shown, text
from discreet.report.svg import drawing, label, line, place

WIDTH, HEIGHT = 760.0, 460.0
LEFT, RIGHT, TOP, BOTTOM = 76.0, 16.0, 18.0, 46.0
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f5539", "#5e548e",
    "#7a8b00", "#c1121f", "#2a9d8f", "#6c757d",
)  # fmt: skip
"""Colours that people with any colour vision can distinguish come first (Okabe & Ito)."""
SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
)
"""A circle, a square, a triangle and a lozenge by their corners."""
ALONE = (
    "svg{background:#fff;font-family:sans-serif;--ink:#1d2227;--soft:#545c64;--line:#dcdfe2;"
    "--bad:#a5330a}svg .axis{stroke:var(--line)}svg .strong-axis{stroke:var(--soft)}"
    "svg .soft{fill:var(--soft)}"
)


@dataclass(frozen=True)
class Estimate:
    """A measure over the repetitions of a setting; it may be known only to be `at_least` that."""

    mean: float
    low: float
    high: float
    at_least: bool = False

    def in_words(self, percent: bool) -> str:
        """Return it with its interval, where it has one.

        >>> Estimate(0.5, 0.5, 0.5).in_words(True), Estimate(2, 1, 3).in_words(False)
        ('50.00\\u202f%', '2 (1 to 3)')
        """
        words = shown(self.mean, percent)
        if self.at_least:
            return f"at least {words}"
        if self.high > self.low:
            words += f" ({shown(self.low, percent)} to {shown(self.high, percent)})"
        return words


@dataclass(frozen=True)
class MapPoint:
    """A setting, or why it has no release; `method` is an index into the list of methods."""

    setting: str
    method: int
    scores: Mapping[str, Estimate]
    keeps: bool
    front: bool
    recommended: bool
    rank: int
    repetitions: int
    seconds: float
    reason: str


@dataclass(frozen=True)
class RUMap:
    """The measures on the two axes of a map, and the limit on the risk."""

    risk: MeasureSpec
    utility: MeasureSpec
    limit: float | None


@dataclass(frozen=True)
class MapContent:
    """An exploration: its outcome in words, its maps, and every setting."""

    discreet: str
    words: tuple[str, ...]
    methods: tuple[str, ...]
    measures: tuple[MeasureSpec, ...]
    maps: tuple[RUMap, ...]
    points: tuple[MapPoint, ...]


def ru_page(content: MapContent) -> str:
    """Return the page of an exploration: the outcome, the map and the table of all settings."""
    parts = [
        (anchor, heading, filled(f"{anchor}.html", content=content, mark=_alone, ru_map=drawn))
        for anchor, heading in (
            ("outcome", "Outcome"),
            ("map", "Risk and utility of every setting"),
            ("settings", "Settings"),
            ("failed", "Settings without a release"),
        )
    ]
    lead = "Which method with which parameters loses least within the limits."
    return page(
        "R-U map", lead, parts, content.discreet, warning=WARNING, style="map.css", script="map.js"
    )


def _alone(number: int) -> str:
    """Return a method's mark as a small picture, for the legend."""
    from markupsafe import Markup

    return Markup(
        f'<svg class="mark" viewBox="-6 -6 12 12" aria-hidden="true">{mark(number)}</svg>'
    )


def ru_picture(content: MapContent, axes: RUMap) -> str:
    """Return one map as a separate SVG file."""
    look = (TEMPLATES / "map.css").read_text(encoding="utf-8").split(".legend")[0]
    return drawn(content, axes, style=ALONE + look)


def colour(number: int) -> str:
    """Return the colour of a method by its number.

    >>> colour(0) == colour(12)
    True
    """
    return COLOURS[number % len(COLOURS)]


def mark(number: int, x: float = 0.0, y: float = 0.0, size: float = 4.5, look: str = "") -> str:
    """Return the mark of a method: a circle, and another shape when the colours begin again.

    >>> [mark(number).split()[0] for number in (0, 11, 12, 24)]
    ['<circle', '<circle', '<path', '<path']
    """
    tint = f'fill="{colour(number)}" stroke="{colour(number)}"{look}'
    shape = SHAPES[number // len(COLOURS) % len(SHAPES)]
    if not shape:
        return f'<circle cx="{place(x)}" cy="{place(y)}" r="{place(size)}" {tint}/>'
    corners = "L".join(f"{place(x + size * a)} {place(y + size * b)}" for a, b in shape)
    return f'<path d="M{corners}Z" {tint}/>'


def drawn(
    content: MapContent,
    axes: RUMap,
    style: str = "",
    address: Callable[[MapPoint], str] | None = None,
) -> str:
    """Return a map; with a style it is a separate file, which also names the methods.

    With an `address` for each point, the points are links.
    """
    from markupsafe import Markup

    risk, utility = axes.risk.name, axes.utility.name
    points = [p for p in content.points if risk in p.scores and utility in p.scores]
    if not points:
        return Markup("<p>No setting has both measures.</p>")
    xs = [p.scores[risk].mean for p in points]
    ys = [p.scores[utility].mean for p in points]
    limit = axes.limit
    across = [*xs, *([] if limit is None else [limit])]
    x = Axis(across, LEFT, WIDTH - RIGHT, logarithmic=spans_powers(across))
    worse_up = axes.utility.better is Better.LOWER
    ends = (HEIGHT - BOTTOM, TOP) if worse_up else (TOP, HEIGHT - BOTTOM)
    y = Axis(ys, *ends, logarithmic=spans_powers(ys))
    spots = [(x(a), y(b)) for a, b in zip(xs, ys, strict=True)]
    parts = [_axes(axes, x, y)]
    if limit is not None:
        parts.append(line(x(limit), TOP, x(limit), HEIGHT - BOTTOM, "limit"))
        parts.append(label(x(limit), TOP - 5, "limit", "middle", "soft"))
    parts.append(_path(_front(points, spots, axes), 'class="front"'))
    for number in range(len(content.methods)):
        look = f'class="trace" stroke="{colour(number)}" data-method="{number}"'
        method_spots = [s for p, s in zip(points, spots, strict=True) if p.method == number]
        parts.append(_path(method_spots, look))
    for point in points:
        shape = _point(point, axes, x, y, focusable=address is None)
        parts.append(f'<a href="{text(address(point))}">{shape}</a>' if address else shape)
    for number, method in enumerate(content.methods if style else ()):
        row = TOP + 6 + 14 * number
        parts.append(mark(number, WIDTH - 190, row, 4.0) + label(WIDTH - 180, row + 4, method))
    words = f"{len(points)} settings by {axes.risk.title} and {axes.utility.title}"
    role = "group" if address else "img"
    picture = "".join(parts)
    return Markup(
        drawing(WIDTH, HEIGHT, "R-U map", words, picture, css="map", style=style, role=role)
    )


def _front(
    points: Sequence[MapPoint], spots: Sequence[tuple[float, float]], axes: RUMap
) -> list[tuple[float, float]]:
    """Return where the settings of the Pareto front lie that no other beats in these two measures.

    The front of several goals has more, which would lead its line up and down.
    """
    front = [(p, spot) for p, spot in zip(points, spots, strict=True) if p.front]
    costs = [
        tuple(
            p.scores[spec.name].mean * (1 if spec.better is Better.LOWER else -1)
            for spec in (axes.risk, axes.utility)
        )
        for p, _ in front
    ]
    beaten = [
        any(o != cost and o[0] <= cost[0] and o[1] <= cost[1] for o in costs) for cost in costs
    ]
    return [spot for (_, spot), lost in zip(front, beaten, strict=True) if not lost]


def _path(spots: Sequence[tuple[float, float]], look: str) -> str:
    """Return a line through the points from left to right, if there are two or more."""
    path = "L".join(f"{place(a)} {place(b)}" for a, b in sorted(spots))
    return f'<path d="M{path}" {look}/>' if len(spots) > 1 else ""


def _point(point: MapPoint, axes: RUMap, x: Axis, y: Axis, focusable: bool) -> str:
    tint = colour(point.method)
    risk, utility = point.scores[axes.risk.name], point.scores[axes.utility.name]
    cx, cy = x(risk.mean), y(utility.mean)
    words = (
        f"{point.setting}: {axes.risk.title} {'at least ' if risk.at_least else ''}"
        f"{shown(risk.mean, axes.risk.percent)}; "
        f"{axes.utility.title} {shown(utility.mean, axes.utility.percent)}"
    )
    parts = [f"<title>{text(words)}</title>"]
    for low, high in (
        ((x(risk.low), cy), (x(risk.high), cy)),
        ((cx, y(utility.low)), (cx, y(utility.high))),
    ):
        if low != high:
            parts.append(_path([low, high], f'stroke="{tint}"'))
    hollow = "" if point.keeps else ' fill-opacity="0.25"'
    parts.append(mark(point.method, cx, cy, look=hollow))
    if point.recommended:
        parts.append(f'<circle cx="{place(cx)}" cy="{place(cy)}" r="9" class="best"/>')
    focus = ' tabindex="0"' if focusable else ""
    return (
        f'<g class="point"{focus} data-method="{point.method}" '
        f'data-words="{text(words)}">{"".join(parts)}</g>'
    )


def _axes(axes: RUMap, x: Axis, y: Axis) -> str:
    parts = [
        line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "strong-axis"),
        line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "strong-axis"),
    ]
    for tick in x.ticks:
        parts.append(line(x(tick), TOP, x(tick), HEIGHT - BOTTOM, "axis"))
        words = brief(tick, axes.risk.percent)
        parts.append(label(x(tick), HEIGHT - BOTTOM + 16, words, "middle", "soft"))
    for tick in y.ticks:
        parts.append(line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "axis"))
        words = brief(tick, axes.utility.percent)
        parts.append(label(LEFT - 6, y(tick) + 4, words, "end", "soft"))
    parts.append(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, axes.risk.title, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text x="14" y="{place(middle)}" text-anchor="middle" '
        f'transform="rotate(-90 14 {place(middle)})">{text(axes.utility.title)}</text>'
    )
    return "".join(parts)
