"""Calibrated weights: a release adds up to the same totals as the original.

Sampling and left-out records change weighted counts, and so does rounding of the weights. After the
last step weights are raked so that the weighted counts of chosen columns equal those of the
original again. If all members of a household have one weight they still do afterwards: each counts
with the mean of its household (Lemaître & Dufour 1987).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Microdata, Numbers, unknown_column
from discreet.microdata.clusters import clusters_of
from discreet.microdata.equivalence import classes
from discreet.microdata.weights import weight_column
from discreet.models.calibration import calibrated
from discreet.release.rules import as_before

Codes = NDArray[np.int32]
MOST_TERMS = 1_000


def refuse_uncountable(data: Microdata, columns: Sequence[str]) -> None:
    """Refuse to calibrate without weights, or by columns that have no counts.

    >>> import discreet
    >>> refuse_uncountable(discreet.read({"sex": ["f", "m"]}), ["sex"])
    Traceback (most recent call last):
    discreet.errors.UsageError: 'calibrate' changes the column with the role weight, but no ...
    """
    if not columns:
        return
    if weight_column(data) is None:
        raise UsageError(
            "'calibrate' changes the column with the role weight, but no column of numbers has it; "
            "give the role to a column, or leave 'calibrate' out"
        )
    for name in columns:
        if name not in data.schema:
            raise UsageError(unknown_column(name, data.schema.names, asked_by="calibrate"))
        if data.schema[name].continuous:
            raise UsageError(
                f"'calibrate' keeps counts of categories, but '{name}' is continuous, and keeping "
                "its total would give every record a weight of its own; declare it ordinal or "
                "nominal, or name another column"
            )


def calibrated_to(
    original: Microdata, table: Microdata, columns: Sequence[str]
) -> tuple[Microdata, str]:
    """Return the table with weights by which the columns count as in the original, and a note.

    If a column has suppressed cells, the shares of its categories among the other cells are kept.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"], "w": [2, 2, 1, 1]},
    ...                      roles={"w": "weight"})
    >>> table, _ = calibrated_to(data, data.take(np.array([0, 2, 3])), ["sex"])
    >>> table["w"].round(9)
    array([4., 1., 1.])
    """
    name = weight_column(original)
    if name is None or name not in table.schema or not table.schema[name].continuous:
        raise UsageError(
            "'calibrate' changes the weights that are released, but the steps left none that are "
            "numbers; leave 'calibrate' out"
        )
    before, weights = _known(original.column(name)), _known(table.column(name))
    total = float(before.sum())
    if not (total > 0 and weights.sum() > 0):
        raise DataError(f"'calibrate' needs weights above 0, but '{name}' has none")
    start = weights * (total / weights.sum())
    codes = {column: _on_scale_of(original, table, column) for column in columns}
    terms, targets = _controls(original, codes, before, start)
    groups = _raked_together(table, name, columns)
    sums: Numbers = np.bincount(groups, start).astype(np.float64)
    positive = sums > 0
    # A group counts with the weighted mean of its records.
    totals = np.column_stack([np.bincount(groups, start * term)[positive] for term in terms])
    rows: Numbers = totals / sums[positive, None]
    raking = calibrated(sums[positive], rows, targets) / sums[positive]
    # Equal groups get the same factor to the last digit; otherwise it would distinguish them.
    _, first, alike = np.unique(rows.round(9), axis=0, return_index=True, return_inverse=True)
    raked = np.ones(len(sums))
    raked[positive] = raking[first][alike.ravel()]
    released = np.where(weights > 0, start * raked[groups], table[name])
    factors = (released / np.where(weights > 0, weights, np.nan))[weights > 0]
    listed = ", ".join(f"'{column}'" for column in columns)
    note = (
        f"the weights '{name}' were calibrated: weighted counts by {listed} are those of the "
        f"original; factors from {factors.min():.4g} to {factors.max():.4g}"
    )
    return table.replace([table.column(name).with_values(released)]), note


def _known(column: Column) -> Numbers:
    return np.where(np.isfinite(column.values) & (column.values > 0), column.values, 0.0)


def _on_scale_of(original: Microdata, table: Microdata, name: str) -> Codes:
    """Return the released codes of a column as those of the original."""
    column = as_before(original, table, name)
    if column is None:
        raise UsageError(
            f"'calibrate' compares the counts of '{name}' with those of the original, but the "
            "steps recoded it or left it out; name a column that keeps its categories"
        )
    return column.values


def _controls(
    original: Microdata, codes: Mapping[str, Codes], before: Numbers, start: Numbers
) -> tuple[list[Numbers], Numbers]:
    """Return a term for each category that is released, and its weighted total."""
    total = float(start.sum())
    terms, targets = [np.ones(len(start))], [total]
    for name, released in codes.items():
        width = len(original.schema[name].categories)
        present = original[name] >= 0
        counts = np.bincount(original[name][present], before[present], width)
        occurs = np.bincount(released[released >= 0], start[released >= 0], width) > 0
        shown = total - float(start[released < 0].sum())
        whole = float(counts[occurs].sum())
        if not whole > 0:
            continue
        for code in np.flatnonzero(occurs):
            terms.append((released == code).astype(np.float64))
            targets.append(shown * float(counts[code]) / whole)
    if len(terms) > MOST_TERMS:
        raise UsageError(
            f"'calibrate' names columns with {len(terms) - 1:,} categories together, and at most "
            f"{MOST_TERMS:,} counts can be kept; name fewer columns"
        )
    return terms, np.array(targets)


def _raked_together(table: Microdata, name: str, columns: Sequence[str]) -> NDArray[np.int64]:
    """Return groups of records whose weights get one factor."""
    homes = clusters_of(table)
    if homes is not None and homes.agreeing(table.column(name)).all():
        return homes.labels
    return classes(table, columns)
