"""A fitted sequence that is kept: records are drawn from it later, without the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.errors import UsageError
from discreet.microdata import MISSING_CODE, Attribute, Column, Microdata
from discreet.models.sequential.clustered import clusters_to_synthesise
from discreet.models.sequential.fitted import FittedColumn, Rounded, Visit
from discreet.models.sequential.forest import Forest
from discreet.models.sequential.models import Drawable
from discreet.models.sequential.rules import Rule
from discreet.models.sequential.sequence import (
    keep_rules,
    present_values,
    require_fittable,
    table_of,
)
from discreet.models.sequential.tree import Tree

if TYPE_CHECKING:
    import pyarrow as pa

MOST_OCCURRING = 10_000
"""Values of a column with rules that are kept, for records that no draw of the model satisfies."""


@dataclass(frozen=True, eq=False)
class KeptColumn:
    """A column, what it is drawn from, its models, and values that occur if a rule binds it."""

    attribute: Attribute
    predictors: tuple[str, ...]
    model: Drawable | None
    gaps: Drawable | None
    occurring: NDArray[Any]


@dataclass(frozen=True, eq=False)
class KeptSequence:
    """The models of all columns in the order of their visits, and the rules for every record.

    `names` are the columns in the order of the file, `records` how many it had, `types` the types
    of its columns as Arrow serialises them, and `method` is what fitted the models. It holds values
    of original records: it is as private as these.

    >>> import discreet
    >>> data = discreet.read({"age": np.arange(40) % 31, "sex": ["f", "m"] * 20})
    >>> model = discreet.SequentialRegression().fitted(data, Context())
    >>> made = model.draw(1000, Context())
    >>> len(made), made.schema.names
    (1000, ('age', 'sex'))
    """

    method: str
    records: int
    names: tuple[str, ...]
    columns: tuple[KeptColumn, ...]
    rules: tuple[Rule, ...]
    types: NDArray[np.uint8]

    def table(self, rows: int, context: Context | None = None) -> pa.Table:
        """Return this many new records as an Arrow table, with the types of the original
        columns.
        """
        from discreet.io.kept_types import typed_table

        return typed_table(self.draw(rows, context or Context()), self.types)

    def draw(self, rows: int, context: Context) -> Microdata:
        """Return this many new records; the same context gives the same records."""
        table: dict[str, Column] = {}
        with context.task("drawing", len(self.columns)) as advance:
            for kept in self.columns:
                name = kept.attribute.name
                part = context.within(name)
                fitted = FittedColumn(
                    Visit(name, kept.predictors),
                    kept.model,
                    kept.gaps,
                    np.nan if kept.attribute.continuous else MISSING_CODE,
                    part.generator("values"),
                    part.generator("missingness"),
                )
                made = fitted.draw(table_of(table, kept.predictors, rows), whole=True)
                table[name] = Column(kept.attribute, made)
                keep_rules(
                    self.rules,
                    partial(getattr, kept, "occurring"),
                    fitted,
                    table,
                    part,
                    self.method,
                )
                advance(1)
        return Microdata([table[name] for name in self.names], rows=rows)


def _plain(model: Drawable | None) -> Drawable | None:
    """Return a model without anything of the libraries that fitted it."""
    if isinstance(model, Rounded):
        inner = _plain(model.model)
        assert inner is not None
        return replace(model, model=inner)
    return model.kept() if isinstance(model, Tree | Forest) else model


def keep(
    data: Microdata,
    sequence: Sequence[Visit],
    context: Context,
    *,
    method: str,
    rules: Sequence[Rule],
    rounded: bool,
    owner: str,
) -> KeptSequence:
    """Fit each column to the records of `data`, and return the models."""
    from discreet.io.kept_types import serialised_types

    require_fittable(data, owner)
    homes = clusters_to_synthesise(data)
    if homes is not None:
        raise UsageError(
            f"models are kept only for files of single records, but these form {homes.word}s, "
            "which are drawn as wholes; draw as many copies as are needed with --copies"
        )
    bound = {name for rule in rules for name in rule.columns}
    columns = []
    with context.task("fitting", len(sequence)) as advance:
        for visit in sequence:
            part = context.within(visit.column)
            fitted = FittedColumn.of(data, visit, part, rounded, with_gaps=True)
            column = data.column(visit.column)
            occurring = column.values[:0]
            if visit.column in bound:
                occurring = present_values(column)
                if len(occurring) > MOST_OCCURRING:
                    lots = part.generator("occurring values")
                    occurring = lots.choice(occurring, MOST_OCCURRING, replace=False)
            columns.append(
                KeptColumn(
                    column.attribute,
                    visit.predictors,
                    _plain(fitted.model),
                    _plain(fitted.gaps),
                    occurring,
                )
            )
            advance(1)
    placed = {column.attribute.name for column in columns}
    names = tuple(name for name in data.schema.names if name in placed)
    types = serialised_types(data.drop([n for n in data.schema.names if n not in placed]))
    return KeptSequence(method, len(data), names, tuple(columns), tuple(rules), types)
