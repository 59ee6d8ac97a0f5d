"""Top and bottom coding: values beyond a threshold are no longer distinguished."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Entries, Grain, Masked, Method, Spec, param
from discreet.contracts.named_entries import is_number, named
from discreet.errors import UsageError
from discreet.microdata import Column, Kind, Microdata
from discreet.microdata.dates import date_texts, moment, unit_of

FEWEST = 3
"""The mean of fewer records than this reveals too much about each of them."""


class TopBottomCoding(Method):
    """Replaces values above an upper and below a lower threshold by one value each.

    The thresholds are given by column, or they are quantiles: at most a share of the records lies
    above the upper and at most a share below the lower one. Values equal to a threshold stay. The
    one value is the mean of the coded records, which leaves the mean of the column as it was, or
    the threshold. An ordinal column has no mean, and its coded records get their median category.
    Where fewer than 3 records are coded, their mean would disclose them, and the threshold is
    released instead.

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
        cost="n·log n time for each column",
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
    def grain(self) -> Grain:
        """Equal values are coded alike."""
        return Grain.VALUE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with coded values."""
        owner = type(self).__name__
        names = self.treated(data, self.columns)
        tops = named(self.top, names, "top", owner)
        bottoms = named(self.bottom, names, "bottom", owner)
        columns, notes = [], []
        chosen: dict[str, dict[str, Any]] = {"top": {}, "bottom": {}}
        for name in names:
            column = data.column(name)
            ends = ((tops, self.top_share, "top"), (bottoms, self.bottom_share, "bottom"))
            stated = name in tops or name in bottoms
            high, low = (
                _given(column, given[name], unit_of(data, name), end, owner)
                if name in given
                else _quantile(column, 0.0 if stated else share, end)
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
            for end, threshold in (("top", high), ("bottom", low)):
                if threshold is not None:
                    chosen[end][name] = _stated(column, threshold, unit_of(data, name))
            coded, coded_counts = self._coded(column, low, high)
            columns.append(coded)
            notes.append(coded_counts)
        settled = TopBottomCoding(
            top=chosen["top"] or None,
            bottom=chosen["bottom"] or None,
            top_share=0.0,
            bottom_share=0.0,
            value=self.value,
            columns=names,
        )
        return Masked(data.replace(columns), notes=tuple(notes), chosen=(settled,))

    def _coded(self, column: Column, low: float | None, high: float | None) -> tuple[Column, str]:
        values = column.values.astype(np.float64)
        present = ~column.missing
        released = values.copy()
        coded_counts = []
        for where, threshold in (("above", high), ("below", low)):
            if threshold is None:
                continue
            beyond = values > threshold if where == "above" else values < threshold
            beyond &= present
            count = int(beyond.sum())
            few = self.value == "mean" and 0 < count < FEWEST
            released[beyond] = threshold if few else self._value(column, values[beyond], threshold)
            coded_counts.append(f"{count} {where}" + (" (too few for a mean)" if few else ""))
        return column.with_values(
            released
        ), f"coded in {column.name}: {', '.join(coded_counts) or 'none'}"

    def _value(self, column: Column, coded: NDArray[np.float64], threshold: float) -> float:
        if self.value == "threshold" or not len(coded):
            return threshold
        if column.attribute.continuous:
            return float(coded.mean())
        return float(np.sort(coded)[(len(coded) - 1) // 2])


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
    what = number if column.attribute.continuous else "one of its categories"
    raise UsageError(
        f"{parameter} of {owner} must be {what} for '{column.name}', but {given!r} was given"
    )


def _stated(column: Column, threshold: float, unit: str | None) -> Any:
    """Return a threshold as `_given` takes it."""
    if not column.attribute.continuous:
        return column.attribute.categories[int(threshold)]
    return threshold if unit is None else date_texts(np.array([threshold]), unit)[0]


def _quantile(column: Column, share: float, end: str) -> float | None:
    """Return the value with at most this share of the others beyond it; None codes nothing."""
    present = column.values[~column.missing]
    if not share or not len(present):
        return None
    # Counted from the end that is coded.
    ordered = np.sort(present)
    beyond = int(share * len(present) + 1e-9)
    return float(ordered[-1 - beyond] if end == "top" else ordered[beyond])
