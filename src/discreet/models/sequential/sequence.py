"""The sequence: columns are synthesised one after another, given those before them.

A column is fitted to the original records, then drawn for the synthetic ones from the values that
these have so far. Whether a value is missing is drawn first, by a logistic regression, unless
the gaps stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import STRETCH, Context
from discreet.contracts.passes import of_stretch
from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Microdata, Schema, unknown_column
from discreet.microdata.levels import of_household
from discreet.models.sequential.fitted import FittedColumn, Visit
from discreet.models.sequential.models import (
    SCORES,
    Fitter,
    Regression,
    checked_model,
    too_many_categories,
)
from discreet.models.sequential.order import DEPENDENCY, FILE, TreeOrder
from discreet.models.sequential.rules import Rule
from discreet.models.sequential.tree import Tree

FEWEST = 10
"""Records below which nothing can be fitted."""
REDRAWS = 60
"""How often records that break a rule are redrawn from the model."""


def visits(
    data: Microdata,
    columns: Sequence[str],
    known: Sequence[str],
    *,
    first: Sequence[str] | None = None,
    predictors: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    scale: str = SCORES,
    order: str = FILE,
    owner: str = "the synthesis",
) -> list[Visit]:
    """Return the columns in the order of their visit, each with its predictors and its model.

    `known` are columns that are not synthesised and may always be predictors. `first` are visited
    first, in this order, then the others. `predictors` are entries column=a+b that name the
    predictors of a column, `column=` for none; a column without entry has all before it. `models`
    are entries column=model; numbers enter them on this scale. `order` is that of the columns that
    are not first: as given, or along their dependency tree.

    >>> import discreet
    >>> data = discreet.read({"age": [1], "sex": ["f"], "pay": [1]})
    >>> [(v.column, v.predictors) for v in visits(data, ["age", "sex", "pay"], [], first=["sex"],
    ...                                           predictors=["pay=age"])]
    [('sex', ()), ('age', ('sex',)), ('pay', ('age',))]
    """
    _refuse_not_synthesised(first or (), data.schema, columns, f"the visit order of {owner}")
    tree = TreeOrder.of(data, [*known, *columns]) if order == DEPENDENCY else None
    others = list(columns)
    if tree is not None:
        # What a household shares is drawn before its members.
        shared = set(of_household(data))
        along = [name for name in tree.columns if name in set(columns)]
        others = sorted(along, key=lambda name: name not in shared)
    sequence_of_names = list(dict.fromkeys([*(first or ()), *others]))
    chosen = _entries(predictors, "predictors", "pay=age+sex", owner)
    kinds = _entries(models, "models", "pay=count", owner)
    _refuse_not_synthesised([*chosen, *kinds], data.schema, columns, owner)
    sequence = []
    for place, name in enumerate(sequence_of_names):
        before = (*known, *sequence_of_names[:place])
        names = before if tree is None else tree.nearest(name, before)
        if name in chosen:
            names = tuple(part.strip() for part in chosen[name].split("+") if part.strip())
            for predictor in names:
                if predictor not in data.schema:
                    raise UsageError(unknown_column(predictor, before, asked_by=owner))
                if predictor not in before:
                    raise UsageError(
                        f"{owner} can draw column '{name}' only from columns that are visited "
                        f"before it, but '{predictor}' was named; change the visit order"
                    )
        fit: Fitter = partial(Regression.fit, scale=scale)
        if name in kinds:
            model = checked_model(kinds[name], data.column(name), owner)
            fit = partial(Regression.fit, model=model, scale=scale)
        elif scale == SCORES and too_many_categories(data.schema[name]):
            fit = Tree.fit
        sequence.append(Visit(name, tuple(names), fit, partial(Regression.fit, scale=scale)))
    return sequence


def run(
    data: Microdata,
    known: Iterable[Column],
    rows: int,
    sequence: Sequence[Visit],
    context: Context,
    *,
    rules: Sequence[Rule] = (),
    gaps: Mapping[str, NDArray[np.bool_]] | None = None,
    rounded: bool = False,
    alike: bool = True,
    owner: str = "the synthesis",
) -> list[Column]:
    """Fit each column to the records of `data`, and draw it for this many rows.

    `known` are the columns of these rows that are not synthesised. `gaps` says where values are
    missing in columns whose gaps are kept; `rounded` rounds to the decimals of each column.
    `alike` says that the rows are a file like `data`, rather than other persons of a population.
    Records that break a rule are redrawn.

    >>> import discreet
    >>> data = discreet.read({"age": list(range(30)), "sex": ["f", "m"] * 15})
    >>> made = run(data, [data.column("sex")], 30, visits(data, ["age"], ["sex"]), Context())
    >>> made[0].name, len(made[0].values)
    ('age', 30)
    """
    fitted = FittedSequence.of(
        data,
        sequence,
        context,
        rules=rules,
        with_gaps=gaps is None,
        rounded=rounded,
        alike=alike,
        owner=owner,
    )
    return fitted.draw(known, rows, context, gaps)


@dataclass(frozen=True, eq=False)
class FittedSequence:
    """The fitted models of columns in the order of their visits, and the rules for every record.

    `scales` are the columns as they were fitted: their attributes, and values for records that no
    draw of a model satisfies, where a rule binds the column.
    """

    columns: tuple[FittedColumn, ...]
    scales: tuple[Column, ...]
    rules: tuple[Rule, ...]
    alike: bool
    owner: str

    @classmethod
    def of(
        cls,
        data: Microdata,
        sequence: Sequence[Visit],
        context: Context,
        *,
        rules: Sequence[Rule] = (),
        with_gaps: bool = True,
        rounded: bool = False,
        alike: bool = True,
        owner: str = "the synthesis",
    ) -> FittedSequence:
        """Fit each column to the records of `data`, as `run` does."""
        require_fittable(data, owner)
        bound = {name for rule in rules for name in rule.columns}
        columns, scales = [], []
        with context.task("synthesis", len(sequence)) as advance:
            for visit in sequence:
                part, column = context.within(visit.column), data.column(visit.column)
                columns.append(FittedColumn.of(data, visit, part, rounded, with_gaps))
                # A slice would keep all the values in memory.
                none = column.with_values(column.values[:0].copy())
                scales.append(column if visit.column in bound else none)
                advance(1)
        return cls(tuple(columns), tuple(scales), tuple(rules), alike, owner)

    def draw(
        self,
        known: Iterable[Column],
        rows: int,
        context: Context,
        gaps: Mapping[str, NDArray[np.bool_]] | None = None,
        first: int = 0,
    ) -> list[Column]:
        """Return the columns of this many rows from row `first` on, which is at a stretch."""
        given = list(known)
        made: list[list[NDArray[Any]]] = [[] for _ in self.columns]
        for start in range(0, rows, STRETCH) if rows else (0,):
            at = slice(start, min(start + STRETCH, rows))
            table = {c.name: c.with_values(c.values[at]) for c in given}
            number = (first + start) // STRETCH
            for fitted, scale, drawn in zip(self.columns, self.scales, made, strict=True):
                name = scale.name
                part = of_stretch(context, number).within(name)
                hidden = None if gaps is None else gaps[name][at]
                in_stretch = fitted.of_stretch(part, number)
                given_here = table_of(table, fitted.visit.predictors, at.stop - at.start)
                values = in_stretch.draw(given_here, hidden, whole=self.alike)
                table[name] = scale.with_values(values)
                occurring = partial(present_values, scale)
                keep_rules(self.rules, occurring, in_stretch, table, part, self.owner)
                drawn.append(table[name].values)
        columns = []
        for scale, drawn in zip(self.scales, made, strict=True):
            columns.append(scale.with_values(np.concatenate(drawn)))
            drawn.clear()
        return columns


@dataclass(frozen=True, eq=False)
class NewRecords:
    """Rows of records that come from no original."""

    models: FittedSequence

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        """Return the columns of as many records as there are rows, from row `first` on."""
        return self.models.draw((), len(rows), context, None, first)


def require_fittable(data: Microdata, owner: str) -> None:
    """Refuse a table that is too small to fit models to.

    >>> import discreet
    >>> require_fittable(discreet.read({"age": [30]}), "FullySynthetic")
    Traceback (most recent call last):
    discreet.errors.DataError: FullySynthetic needs at least 10 records to fit a model to, ...
    """
    if len(data) < FEWEST:
        raise DataError(
            f"{owner} needs at least {FEWEST} records to fit a model to, but there are {len(data)}"
        )


def table_of(columns: Mapping[str, Column], names: Sequence[str], rows: int) -> Microdata:
    """Return some of the columns as a table of this many rows."""
    return Microdata([columns[name] for name in names], rows=rows)


def present_values(column: Column) -> NDArray[Any]:
    """Return the values of a column that are not missing."""
    return np.asarray(column.values[~column.missing])


def keep_rules(
    rules: Sequence[Rule],
    occurring: Callable[[], NDArray[Any]],
    fitted: FittedColumn,
    table: dict[str, Column],
    context: Context,
    owner: str,
) -> None:
    """Redraw in a table's newest column the records that break a rule, until they satisfy it.

    First from the model; those left over from the `occurring` values of the column; then each of
    these is tried in turn.
    """
    visit = fitted.visit
    rules = [r for r in rules if visit.column in r.columns and r.columns <= set(table)]
    if not rules or fitted.model is None:
        return
    column = table[visit.column]
    values = column.values.copy()
    broken = np.flatnonzero(_broken(rules, table))
    if not len(broken):
        return
    generator = context.generator("redraws")
    values_there = occurring()
    distinct = np.unique(values_there)
    for attempt in range(2 * REDRAWS + len(distinct)):
        some = {name: Column(c.attribute, c.values[broken]) for name, c in table.items()}
        if attempt < REDRAWS:
            given = table_of(some, visit.predictors, len(broken))
            tried = fitted.model.draw(given, generator)
        elif attempt < 2 * REDRAWS:
            tried = generator.choice(values_there, len(broken))
        else:
            tried = np.full(len(broken), distinct[attempt - 2 * REDRAWS])
        some[visit.column] = column.with_values(tried)
        failed = _broken(rules, some)
        values[broken[~failed]] = tried[~failed]
        broken = broken[failed]
        if not len(broken):
            table[visit.column] = column.with_values(values)
            return
    texts = "; ".join(rule.text for rule in rules)
    raise DataError(
        f"{owner} found no value of column '{visit.column}' that satisfies the rules for "
        f"{len(broken)} records; check the rules against the data: {texts}"
    )


def _broken(rules: Sequence[Rule], table: Mapping[str, Column]) -> NDArray[np.bool_]:
    return np.asarray(np.any([rule.broken(table) for rule in rules], axis=0))


def _refuse_not_synthesised(
    names: Sequence[str], schema: Schema, synthesised: Sequence[str], owner: str
) -> None:
    for name in names:
        if name not in schema:
            raise UsageError(unknown_column(name, synthesised, asked_by=owner))
        if name not in synthesised:
            listed = ", ".join(f"'{column}'" for column in synthesised)
            raise UsageError(
                f"{owner} names column '{name}', which is not synthesised (columns: {listed})"
            )


def _entries(
    texts: Sequence[str] | None, parameter: str, example: str, owner: str
) -> dict[str, str]:
    entries: dict[str, str] = {}
    for text in texts or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign):
            raise UsageError(
                f"the {parameter} of {owner} must be written as {example}, but '{text}' was given"
            )
        if name in entries:
            raise UsageError(f"{owner} is given two entries of {parameter} for column '{name}'")
        entries[name] = value
    return entries
