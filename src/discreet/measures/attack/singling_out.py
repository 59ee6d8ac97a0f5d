"""Singling out: a description, read off the release, that fits one person and nobody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Aim, Context, Outcome, Spec, Target
from discreet.measures.linkage.cells import Cells, NumberCells, Rows
from discreet.measures.people import Everybody, PeopleAttack
from discreet.measures.sampled import interval_of_share

TRIED, ATTEMPTS = 100, 1_000
"""Descriptions by which each way of describing is tried, and those that count."""
MOST_LOOKS = 400_000_000
"""The most descriptions times people that are checked."""
LEAST_ATTEMPTS = 100
SIZES = (1, 2, 3, 5, 8)
"""How many columns a description by limits has."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Manner:
    """How a person is described: by this many columns, as they are released or by a limit."""

    columns: int
    exact: bool

    def __str__(self) -> str:
        how = "the released values" if self.exact else "upper or lower limits"
        return f"{how} of {self.columns} column{'s' if self.columns > 1 else ''}"


class SinglingOut(PeopleAttack):
    """Describes somebody in words of the release, and succeeds if exactly one person fits.

    A released record is taken at random. The intruder describes its person by all of its values, or
    by limits in some columns: a value above the median becomes "at least", one below "at most", and
    a category stays as it is. The way that works best in a trial is then used. The description must
    fit exactly one of all people, those in the file and those held back, and that one must be in
    the file. How often that person was held back, relative to their number, is the control.

    A blind guess knows the range of each column and its categories, and describes somebody by
    values drawn from them.

    >>> import discreet, numpy as np
    >>> draw = np.random.default_rng(1)
    >>> roles = dict.fromkeys("ab", "quasi-identifier")
    >>> data = discreet.read({c: draw.normal(size=300) for c in "ab"}, roles=roles)
    >>> outcome = SinglingOut().attempt(Target(data, data), Context())
    >>> outcome.success, outcome.blind
    (1.0, 0.0)
    """

    aim: ClassVar[Aim] = Aim.SINGLE_OUT
    spec: ClassVar[Spec] = Spec(
        name="singling-out",
        title="Singling out: a description that fits one person",
        citation="Giomi, Boenisch, Wehmeyer & Tasnádi (2022), A unified framework for quantifying "
        "privacy risk in synthetic data, §4.1; Cohen & Nissim (2020), Towards formalizing the "
        "GDPR's notion of singling out",
        missing="a missing value is a description of its own; a suppressed one says nothing",
        random=True,
        formula="share of descriptions φ with #{x : φ(x)} = 1 and the one in the file",
        cost="n comparisons for each of up to 1,000 descriptions and a blind guess beside each; "
        "fewer where that is more than 400 million",
    )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of descriptions that single out a person of the file."""
        everybody = Everybody.of(target)
        origin = None if target.pairing is None else target.pairing.origin
        columns = everybody.cells(target.released, self.known(target), origin)
        people, order = len(everybody.table), _order(columns, origin)
        attempts = max(LEAST_ATTEMPTS, min(ATTEMPTS, MOST_LOOKS // (2 * people)))
        middles = [_middle(column) for column in columns]
        manners = [Manner(len(columns), exact=True)]
        manners += [Manner(size, exact=False) for size in SIZES if size <= len(columns)]
        trials = max(10, attempts // 10) if attempts < ATTEMPTS else TRIED
        generator = context.generator("trials")

        def singled_out(manner: Manner, count: int, blind: bool) -> Rows:
            described = _descriptions(columns, middles, manner, order, count, blind, generator)
            return np.array([_only(masks, people) for masks in described])

        wins = {m: int(_inside(singled_out(m, trials, False), everybody).sum()) for m in manners}
        best = max(manners, key=lambda manner: wins[manner])
        generator = context.generator("attempts")
        singled = singled_out(best, attempts, False)
        won = _inside(singled, everybody)
        blind = _inside(singled_out(best, attempts, True), everybody)
        control = interval = None
        # Descriptions of the same record succeed or fail together.
        most = len(target.released)
        if everybody.outside:
            others = (singled >= everybody.inside).astype(np.float64)
            scale = everybody.inside / everybody.outside
            control = min(1.0, scale * float(others.mean()))
            low, high = interval_of_share(others, most=most)
            interval = min(1.0, scale * low), min(1.0, scale * high)
        return Outcome(
            float(won.mean()),
            float(blind.mean()),
            interval=interval_of_share(won, most=most),
            control=control,
            control_interval=interval,
            detail={"described by": str(best), "attempts": attempts},
        )


def _inside(singled: Rows, everybody: Everybody) -> NDArray[np.float64]:
    return ((singled >= 0) & (singled < everybody.inside)).astype(np.float64)


def _middle(column: Cells) -> float:
    if not isinstance(column, NumberCells) or np.isnan(column.people.low).all():
        return 0.0
    return float(np.nanmedian(column.people.at(slice(None))[0]))


def _order(columns: Sequence[Cells], origin: Rows | None) -> Rows:
    """Return the released records in an order that does not depend on how they were shuffled."""
    if origin is not None:
        return np.argsort(origin, kind="stable")
    everyone = slice(None)
    keys = [c.masked.at(everyone)[0] if isinstance(c, NumberCells) else c.symbols for c in columns]
    return np.lexsort(keys)


def _descriptions(
    columns: Sequence[Cells], middles: Sequence[float], manner: Manner, order: Rows, count: int,
    blind: bool, generator: np.random.Generator,
) -> Iterator[Iterator[Mask]]:  # fmt: skip
    """Yield descriptions; each yields for one column after the other whom it fits."""
    for _ in range(count):
        used = generator.permutation(len(columns))[: manner.columns].tolist()
        row, drawn = int(order[generator.integers(len(order))]), generator if blind else None
        yield (_fits(columns[c], _cell(columns[c], row, drawn), manner.exact, middles[c])
               for c in used)  # fmt: skip


def _cell(column: Cells, row: int, drawn: np.random.Generator | None) -> tuple[float, float]:
    """Return the ends of a number, or the symbol of a category; drawn for a blind guess."""
    if not isinstance(column, NumberCells):
        symbol = column.symbols[row] if drawn is None else drawn.integers(len(column.allows))
        return float(symbol), float(symbol)
    if drawn is None:
        least, most = column.masked.at(np.array([row]))
        return float(least[0]), float(most[0])
    known_values = column.people.low[~np.isnan(column.people.low)]
    if not len(known_values):
        return np.nan, np.nan
    value = float(drawn.uniform(known_values.min(), known_values.max()))
    return value, value


def _fits(column: Cells, cell: tuple[float, float], exact: bool, middle: float) -> Mask:
    least, most = cell
    if not isinstance(column, NumberCells):
        return np.asarray(column.allows[int(least)][column.categories])
    values, codes = column.people.low, column.people.codes
    if np.isnan(least):
        fits = np.isnan(values)
    elif exact:
        fits = (values >= least) & (values <= most)
    else:
        fits = values >= least if least > middle else values <= most
    return np.asarray(fits if codes is None else fits[codes])


def _only(masks: Iterator[Mask], people: int) -> int:
    """Return the one person whom all conditions fit, or −1."""
    fitting = np.ones(people, dtype=bool)
    for mask in masks:
        fitting &= mask
        if not fitting.any():
            return -1
    left = np.flatnonzero(fitting)
    return int(left[0]) if len(left) == 1 else -1
