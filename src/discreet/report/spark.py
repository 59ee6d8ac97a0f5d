"""A column as a picture the size of a word, for tables of columns."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.report.content import ComparedBars, ComparedHistogram
from discreet.report.distributions import Summary, compared
from discreet.report.markup import clipped, dated
from discreet.report.svg import drawing, rectangle

WIDTH, HEIGHT = 120.0, 28.0


@dataclass(frozen=True)
class Spark:
    """The heights of some bars between 0 and 1, and what they show in words; none if nothing can be
    shown."""

    bars: tuple[float, ...]
    words: str


def sketched(summary: Summary) -> Spark:
    """Return the picture of a column.

    >>> import discreet
    >>> sketched(Summary.of(discreet.read({"sex": ["f", "f", "m"]}).column("sex")))
    Spark(bars=(1.0, 0.5), words='f 67 %, m 33 %')
    """
    shape = compared(summary, summary)
    if isinstance(shape, ComparedHistogram):
        least, most = (dated(float(summary.ordered[end]), summary.dates) for end in (0, -1))
        bars, words = shape.original.shares, f"from {least} to {most}"
    elif isinstance(shape, ComparedBars):
        bars = shape.original
        largest = zip(shape.labels, bars, strict=True)
        words = ", ".join(f"{clipped(w, 24)} {100 * share:.0f} %" for w, share in list(largest)[:3])
    else:
        return Spark((), shape.reason)
    tallest = max(bars, default=0) or 1
    return Spark(tuple(round(bar / tallest, 4) for bar in bars), words)


def spark(name: str, picture: Spark) -> str:
    """Return the picture as SVG, with its words for those who cannot see it.

    >>> spark("sex", Spark((1.0, 0.5), "f 67 %, m 33 %")).count("<rect")
    2
    """
    step = min(WIDTH / max(1, len(picture.bars)), 24.0)
    parts = [
        rectangle(
            i * step + 0.5, HEIGHT * (1 - bar), step - 1, max(HEIGHT * bar, 1), "original-bar"
        )
        for i, bar in enumerate(picture.bars)
    ]
    return drawing(WIDTH, HEIGHT, name, picture.words, "".join(parts), css="spark")
