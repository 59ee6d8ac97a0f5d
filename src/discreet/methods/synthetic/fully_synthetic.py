"""Fully synthetic data by multiple imputation of a population, of which a sample is released."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Grain, Masked, Method, Spec, param
from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Microdata
from discreet.models.from_population import FromPopulation
from discreet.models.sequential.assembly import (
    SYNTHETIC_ROLES,
    kept_rules,
    masked,
    modelled,
    outside_regressions,
    refuse_unusable_columns,
)
from discreet.models.sequential.options import RecordOptions, RegressionOptions
from discreet.models.sequential.register import Register
from discreet.models.sequential.sequence import require_fittable, run, visits

Rows = NDArray[np.int64]


class FullySynthetic(FromPopulation, RecordOptions, RegressionOptions, Method):
    """A synthetic sample of a chosen size from an imputed population (Rubin's scheme).

    Background attributes are those that are known for the whole population. A register has them
    for everybody in it: a sample of its persons is drawn without replacement. Where there is no
    register, combinations of background attributes are drawn from the file by a Bayesian bootstrap,
    which represents the population. All other columns are imputed given them, by sequential
    regressions with drawn parameters. One run makes one data set. For M of them, which the
    combining rules need, see `discreet.analysis.copies`, or run a plan M times.

    With `originals` the released sample is taken from the population as it is, so that it may hold
    some of the original records; without, only persons who were not in the file are drawn. Which
    persons of the register are in the file is known where both have the same identifiers; otherwise
    anybody may be drawn, and gets imputed values.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> data = discreet.read({"sex": ["f", "m"] * 100, "pay": rng.normal(2000, 300, 200)},
    ...                      roles={"sex": "quasi-identifier", "pay": "confidential"})
    >>> masked = FullySynthetic(background=["sex"], records=50).protect(data, Context())
    >>> len(masked.data), set(masked.origin.tolist())
    (50, {-1})
    >>> everybody = {"sex": ["f"] * 900 + ["m"] * 100}
    >>> masked = FullySynthetic(records=60).from_population(everybody).protect(data, Context())
    >>> bool((masked.data["sex"] == 0).mean() > 0.75)   # as in the population, not as in the file
    True
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
        cost="n·p² time for each column, regressed on p terms, and for categories once for each "
        "step of the fit; memory n·p",
        anew="models",
        nearest="sequential-regression",
    )

    background: Columns = param(
        default=None,
        help="columns that are known for the whole population; their combinations are released as "
        "they occur in the register, or in the file. If not given: what the register has and is "
        "not confidential, or none",
    )
    register: Columns = param(
        default=None,
        path=True,
        help="a file with the background attributes of everybody in the population, under the "
        "names that they have in the data, as one entry population=path",
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
        "originals, and known where there is a register",
        at_least=1,
    )

    @property
    def grain(self) -> Grain:
        """The records are new ones."""
        return Grain.FILE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return a table of synthetic records."""
        owner = type(self).__name__
        names = self.treated(data, modelled(data))
        refuse_unusable_columns(data, self.background or (), owner)
        register = self._register(data)
        known_for_all = self.background or () if register is None else register.background
        background = [name for name in names if name in known_for_all]
        imputed = [name for name in names if name not in background]
        if not imputed:
            raise UsageError(
                f"{owner} has no column left to impute: all are background attributes, and whole "
                "records would be released as they are; name fewer with background"
            )
        rules = kept_rules(self.rules, data)
        sequence = visits(
            data,
            imputed,
            background,
            first=self.visit,
            order=self.order,
            predictors=self.predictors,
            models=self.models,
            scale=self.scale,
            owner=owner,
        )
        require_fittable(data, owner)
        size = len(data) if self.records is None else self.records
        if register is None:
            kept = self._originals(data, size, self.population, context)
            known = _resampled(data, background, size - len(kept), context)
        else:
            kept, known = self._persons(data, register, size, context)
        imputations = run(
            data,
            known,
            size - len(kept),
            sequence,
            context,
            rules=rules,
            rounded=self.round,
            alike=register is None,
            owner=owner,
        )
        together = [
            column.with_values(np.concatenate([data[column.name][kept], column.values]))
            for column in [*known, *imputations]
        ]
        notes = [*outside_regressions(data, self.scale), *self._notes(data, background, register)]
        return masked(data, together, notes, rules=rules, kept=kept, replicated=self.replicas)

    def _register(self, data: Microdata) -> Register | None:
        """Return the register, if there is one."""
        if self.register is None:
            return None
        if self.population is not None:
            raise UsageError(
                "the persons of the population are counted in the register, but FullySynthetic was "
                "given their number too; leave population out"
            )
        return Register.of(self.people(), data, self.background)

    def _persons(
        self, data: Microdata, register: Register, size: int, context: Context
    ) -> tuple[Rows, list[Column]]:
        """Return the original records in a sample of persons, and the background of the others."""
        persons = np.arange(len(register)) if self.originals else register.strangers
        if size > len(persons):
            raise DataError(
                f"a sample of {size} persons was asked for, but the register has {len(persons)} "
                f"{'' if self.originals else 'who are not in the file '}to draw from; set records "
                "to fewer"
            )
        kept = np.zeros(0, dtype=np.int64)
        if self.originals and not register.linked:
            kept = self._originals(data, size, len(register), context)
        generator = context.generator("persons")
        drawn = np.sort(generator.choice(persons, size - len(kept), replace=False))
        if register.linked:
            records = register.records[drawn]
            kept, drawn = np.sort(records[records >= 0]), drawn[records < 0]
        return kept, register.of_persons(drawn)

    def _notes(
        self, data: Microdata, background: Sequence[str], register: Register | None
    ) -> list[str]:
        """Return what a user should know about the origin of the records."""
        notes = []
        if background:
            where = "file" if register is None else "register"
            listed = ", ".join(background)
            notes.append(f"background attributes, combined as they occur in the {where}: {listed}")
        if register is not None and register.linked:
            missed = len(data) - int((register.records >= 0).sum())
            if missed:
                notes.append(f"records of the file about persons not in the register: {missed}")
        elif register is not None and not self.originals:
            notes.append(
                "the register has no identifier of the file: a person of the file may be drawn, "
                "with imputed values"
            )
        if self.originals:
            notes.append("the release may hold original records: originals were not excluded")
        return notes

    def _originals(
        self, data: Microdata, size: int, population: int | None, context: Context
    ) -> Rows:
        """Return the original records that a sample of the population happens to hold."""
        if not self.originals:
            return np.zeros(0, dtype=np.int64)
        if population is None or population < max(size, len(data)):
            raise UsageError(
                "FullySynthetic with originals needs the number of persons in the population, at "
                f"least the {max(size, len(data))} of the file and of the sample, but "
                f"{population or 'none'} was given; set population, or complete the register"
            )
        generator = context.generator("originals")
        count = generator.hypergeometric(len(data), population - len(data), size)
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
