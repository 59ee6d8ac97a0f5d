"""The R-U map of the synthetic methods: a panel for each file, a number for each method.

Both axes are logarithmic, since methods differ by powers of ten. Below each panel's axis is a strip
for what cannot be placed on it: releases in which no record was linked, and synthetic records that
come from no original, which nobody can link.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from discreet.report.markup import text
from discreet.report.svg import drawing, label, line, place, rectangle

PANEL, GAP, LEFT, TOP = 250.0, 22.0, 58.0, 30.0
PLOT, STRIP, FOOT = 250.0, 46.0, 46.0
KEYS, ROW = 4, 17.0
BUBBLE = 7.5
MOST = 0.25
"""The largest propensity score of files of one size."""
TICKS = tuple(m * 10.0**e for e in range(-6, 0) for m in (1, 2, 5))
LINKED = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
COLOUR, UNLINKABLE = "#0072b2", "#d55e00"
STYLE = (
    "svg{background:#fff;font:11px sans-serif;--soft:#545c64;--line:#dcdfe2}"
    "svg .axis{stroke:var(--line)}svg .strong-axis{stroke:var(--soft)}svg .soft{fill:var(--soft)}"
    "svg .strip{fill:#f4f4f2}"
)


@dataclass(frozen=True)
class Dot:
    """A method on a file; `linked` is None if no record has an original."""

    file: str
    method: str
    propensity: float
    linked: float | None


def ru_map(dots: Sequence[Dot], style: str = "") -> str:
    """Return the map as SVG for a page; with a style, as a file of its own."""
    files = list(dict.fromkeys(dot.file for dot in dots))
    names = sorted({dot.method for dot in dots})
    across = _Across(dots)
    parts = []
    for number, file in enumerate(files):
        left = LEFT + number * (PANEL + GAP)
        parts += _panel(file, left, across, number == 0)
        parts += _dots([dot for dot in dots if dot.file == file], names, left, across)
    width = LEFT + len(files) * (PANEL + GAP)
    base = TOP + PLOT + STRIP + FOOT
    for place_of, name in enumerate(names):
        row, column = divmod(place_of, KEYS)
        x, y = LEFT + column * (width - LEFT) / KEYS, base + ROW * (row + 0.6)
        parts.append(_bubble(x + BUBBLE, y, place_of + 1, COLOUR, name))
        parts.append(label(x + 2 * BUBBLE + 6, y + 4, name))
    height = base + ROW * (math.ceil(len(names) / KEYS) + 0.4)
    return drawing(
        width, height, "R-U map of synthetic methods",
        "Share of records linked over the propensity score, for each method and file",
        "".join(parts), style=style,
    )  # fmt: skip


class _Across:
    """Places propensity scores in a panel, on the scale that all panels share."""

    def __init__(self, dots: Sequence[Dot]) -> None:
        least = min((dot.propensity for dot in dots if dot.propensity > 0), default=0.01)
        self._low = math.log10(max(least, 1e-6) / 1.6)
        self._high = math.log10(MOST * 1.15)

    def __call__(self, left: float, propensity: float) -> float:
        at = math.log10(propensity) if propensity > 0 else self._low
        return left + PANEL * (at - self._low) / (self._high - self._low)

    def ticks(self) -> list[float]:
        ticks = [tick for tick in TICKS if self._low < math.log10(tick) < self._high]
        return ticks if len(ticks) <= 7 else [t for t in ticks if math.log10(t) % 1 < 1e-9]


def _up(linked: float) -> float:
    low, high = math.log10(LINKED[0] / 2), math.log10(LINKED[-1])
    return TOP + PLOT * (1 - (math.log10(max(linked, LINKED[0] / 2)) - low) / (high - low))


def _panel(file: str, left: float, across: _Across, first: bool) -> list[str]:
    bottom, end = TOP + PLOT, left + PANEL
    parts = [label(left + PANEL / 2, TOP - 10, file, "middle")]
    for share in LINKED:
        parts.append(line(left, _up(share), end, _up(share), "axis"))
        if first:
            words = f"{100 * share:g} %"
            parts.append(label(left - 6, _up(share) + 4, words, "end", "soft"))
    parts.append(rectangle(left, bottom + 4, PANEL, STRIP - 4, "strip"))
    if first:
        parts.append(label(6, TOP - 10, "linked", "start", "soft"))
        for words, row in (("none", 18), ("no origin", 38)):
            parts.append(label(left - 6, bottom + row, words, "end", "soft"))
    foot = bottom + STRIP
    for tick in across.ticks():
        x = across(left, tick)
        parts.append(line(x, TOP, x, foot, "axis"))
        parts.append(label(x, foot + 14, f"{tick:g}", "middle", "soft"))
    parts.append(line(left, TOP, left, foot, "strong-axis"))
    parts.append(line(left, foot, end, foot, "strong-axis"))
    words = "propensity: to the right, less like the original"
    parts.append(label(left + PANEL / 2, foot + 30, words, "middle", "soft"))
    return parts


def _dots(dots: Sequence[Dot], names: Sequence[str], left: float, across: _Across) -> list[str]:
    """Return the points of a panel, each with its number beside it where there is space."""
    spots = []
    for dot in dots:
        strip = {None: TOP + PLOT + 34, 0.0: TOP + PLOT + 14}.get(dot.linked)
        y = _up(dot.linked) if strip is None and dot.linked is not None else strip
        assert y is not None
        spots.append((across(left, dot.propensity), y))
    taken = list(spots)
    lines, points = [], []
    for dot, (x, y) in sorted(zip(dots, spots, strict=True), key=lambda placed: placed[1]):
        cx, cy = _room(x, y, taken, left)
        taken += [(cx, cy)] * 2
        tint = UNLINKABLE if dot.linked is None else COLOUR
        linked = "no origin" if dot.linked is None else f"{100 * dot.linked:.2f} % linked"
        words = f"{dot.method}, {dot.file}: propensity {dot.propensity:.4f}, {linked}"
        lines.append(
            f'<path d="M{place(x)} {place(y)}L{place(cx)} {place(cy)}" stroke="{tint}" '
            'stroke-width="0.8"/>'
        )
        points.append(f'<circle cx="{place(x)}" cy="{place(y)}" r="2.5" fill="{tint}"/>')
        points.append(_bubble(cx, cy, names.index(dot.method) + 1, tint, words))
    return lines + points


def _room(
    x: float, y: float, taken: Sequence[tuple[float, float]], left: float
) -> tuple[float, float]:
    """Return the nearest place for a number that no point and no other number occupies."""
    best, most = (x + 12, y), -math.inf
    for reach in (12, 17, 23, 30, 38):
        for turn in range(16):
            angle = math.pi * turn / 8
            at = x + reach * math.cos(angle), y - reach * math.sin(angle)
            inside = left + BUBBLE < at[0] < left + PANEL and TOP < at[1] < TOP + PLOT + STRIP - 2
            free = min(
                math.dist(at, other) - (2 * BUBBLE if taken.count(other) > 1 else BUBBLE + 3)
                for other in taken
            )
            if inside and free >= 1:
                return at
            if inside and free > most:
                best, most = at, free
    return best


def _bubble(x: float, y: float, number: int, tint: str, words: str) -> str:
    return (
        f'<g><title>{text(words)}</title><circle cx="{place(x)}" cy="{place(y)}" r="{BUBBLE}" '
        f'fill="#fff" stroke="{tint}"/>'
        f'<text x="{place(x)}" y="{place(y + 3.4)}" text-anchor="middle" '
        f'style="font-size:9px">{number}</text></g>'
    )
