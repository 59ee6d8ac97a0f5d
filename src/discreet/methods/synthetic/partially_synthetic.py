"""Partially synthetic data: chosen columns, or chosen cells, are imputed."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.errors import DataError
from discreet.microdata import Microdata
from discreet.models.sequential.assembly import (
    below_zero,
    kept_rules,
    modelled,
    on_rules,
    outside_regressions,
)
from discreet.models.sequential.options import RegressionOptions
from discreet.models.sequential.rules import comparisons
from discreet.models.sequential.sequence import FEWEST, run, visits


class PartiallySynthetic(RegressionOptions, Method):
    """Replaces values of chosen columns, or of chosen records in them, by imputed ones.

    Each column is drawn from a regression on all columns that are released as they are and on those
    replaced before it, with parameters drawn from their posterior. Where only some records are
    replaced, the models are fitted to these alone: they should resemble each other, not the rest.
    One run makes one data set. For M of them, which the combining rules need, see
    `discreet.analysis.copies`, or run a plan M times; each further one tells an intruder more.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> age = rng.uniform(20, 60, 200)
    >>> data = discreet.read({"age": age, "pay": 50 * age + rng.normal(0, 200, 200)},
    ...                      roles={"pay": "quasi-identifier", "age": "other"})
    >>> masked = PartiallySynthetic(cells="age >= 50").protect(data, Context())
    >>> changed = masked.data["pay"] != data["pay"]
    >>> bool((changed == (age >= 50)).all())
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="partially-synthetic",
        title="Partially synthetic data by multiple imputation",
        citation="Domingo-Ferrer, A survey of inference control methods, §4; Reiter, Inference for "
        "partially synthetic, public use microdata sets (2003)",
        missing="a missing value stays missing; a missing predictor stands at the mean and has an "
        "indicator",
        random=True,
        formula="yⱼ ~ f(yⱼ | columns released as they are, y₁, …, yⱼ₋₁) for each column in turn",
        cost="n·p² time for each column, regressed on p terms, and for categories once for each "
        "step of the fit; memory n·p",
        anew="models",
        nearest="cart-synthesis",
    )

    cells: str | None = param(
        default=None,
        help="which records are replaced, as a text such as: age > 80 and sex = f; all if not "
        "given",
    )
    columns: Columns = param(
        default=None, help="the columns to synthesise; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with synthetic values in the chosen cells."""
        owner = type(self).__name__
        names = self.treated(data, self.columns)
        rules = kept_rules(self.rules, data)
        others = [name for name in modelled(data) if name not in names]
        sequence = visits(
            data,
            names,
            others,
            first=self.visit,
            order=self.order,
            predictors=self.predictors,
            models=self.models,
            scale=self.scale,
            owner=owner,
        )
        rows = self._replaced(data)
        if not len(rows):
            return Masked(data, notes=("no record is chosen by cells: nothing was replaced",))
        if len(rows) < min(FEWEST, len(data)):
            raise DataError(
                f"{owner} needs at least {FEWEST} records to fit a model to, but cells chooses "
                f"{len(rows)}; choose more or none"
            )
        some = data if len(rows) == len(data) else data.take(rows)
        made = run(
            some,
            some.drop(names),
            len(some),
            sequence,
            context,
            rules=rules,
            gaps={name: some.column(name).missing for name in names},
            rounded=self.round,
            owner=owner,
        )
        columns = []
        for column in made:
            values = data[column.name].copy()
            values[rows] = column.values
            columns.append(column.with_values(values))
        released = data.replace(columns)
        notes = [
            *outside_regressions(data, self.scale),
            *below_zero(data, columns),
            *on_rules(data, released, rules),
        ]
        return Masked(released, notes=tuple(notes))

    def _replaced(self, data: Microdata) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Return the records whose values are replaced."""
        chosen = np.ones(len(data), dtype=bool)
        for comparison in comparisons(self.cells or "", data, f"the cells '{self.cells}'"):
            chosen &= comparison.holds(data.column(comparison.column))
        return np.flatnonzero(chosen)
