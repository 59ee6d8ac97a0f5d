"""Confidential values in groups of records: what every measure of attribute disclosure counts.

An intruder who finds the group of a person reads the confidential values of that group. This module
says which columns and groups those are, and how often each value occurs in each group:

- the columns with the role confidential that were released, or the one that is named;
- the groups that the method made, where its owner knows them, otherwise the equivalence classes
  of the release: the records that agree in all quasi-identifiers;
- every category is a value; so is every different number of a continuous column, unless the measure
cuts it into classes at its quantiles; a missing value is a value of its own.
"""

from __future__ import annotations

import re
import unicodedata
from abc import abstractmethod
from collections.abc import Collection, Hashable, Mapping
from decimal import Decimal
from functools import partial

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import ALL_KINDS, Context, Measure, Pairing, Score, param
from discreet.errors import NotApplicable
from discreet.measures.tally import Grouped, Tally, tally
from discreet.measures.view import alike, together_alike, units_alike
from discreet.microdata import Column, Kind, Microdata, Role
from discreet.microdata.decoded import Decoded
from discreet.microdata.equivalence import coded, distinguishing_columns, numbered

CLASSES = 2
"""Classes of a continuous column, cut at its quantiles: two, as Li & Sarkar (2013) cut salaries."""

NUMBER = re.compile(r"-?(?:0|[1-9]\d*)?(?:(?<=\d)|\.\d+)(?:e[-+]?\d+)?", re.ASCII)
"""Text that is a number; with leading zeros it is a code."""


class ConfidentialMeasure(Measure):
    """A measure of what the groups give away about the worst confidential column, or one of
    them.
    """

    confidential: str | None = param(
        default=None,
        public=True,
        help="the confidential column to measure; the worst of all if not given",
    )


class WorstClassMeasure(ConfidentialMeasure):
    """Such a measure with one figure per equivalence class of the release; the worst counts."""

    @abstractmethod
    def by_class(self, column: Column, counts: Tally) -> NDArray[np.float64]:
        """Return the figure of each class, from the values that it has of one column."""

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the largest figure of a class; per record, that of its own class."""
        names = confidential_columns(original, released, self.confidential)
        groups = equivalence_classes(released, context, self.confidential)
        worst = np.zeros(groups.count)
        columns = {}
        for name in names:
            column = released.column(name)
            counts = tally(*values_of(column), groups)
            figures = counts.for_groups(partial(self.by_class, column))
            columns[name] = float(figures.max())
            np.maximum(worst, figures, out=worst)
        per_record = worst.take(groups.labels)
        return Score(
            float(worst.max()),
            per_record=per_record,
            detail={
                "columns": columns,
                "classes": groups.count,
                "mean over the records": float(per_record.mean()),
            },
            parts=by_name(columns),
            column=max(columns, key=columns.__getitem__),
        )


class ConfidentialClasses(ConfidentialMeasure):
    """Such a measure by classes, of numbers too."""

    classes: int = param(
        default=CLASSES,
        help="number of classes that a continuous column is cut into at its quantiles",
        at_least=2,
    )


def by_name(columns: Mapping[str, float]) -> dict[tuple[str, ...], float]:
    """Return the figures of single columns as the parts of a score.

    >>> by_name({"pay": 0.5})
    {('pay',): 0.5}
    """
    return {(name,): figure for name, figure in columns.items()}


def confidential_columns(
    original: Microdata,
    released: Microdata,
    named: str | None = None,
    kinds: Collection[Kind] = ALL_KINDS,
) -> list[str]:
    """Return the released confidential columns of some kinds, or the one that is named.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 41], "ill": ["y", "n"]}, roles={"ill": "confidential"})
    >>> confidential_columns(data, data)
    ['ill']
    """
    words = " or ".join(kind.value for kind in kinds)
    if named is not None:
        original.column(named)  # a name that the original lacks is a mistake
        if named not in released.schema:
            raise NotApplicable(f"the confidential column '{named}' was not released")
        if released.schema[named].kind not in kinds:
            raise NotApplicable(f"the confidential column '{named}' was not released as {words}")
        return [named]
    names = released.having(Role.CONFIDENTIAL)
    if not names:
        raise NotApplicable("no released column is confidential")
    matching = [name for name in names if released.schema[name].kind in kinds]
    if not matching:
        raise NotApplicable(f"no released column is confidential and {words}")
    return matching


def confidential_numbers(
    original: Microdata,
    released: Microdata,
    named: str | None = None,
    origin: NDArray[np.int64] | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Return what is released about the confidential numbers of the original, or the one named.

    A label counts as the middle of its range; NaN where nothing is known.

    >>> import discreet
    >>> data = discreet.read({"pay": [10, 31]}, roles={"pay": "confidential"})
    >>> confidential_numbers(data, discreet.read({"pay": ["10–19", "31"]}))
    {'pay': array([14.5, 31. ])}
    """
    names = [named] if named is not None else list(original.having(Role.CONFIDENTIAL))
    names = [name for name in names if original.schema[name].continuous]
    if not names:
        raise NotApplicable("no column is confidential and continuous")
    view = Decoded(original, released, names, origin)
    expected = {name: view[name].expected for name in names if name not in view.lost}
    if not expected:
        raise NotApplicable("the release says nothing about a confidential number")
    return expected


def equivalence_classes(released: Microdata, context: Context, named: str | None = None) -> Grouped:
    """Return the classes of records that agree in all quasi-identifiers but the named column."""
    names = tuple(distinguishing_columns(released, but=named))

    def grouped() -> Grouped:
        labels = alike(released, names, context)
        together = together_alike(released, names, context)
        units = units_alike(released, context)
        return Grouped(labels, int(labels.max()) + 1, units=units, known_together=together)

    return context.once(("equivalence classes", released, names), grouped)


def groups_of(
    original: Microdata,
    released: Microdata,
    pairing: Pairing | None,
    context: Context,
    named: str | None = None,
) -> Grouped:
    """Return the groups that the method made, or else the equivalence classes.

    >>> import discreet
    >>> from discreet.contracts import Groups
    >>> data = discreet.read({"age": [30, 41, 41]}, roles={"age": "quasi-identifier"})
    >>> groups_of(data, data, None, Context()).labels
    array([0, 1, 1])
    >>> known = Pairing(np.array([2, 1, 0]), Groups(np.array([0, 0, 1])))
    >>> groups_of(data, data, known, Context()).labels
    array([1, 0, 0])
    """
    known = None if pairing is None else pairing.groups
    if pairing is None or known is None or len(known.labels) != len(original):
        return equivalence_classes(released, context, named)
    if not len(released):
        raise NotApplicable("the release has no records")
    labels = known.labels[pairing.origin]
    labels = labels - labels.min()
    units = units_alike(released, context)
    return Grouped(*numbered(labels, int(labels.max()) + 1), by_method=True, units=units)


def values_of(column: Column, classes: int | None = None) -> tuple[NDArray[np.int64], int]:
    """Return the values as numbers from 0 in their order, and how many there are; then missing.

    `classes` cuts a continuous column at its quantiles into as many classes, or fewer where many
    values are equal. Where most records have the largest value, that value is a class of its own:
    a cut above it would leave a single class, and every group would seem to be of one class.

    >>> import discreet
    >>> pay = discreet.read({"pay": [50, 10, None, 20, 90]}).column("pay")
    >>> values_of(pay)
    (array([2, 0, 4, 1, 3]), 4)
    >>> values_of(pay, classes=2)
    (array([1, 0, 2, 0, 1]), 2)
    >>> hours = discreet.read({"hours": [20, 38, 38, 38, 30]}).column("hours")
    >>> values_of(hours, classes=2)
    (array([0, 1, 1, 1, 0]), 2)
    """
    if not column.attribute.continuous:
        return _categories_of(column)
    missing = column.missing
    present = column.values[~missing]
    if classes is None:
        ranks, levels = coded(present)
        count = len(levels)
    else:
        edges = _edges(present, classes) if len(present) else present
        ranks, count = numbered(np.searchsorted(edges, present), classes)
    codes = np.full(len(missing), count, dtype=np.int64)
    codes[~missing] = ranks
    return codes, count


def _edges(numbers: NDArray[np.float64], classes: int) -> NDArray[np.float64]:
    """Return the highest number of every class but the last."""
    edges = np.quantile(numbers, np.arange(1, classes) / classes, method="inverted_cdf")
    highest = numbers.max()
    lower = numbers[numbers < highest]
    return np.where(edges == highest, lower.max(), edges) if len(lower) else edges


def _categories_of(column: Column) -> tuple[NDArray[np.int64], int]:
    """Return the number of each record's category among those that occur, and how many occur.

    A reader sees no others. Nominal categories that a reader would identify share a number: "flu"
    and "Flu " are one diagnosis, "1.5" and "1.50" one dose, and a group that holds both is no more
    diverse for it; an empty text says no more than a missing one.
    """
    categories = column.attribute.categories
    occurring = np.zeros(len(categories) + 1, dtype=bool)
    occurring[column.values] = True
    occurring[-1] = False  # a missing value has the code -1
    forms: list[Hashable] = list(range(len(categories)))
    if column.attribute.kind is Kind.NOMINAL:
        forms = [_read(str(category)) for category in categories]
    occurring_forms = dict.fromkeys(
        form for form, seen in zip(forms, occurring, strict=False) if seen
    )
    occurring_forms.pop("", None)
    numbers = {form: number for number, form in enumerate(occurring_forms)}
    table = [numbers.get(form, len(numbers)) for form in (*forms, "")]
    return np.array(table, dtype=np.int64)[column.values], len(numbers)


def _read(text: str) -> Hashable:
    """Return what a reader sees; forms of letters, blanks, and signs without width say nothing."""
    seen = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    form = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
    form = " ".join(form.split())
    return Decimal(form) if NUMBER.fullmatch(form) else form
