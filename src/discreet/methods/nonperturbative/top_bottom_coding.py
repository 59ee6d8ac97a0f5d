"""Top and bottom coding: values beyond a threshold are no longer distinguished."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Columns,
    Context,
    Entries,
    Fitted,
    Grain,
    InMemory,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.contracts.named_entries import is_number, named
from discreet.errors import UsageError
from discreet.microdata import Column, Kind, Microdata
from discreet.microdata.dates import date_texts, moment, unit_of
from discreet.models.order_statistics import nth

FEWEST = 3
"""The mean of fewer records than this reveals too much about each of them."""


class TopBottomCoding(Method):
    """Replaces values above an upper and below a lower threshold by one value each.

    The thresholds are given by column, or they are quantiles: at most a share of the records lies
    above the upper and at most a share below the lower one. Values equal to a threshold stay. That
    value is the mean of the coded records, which leaves the mean of the column as it was, or the
    threshold. An ordinal column has no mean, and its coded records get their median category. Where
    fewer than 3 records are coded, their mean would disclose them, and the threshold is released
    instead.

    >>> import discreet
    >>> data = discreet.read({"income": [10, 20, 30, 90, 100, 110]},
    ...                      roles={"income": "quasi-identifier"})
    >>> TopBottomCoding(top={"income": 50}, bottom={"income": 15}).protect(data, Context()).data[
    ...     "income"]
    array([ 15.,  20.,  30., 100., 100., 100.])
    """

    spec: ClassVar[Spec] = Spec(
        name="top-bottom-coding",
        title="Top and bottom coding",
        citation="Domingo-Ferrer, A survey of inference control methods, §3, top and bottom coding",
        missing="a missing value stays missing",
        kinds=(Kind.CONTINUOUS, Kind.ORDINAL),
        formula="x′ = mean of the x above u, or u itself, where x > u\n"
        "x′ = mean of the x below l, or l itself, where x < l,  otherwise x′ = x",
        cost="n time for each column and pass",
        needs=Needs.ROWS,
    )

    top: Entries = param(
        default=None,
        help="upper thresholds: column and value (a number, a date, or a category of an ordinal "
        "column); values above it are coded",
    )
    bottom: Entries = param(
        default=None,
        help="lower thresholds: column and value (a number, a date, or a category of an ordinal "
        "column); values below it are coded",
    )
    top_share: float = param(
        default=0.05,
        help="the largest share of a column's values that is coded at the top, as a fraction "
        "(0.05 is 5 %), where neither top nor bottom names a threshold for the column; 0 codes "
        "none",
        at_least=0,
        below=1,
    )
    bottom_share: float = param(
        default=0.05,
        help="the largest share of a column's values that is coded at the bottom, as a fraction "
        "(0.05 is 5 %), where neither top nor bottom names a threshold for the column; 0 codes "
        "none",
        at_least=0,
        below=1,
    )
    value: str = param(
        default="mean",
        help="what coded records get: their mean (their median category in an ordinal column), or "
        "the threshold",
        choices=("mean", "threshold"),
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    @property
    def anew(self) -> str:
        """Thresholds may be stated; means are those of the records beyond them in each file."""
        if self.top_share or self.bottom_share:
            return "thresholds that are not stated"
        return "means beyond the thresholds" if self.value == "mean" else ""

    @property
    def grain(self) -> Grain:
        """Equal values are coded alike."""
        return Grain.VALUE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with coded values."""
        fitted = self.fit(InMemory(data), context)
        assert isinstance(fitted.treat, _Coding)
        stated: dict[str, dict[str, Any]] = {"top": {}, "bottom": {}}
        for name, ends in fitted.treat.ends.items():
            for end in ends:
                word = "top" if end.above else "bottom"
                unit = unit_of(data, name)
                stated[word][name] = _stated(data.column(name), end.threshold, unit)
        settled = TopBottomCoding(
            top=stated["top"] or None,
            bottom=stated["bottom"] or None,
            top_share=0.0,
            bottom_share=0.0,
            value=self.value,
            columns=fitted.columns,
        )
        table = data.replace(fitted.treat(data, context, 0))
        return Masked(table, notes=fitted.notes, chosen=(settled,))

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Find the thresholds, and what is released in place of the values beyond them."""
        head, owner = file.head, type(self).__name__
        names = self.treated(head, self.columns)
        tops = named(self.top, names, "top", owner)
        bottoms = named(self.bottom, names, "bottom", owner)
        coded, notes = {}, []
        for name in names:
            column = head.column(name)
            values = partial(self._values, file, name)
            ends = ((tops, self.top_share, "top"), (bottoms, self.bottom_share, "bottom"))
            stated = name in tops or name in bottoms
            high, low = (
                _given(column, given[name], unit_of(head, name), end, owner)
                if name in given
                else _quantile(values, 0.0 if stated else share, end)
                for given, share, end in ends
            )
            if low is not None and high is not None and low > high:
                if stated:
                    raise UsageError(
                        f"the bottom of '{name}' must not be above its top, but it is; change the "
                        "thresholds or shares"
                    )
                raise UsageError(
                    f"top_share and bottom_share of {owner} must leave something between them, "
                    f"but {self.top_share:g} and {self.bottom_share:g} were given"
                )
            thresholds = ((True, high), (False, low))
            coded[name] = [
                self._end(column, values, threshold, above)
                for above, threshold in thresholds
                if threshold is not None
            ]
            listed = ", ".join(end.words for end in coded[name])
            notes.append(f"coded in {name}: {listed or 'none'}")
        return Fitted(names, _Coding(coded), notes=tuple(notes))

    def _values(self, file: Passes, name: str) -> Iterator[NDArray[np.float64]]:
        """Yield the values that are present, piece by piece."""
        first = 0
        for piece in file.pieces([name]):
            self.refuse_infinite(piece, [name], first)
            first += len(piece)
            column = piece.column(name)
            yield column.values[~column.missing].astype(np.float64)

    def _end(self, column: Column, values: Values, threshold: float, above: bool) -> _End:
        """Return what is released beyond a threshold, and how many records that are."""
        width = 0 if column.attribute.continuous else len(column.attribute.categories)
        count, total, counts = 0, 0.0, np.zeros(width, dtype=np.int64)
        for piece in values():
            coded = piece[piece > threshold if above else piece < threshold]
            count += len(coded)
            if width:
                counts += np.bincount(coded.astype(np.int64), minlength=width)
            else:
                total += float(coded.sum())
        few = self.value == "mean" and 0 < count < FEWEST
        released = threshold
        if self.value == "mean" and not few and count:
            # An ordinal column has a median, the lower one of two.
            middle = int(np.searchsorted(np.cumsum(counts), (count - 1) // 2, side="right"))
            released = float(middle) if width else total / count
        words = f"{count} {'above' if above else 'below'}" + " (too few for a mean)" * few
        return _End(above, threshold, released, words)


Values = Callable[[], Iterator[NDArray[np.float64]]]


@dataclass(frozen=True)
class _End:
    """A threshold, and the value of the records beyond it."""

    above: bool
    threshold: float
    released: float
    words: str


@dataclass(frozen=True, eq=False)
class _Coding:
    """The thresholds of each column, for any rows."""

    ends: dict[str, list[_End]]

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        columns = []
        for name, ends in self.ends.items():
            column = rows.column(name)
            values = column.values.astype(np.float64)
            released = values.copy()
            for end in ends:
                beyond = values > end.threshold if end.above else values < end.threshold
                released[beyond & ~column.missing] = end.released
            columns.append(column.with_values(released))
        return columns


def _given(column: Column, given: Any, unit: str | None, parameter: str, owner: str) -> float:
    """Return a threshold that was named as a number or category code; `unit` is that of dates."""
    categories = column.attribute.categories
    if unit is not None:
        at = moment(given, unit)
        if at is not None:
            return float(at)
    elif column.attribute.continuous and is_number(given):
        return float(given)
    elif not column.attribute.continuous and given in categories:
        return float(categories.index(given))
    number = "a number" if unit is None else "a date such as 1950-01-31"
    expected = number if column.attribute.continuous else "one of its categories"
    raise UsageError(
        f"{parameter} of {owner} must be {expected} for '{column.name}', but {given!r} was given"
    )


def _stated(column: Column, threshold: float, unit: str | None) -> Any:
    """Return a threshold as `_given` takes it."""
    if not column.attribute.continuous:
        return column.attribute.categories[int(threshold)]
    return threshold if unit is None else date_texts(np.array([threshold]), unit)[0]


def _quantile(values: Values, share: float, end: str) -> float | None:
    """Return the value with at most this share of the others beyond it; None if none is coded."""
    present = sum(len(piece) for piece in values()) if share else 0
    if not present:
        return None
    # Counted from the end that is coded.
    beyond = int(share * present + 1e-9)
    return nth(values, present - beyond if end == "top" else beyond + 1)[0]
