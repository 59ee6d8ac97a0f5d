"""The sequence: columns are synthesised one after the other, given those before them.

A column is fitted to the original records, then drawn for the synthetic ones from the values that
these have so far. Whether a value is missing is drawn first, by a logistic regression, unless
the gaps stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.errors import DataError, UsageError
from discreet.microdata import (
    MISSING_CODE,
    Attribute,
    Column,
    Kind,
    Microdata,
    Schema,
    unknown_column,
)
from discreet.microdata.dates import step_of, unit_of
from discreet.models.sequential.models import (
    SCORES,
    Drawable,
    Fitter,
    Regression,
    checked_model,
    too_many_categories,
)
from discreet.models.sequential.rules import Rule
from discreet.models.sequential.tree import Tree

FEWEST = 10
"""Records below which nothing can be fitted."""
MOST_DECIMALS = 4
"""A column with more is assumed not to be rounded."""
MOST_FITTED = 200_000
"""A model of one column is fitted to at most this many records, drawn at random."""
REDRAWS = 60
"""How often records that break a rule are redrawn from the model."""


@dataclass(frozen=True, eq=False)
class Visit:
    """A column to synthesise, the columns that it is drawn from, and the ways of fitting it.

    `missingness` fits whether a value is missing.

    >>> Visit("pay", ("age", "sex")).predictors
    ('age', 'sex')
    """

    column: str
    predictors: tuple[str, ...]
    fit: Fitter = Regression.fit
    missingness: Fitter = Regression.fit


def visits(
    data: Microdata,
    columns: Sequence[str],
    known: Sequence[str],
    *,
    first: Sequence[str] | None = None,
    predictors: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    scale: str = SCORES,
    owner: str = "the synthesis",
) -> list[Visit]:
    """Return the columns in the order of their visit, each with its predictors and its model.

    `known` are columns that are not synthesised and may always be predictors. `first` are visited
    first, in this order, then the others. `predictors` are entries column=a+b that name the
    predictors of a column, `column=` for none; a column without entry has all before it. `models`
    are entries column=model; numbers enter them on this scale.

    >>> import discreet
    >>> data = discreet.read({"age": [1], "sex": ["f"], "pay": [1]})
    >>> [(v.column, v.predictors) for v in visits(data, ["age", "sex", "pay"], [], first=["sex"],
    ...                                           predictors=["pay=age"])]
    [('sex', ()), ('age', ('sex',)), ('pay', ('age',))]
    """
    _refuse_not_synthesised(first or (), data.schema, columns, f"the visit order of {owner}")
    order = list(dict.fromkeys([*(first or ()), *columns]))
    chosen = _entries(predictors, "predictors", "pay=age+sex", owner)
    kinds = _entries(models, "models", "pay=count", owner)
    _refuse_not_synthesised([*chosen, *kinds], data.schema, columns, owner)
    sequence = []
    for place, name in enumerate(order):
        before = (*known, *order[:place])
        names = before
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
    owner: str = "the synthesis",
) -> list[Column]:
    """Fit each column to the records of `data`, and draw it for this many rows.

    `known` are the columns of these rows that are not synthesised. `gaps` says where values are
    missing in columns whose gaps are kept; `rounded` rounds to the decimals of each column.
    Records that break a rule are redrawn.

    >>> import discreet
    >>> data = discreet.read({"age": list(range(30)), "sex": ["f", "m"] * 15})
    >>> made = run(data, [data.column("sex")], 30, visits(data, ["age"], ["sex"]), Context())
    >>> made[0].name, len(made[0].values)
    ('age', 30)
    """
    require_fittable(data, owner)
    table = {column.name: column for column in known}
    drawn: list[Column] = []
    with context.task("synthesis", len(sequence)) as advance:
        for visit in sequence:
            column_context = context.within(visit.column)
            column = data.column(visit.column)
            given = _table(table, visit.predictors, rows)
            hidden = None if gaps is None else gaps[visit.column]
            model = None if column.missing.all() else _fitted(data, visit, column_context, rounded)
            made = _drawn(data, visit, model, given, hidden, column_context)
            table[visit.column] = column.with_values(made)
            ready = [r for r in rules if visit.column in r.columns and r.columns <= set(table)]
            if ready and model is not None:
                table[visit.column] = _keeping(
                    ready, data, visit, model, table, column_context, owner
                )
            drawn.append(table[visit.column])
            advance(1)
    return drawn


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


def _table(columns: Mapping[str, Column], names: Sequence[str], rows: int) -> Microdata:
    return Microdata([columns[name] for name in names], rows=rows)


def _drawn(
    data: Microdata,
    visit: Visit,
    model: Drawable | None,
    given: Microdata,
    gaps: NDArray[np.bool_] | None,
    context: Context,
) -> NDArray[Any]:
    column = data.column(visit.column)
    nothing = np.nan if column.attribute.continuous else MISSING_CODE
    missing = column.missing
    if model is None:
        return np.full(len(given), nothing)
    if gaps is None:
        gaps = np.zeros(len(given), dtype=bool)
        if missing.any():
            gaps = _missingness(data, visit, given, context)
    values = model.draw(given, context.generator("values"))
    return np.where(gaps, nothing, values)


@dataclass(frozen=True, eq=False)
class _Rounded:
    """A model whose draws are rounded before any other use."""

    model: Drawable
    decimals: int
    step: float

    def draw(self, table: Microdata, generator: np.random.Generator) -> NDArray[Any]:
        drawn = np.asarray(self.model.draw(table, generator), dtype=np.float64)
        return np.round(drawn / self.step, self.decimals) * self.step


def decimals(values: NDArray[np.float64]) -> int | None:
    """Return how many decimals numbers have, None if more than 4.

    >>> [decimals(np.array(v)) for v in ([3.0, 40.0], [1.25, 0.5], [1 / 3])]
    [0, 2, None]
    """
    return next(
        (d for d in range(MOST_DECIMALS + 1) if (np.round(values, d) == values).all()), None
    )


def _fitted(data: Microdata, visit: Visit, context: Context, rounded: bool) -> Drawable:
    column = data.column(visit.column)
    present = np.flatnonzero(~column.missing)
    if len(present) > MOST_FITTED:
        lots = context.generator("records")
        present = np.sort(lots.choice(present, MOST_FITTED, replace=False))
    records = data if len(present) == len(data) else data.take(present)
    column = records.column(visit.column)
    model = visit.fit(records, column, visit.predictors, context.generator("parameters"))
    # A date has no fraction; cut off only when written, it might then break a rule.
    if not (column.attribute.continuous and (rounded or unit_of(records, visit.column))):
        return model
    step = step_of(records, visit.column)
    places = decimals(column.values / step)
    return model if places is None else _Rounded(model, places, step)


def _missingness(
    data: Microdata, visit: Visit, given: Microdata, context: Context
) -> NDArray[np.bool_]:
    attribute = Attribute(visit.column, kind=Kind.NOMINAL, categories=("present", "missing"))
    gone = Column(attribute, data.column(visit.column).missing)
    generator = context.generator("missingness")
    if len(data) > MOST_FITTED:
        rows = np.sort(generator.choice(len(data), MOST_FITTED, replace=False))
        data, gone = data.take(rows), gone.with_values(gone.values[rows])
    model = visit.missingness(data, gone, visit.predictors, generator)
    return np.asarray(model.draw(given, generator) == 1)


def _keeping(
    rules: Sequence[Rule],
    data: Microdata,
    visit: Visit,
    model: Drawable,
    table: Mapping[str, Column],
    context: Context,
    owner: str,
) -> Column:
    """Return the column with records that break a rule redrawn until they satisfy it.

    First from the model; those left over from the values that occur; then each of these values is
    tried in turn.
    """
    column = table[visit.column]
    values = column.values.copy()
    broken = np.flatnonzero(_broken(rules, table))
    if not len(broken):
        return column
    generator = context.generator("redraws")
    original = data.column(visit.column)
    occurring = original.values[~original.missing]
    distinct = np.unique(occurring)
    for attempt in range(2 * REDRAWS + len(distinct)):
        some = {name: Column(c.attribute, c.values[broken]) for name, c in table.items()}
        if attempt < REDRAWS:
            tried = model.draw(_table(some, visit.predictors, len(broken)), generator)
        elif attempt < 2 * REDRAWS:
            tried = generator.choice(occurring, len(broken))
        else:
            tried = np.full(len(broken), distinct[attempt - 2 * REDRAWS])
        some[visit.column] = column.with_values(tried)
        failed = _broken(rules, some)
        values[broken[~failed]] = tried[~failed]
        broken = broken[failed]
        if not len(broken):
            return column.with_values(values)
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


def _entries(texts: Sequence[str] | None, what: str, example: str, owner: str) -> dict[str, str]:
    entries: dict[str, str] = {}
    for text in texts or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign):
            raise UsageError(
                f"the {what} of {owner} must be written as {example}, but '{text}' was given"
            )
        if name in entries:
            raise UsageError(f"{owner} is given two entries of {what} for column '{name}'")
        entries[name] = value
    return entries
