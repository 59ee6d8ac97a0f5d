"""A section: one table or figure of a paper, redone, as plain data.

Nothing here is worded for a page and no difference is stored: both are up to the renderer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Pair(NamedTuple):
    """The figure of the paper and ours; None if there is none."""

    paper: float | None
    ours: float | None


@dataclass(frozen=True)
class Quantity:
    """What a column of a table is about.

    A difference is `relative` to the paper's figure, or in the figure's own unit. Figures that
    depend on the machine, such as seconds, are shown but not `compared`. `printed` is the number of
    decimals in the paper, if it is the same throughout.
    """

    words: str
    unit: str = ""
    relative: bool = True
    decimals: int = 2
    compared: bool = True
    printed: int | None = None


PERCENT = "%"


def share(words: str, decimals: int = 2, printed: int | None = None) -> Quantity:
    """Return a quantity in percent, whose differences are percentage points.

    >>> share("linkage").relative
    False
    """
    return Quantity(words, PERCENT, relative=False, decimals=decimals, printed=printed)


@dataclass(frozen=True)
class Row:
    """One line of a table: what it is about, its setting, and a pair for every quantity."""

    label: str
    pairs: tuple[Pair, ...]
    setting: str = ""


@dataclass(frozen=True)
class Table:
    """Figures of the paper beside ours."""

    caption: str
    heading: str
    quantities: tuple[Quantity, ...]
    rows: tuple[Row, ...]

    @property
    def compared(self) -> tuple[Pair, ...]:
        """The pairs that have both figures, of quantities that can be compared."""
        return tuple(
            pair
            for row in self.rows
            for quantity, pair in zip(self.quantities, row.pairs, strict=True)
            if quantity.compared and pair.paper is not None and pair.ours is not None
        )

    def printed(self, quantity: int) -> bool:
        """Whether the paper has a figure for a quantity, given by its position."""
        return any(row.pairs[quantity].paper is not None for row in self.rows)


@dataclass(frozen=True)
class Curve:
    """Points of one method, joined by a line unless they stand alone.

    `beside` is the number of our curve to which these figures of the paper belong.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    joined: bool = True
    beside: int | None = None


@dataclass(frozen=True)
class Chart:
    """A figure: curves over an axis, which may run from high to low."""

    title: str
    across: str
    up: str
    curves: tuple[Curve, ...]
    falling: bool = False
    logarithmic: bool = False


class Verdict(StrEnum):
    """What the figures say about a statement."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"


CHANCE = 0.05
"""The share of repeated runs that may disagree before a statement is left undecided."""


def verdict_of(holds: bool) -> Verdict:
    """Return the verdict on a statement that involves no chance.

    >>> verdict_of(True)
    <Verdict.HOLDS: 'holds'>
    """
    return Verdict.HOLDS if holds else Verdict.FAILS


def decided(margins: Sequence[float]) -> Verdict:
    """Return the verdict of repeated runs (seeds, or records left out): above 0 a run says yes.

    Undecided if more than one run in twenty says the opposite of the others, so fewer than twenty
    must all agree. A margin of 0 says neither.

    >>> decided([0.2, 0.1, 0.3]), decided([-1.0, -2.0]), decided([0.2, -0.1, 0.3])
    (<Verdict.HOLDS: 'holds'>, <Verdict.FAILS: 'does not hold'>, <Verdict.UNDECIDED: 'undecided'>)
    """
    most = CHANCE * len(margins)
    if sum(not margin > 0 for margin in margins) <= most:
        return Verdict.HOLDS
    return Verdict.FAILS if sum(not margin < 0 for margin in margins) <= most else Verdict.UNDECIDED


@dataclass(frozen=True)
class Finding:
    """A statement of the paper, the verdict on it here, and the figures that show it."""

    says: str
    verdict: Verdict
    here: str


@dataclass(frozen=True)
class Section:
    """One table or figure of a paper.

    `failure` is why there is nothing to show; `missing` are the files that it needs.
    """

    title: str
    says: str = ""
    findings: tuple[Finding, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    remarks: tuple[str, ...] = ()
    failure: str = ""
    missing: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether it has figures."""
        return not self.failure and not self.missing


@dataclass(frozen=True)
class Paper:
    """A paper, and what part of it cannot be redone by outsiders, with the reason."""

    name: str
    short: str
    citation: str
    absent: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chapter:
    """A paper with the sections that were made, and the CPU time that they took."""

    paper: Paper
    sections: tuple[Section, ...]
    seconds: float
