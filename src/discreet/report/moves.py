"""What became of the values of a column: each value, or span of values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column
from discreet.microdata.intervals import round_edges
from discreet.report.binning import spread
from discreet.report.markup import THIN, clipped, dated, text
from discreet.report.svg import WIDTH, drawing, label, place, rectangle

SPANS = 8
CATEGORIES = 8
COVERED = 0.2
"""If the listed categories cover less than this share of the records, they say little about a
column.
"""
MISSING, OTHERS = "missing", "others"
ROOM_FOR_A_FIGURE = 24.0


@dataclass(frozen=True)
class Moves:
    """A row for each value before, with its share of the records, and where these went.

    `went[i][j]` is the share of the records of row i that have value j afterwards.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    shares: tuple[float, ...]
    went: tuple[tuple[float, ...], ...]


def moved(before: Column, after: Column, dates: str = "") -> Moves | None:
    """Return where values went; the columns have the same records in the same order.

    Numbers are put into spans that both sides share; rare categories are merged.

    >>> import discreet
    >>> age = discreet.read({"age": ["young", "young", "old", "old"]}).column("age")
    >>> moved(age, age.with_values(age.values[[0, 0, 0, 2]]))
    Moves(before=('old', 'young'), after=('old', 'young'), shares=(0.5, 0.5),
          went=((0.5, 0.5), (0.0, 1.0)))
    """
    if not len(before.values):
        return None
    numbers = [side.values for side in (before, after) if side.attribute.continuous]
    edges = _edges(numbers)
    if numbers and edges is None:
        return None
    (rows, row), (columns, column) = (_coded(side, edges or [], dates) for side in (before, after))
    counts = np.zeros((len(rows), len(columns)))
    np.add.at(counts, (row, column), 1)
    if not before.attribute.continuous and counts[:-2].sum() < COVERED * counts.sum():
        return None
    used = counts.sum(axis=1) > 0
    reached = counts.sum(axis=0) > 0
    counts = counts[used][:, reached]
    totals = counts.sum(axis=1)
    went = (counts / totals[:, None]).round(6)
    return Moves(
        tuple(name for name, kept in zip(rows, used, strict=True) if kept),
        tuple(name for name, kept in zip(columns, reached, strict=True) if kept),
        tuple((totals / totals.sum()).round(6).tolist()),
        tuple(map(tuple, went.tolist())),
    )


def _edges(numbers: list[NDArray[np.float64]]) -> list[float] | None:
    """Return the ends of spans that hold the numbers of both sides, outliers aside."""
    finite = [values[np.isfinite(values)] for values in numbers]
    areas = [area for values in finite if (area := spread(np.sort(values)))]
    if not areas:
        return None
    whole = all(bool((values == np.floor(values)).all()) for values in finite)
    low, high = min(area[0] for area in areas), max(area[1] for area in areas)
    return round_edges(low, high, SPANS, whole=whole)


def _coded(column: Column, edges: list[float], dates: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names of spans or categories, the missing value last, and that of each record."""
    gone = column.missing
    if column.attribute.continuous:
        inner = np.searchsorted(edges[1:-1], np.where(gone, edges[0], column.values), side="right")
        ends = pairwise(edges)
        names = [f"{dated(low, dates)} – {dated(high, dates)}" for low, high in ends]
        return [*names, MISSING], np.where(gone, len(names), inner)
    attribute = column.attribute
    counts = np.bincount(column.values[~gone], minlength=len(attribute.categories))
    kept = np.argsort(-counts, kind="stable")[:CATEGORIES]
    kept = np.sort(kept) if len(counts) <= CATEGORIES else kept
    at = np.full(len(counts) + 1, len(kept))
    at[kept] = np.arange(len(kept))
    names = [str(attribute.label_of(attribute.categories[i])) for i in kept]
    return [*names, OTHERS, MISSING], np.where(gone, len(names) + 1, at[column.values])


def moves_picture(name: str, moves: Moves) -> str:
    """Return a row for each value before; the stronger the colour, the more of it went there.

    >>> picture = moves_picture("age", Moves(("old",), ("old", "young"), (1.0,), ((0.25, 0.75),)))
    >>> picture.count("<rect"), "75" in picture
    (2, True)
    """
    left, row, head = 112.0, 22.0, 66.0
    cell = min((WIDTH - left) / max(1, len(moves.after)), 60.0)
    parts = []
    for j, words in enumerate(moves.after):
        x = left + (j + 0.5) * cell
        parts.append(_slanted(x, head - 6, words))
    for i, (words, share) in enumerate(zip(moves.before, moves.shares, strict=True)):
        y = head + i * row
        parts.append(_named(left - 6, y + row / 2 + 4, words))
        for j, part in enumerate(moves.went[i]):
            opacity = f' fill-opacity="{place(0.08 + 0.52 * part if part else 0.02)}"'
            box = rectangle(left + j * cell + 0.5, y + 0.5, cell - 1, row - 1, "plus", opacity)
            tooltip = f"{words} ({_percent(share)}) → {moves.after[j]}: {_percent(part)}"
            figure = ""
            if cell >= ROOM_FOR_A_FIGURE and part >= 0.005:
                middle = left + (j + 0.5) * cell
                figure = label(middle, y + row / 2 + 4, f"{100 * part:.0f}", "middle")
            parts.append(f"<g><title>{text(tooltip)}</title>{box}{figure}</g>")
    height = head + len(moves.before) * row + 2
    words = "From each value before (rows) to what it became (columns), in percent of the row"
    return drawing(WIDTH, height, name, words, "".join(parts))


def _named(x: float, y: float, words: str) -> str:
    inner = f"<title>{text(words)}</title>{text(clipped(words, 18))}"
    return f'<text x="{place(x)}" y="{place(y)}" text-anchor="end">{inner}</text>'


def _slanted(x: float, y: float, words: str) -> str:
    inner = f"<title>{text(words)}</title>{text(clipped(words, 13))}"
    turn = f'transform="rotate(-40 {place(x)} {place(y)})"'
    return f'<text x="{place(x)}" y="{place(y)}" {turn} class="soft">{inner}</text>'


def _percent(share: float) -> str:
    return f"{100 * share:.1f}{THIN}%"
