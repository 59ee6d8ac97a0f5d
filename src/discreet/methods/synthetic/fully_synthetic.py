"""Fully synthetic data by multiple imputation of a population, of which a sample is released."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import NO_ORIGIN, Context, Masked, Method
from discreet.errors import UsageError
from discreet.microdata import Column, Microdata
from discreet.parameters import Columns, param
from discreet.sequential.assembly import (
    SYNTHETIC_ROLES,
    kept_rules,
    modelled,
    notes_on,
    of_synthetic_records,
    refuse_unusable_columns,
)
from discreet.sequential.options import RegressionOptions
from discreet.sequential.sequence import require_fittable, run, visits
from discreet.spec import Spec


class FullySynthetic(RegressionOptions, Method):
    """A synthetic sample of a chosen size from an imputed population (Rubin's scheme).

    Background attributes are those that are known for the whole population. Their combinations are
    drawn from the file by a Bayesian bootstrap, which stands for the population; all other columns
    are imputed given them, by sequential regressions with drawn parameters. One run makes one data
    set. For M of them, which the combining rules need, see `discreet.copies.copies`.

    With `originals` the released sample is taken from the population as it is, so that it may hold
    some of the original records; without, only persons who were not in the file are drawn.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> data = discreet.read({"sex": ["f", "m"] * 100, "pay": rng.normal(2000, 300, 200)},
    ...                      roles={"sex": "quasi-identifier", "pay": "confidential"})
    >>> masked = FullySynthetic(background=["sex"], records=50).protect(data, Context())
    >>> len(masked.data), set(masked.origin.tolist())
    (50, {-1})
    """

    spec: ClassVar[Spec] = Spec(
        name="fully-synthetic",
        title="Fully synthetic data by multiple imputation",
        citation="Domingo-Ferrer, A survey of inference control methods, §4, synthetic data by "
        "multiple imputation; Raghunathan, Reiter & Rubin, Multiple imputation for statistical "
        "disclosure limitation (2003)",
        missing="whether a value is missing is drawn first, by a logistic regression on the "
        "columns before it; background attributes keep theirs",
        random=True,
        treats=SYNTHETIC_ROLES,
        formula="yⱼ ~ f(yⱼ | background, y₁, …, yⱼ₋₁) for each other column in turn",
    )

    background: Columns = param(
        default=None,
        help="columns that are known for the whole population; their combinations are released as "
        "they occur in the file. None if not given",
    )
    records: int | None = param(
        default=None,
        help="number n′ of synthetic records; as many as in the file if not given",
        at_least=1,
    )
    originals: bool = param(
        default=False,
        help="let original records be drawn into the sample, as from the population, whose size "
        "is then needed",
    )
    population: int | None = param(
        default=None,
        help="number of persons in the population that the file is a sample of; only used with "
        "originals",
        at_least=1,
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return a table of synthetic records."""
        owner = type(self).__name__
        names = self.treated(data, modelled(data))
        refuse_unusable_columns(data, self.background or (), owner)
        background = [name for name in names if name in (self.background or ())]
        imputed = [name for name in names if name not in background]
        rules = kept_rules(self.rules, data)
        sequence = visits(
            data,
            imputed,
            background,
            first=self.visit,
            predictors=self.predictors,
            models=self.models,
            owner=owner,
        )
        require_fittable(data, owner)
        size = len(data) if self.records is None else self.records
        kept = self._originals(data, size, context)
        made = size - len(kept)
        known = _resampled(data, background, made, context)
        imputations = run(
            data, known, made, sequence, context, rules=rules, whole=self.round, owner=owner
        )
        together = [
            column.with_values(np.concatenate([data[column.name][kept], column.values]))
            for column in [*known, *imputations]
        ]
        notes = notes_on(data, rules)
        if background:
            listed = ", ".join(background)
            notes.append(f"background attributes, combined as they occur in the file: {listed}")
        if self.originals:
            notes.append("the release may hold original records: originals were not excluded")
        return Masked(
            of_synthetic_records(data, together, size),
            notes=tuple(notes),
            origin=np.concatenate([kept, np.full(made, NO_ORIGIN)]),
        )

    def _originals(self, data: Microdata, size: int, context: Context) -> NDArray[np.int64]:
        """Return the original records that a sample of the population happens to hold."""
        if not self.originals:
            return np.zeros(0, dtype=np.int64)
        if self.population is None or self.population < max(size, len(data)):
            raise UsageError(
                "FullySynthetic with originals needs the number of persons in the population, at "
                f"least the {max(size, len(data))} of the file and of the sample, but "
                f"{self.population or 'none'} was given; set population"
            )
        generator = context.generator("originals")
        count = generator.hypergeometric(len(data), self.population - len(data), size)
        return np.sort(generator.choice(len(data), count, replace=False)).astype(np.int64)


def _resampled(
    data: Microdata, background: Sequence[str], rows: int, context: Context
) -> list[Column]:
    """Return background attributes of records drawn by a Bayesian bootstrap."""
    generator = context.generator("background")
    weights = generator.standard_exponential(len(data))
    chosen = generator.choice(len(data), rows, p=weights / weights.sum())
    columns = [data.column(name) for name in background]
    return [column.with_values(column.values[chosen]) for column in columns]
