"""Synthetic data by sequential regressions: every column given those before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from discreet.contracts import (
    Context,
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
from discreet.microdata import Microdata
from discreet.models.sequential.assembly import (
    SYNTHETIC_ROLES,
    kept_rules,
    masked,
    modelled,
    outside_regressions,
)
from discreet.models.sequential.clustered import clusters_to_synthesise, synthesise_all
from discreet.models.sequential.fitted import MOST_FITTED, Visit
from discreet.models.sequential.from_kept import drawn_from_kept
from discreet.models.sequential.kept import KeptSequence, keep
from discreet.models.sequential.models import RAW, SCORES
from discreet.models.sequential.options import KeptOptions, RegressionOptions, why_whole
from discreet.models.sequential.sequence import FittedSequence, NewRecords, visits
from discreet.models.simple_sampling import sampled_records


class SequentialRegression(KeptOptions, RegressionOptions, Method):
    """As many synthetic records as there are original ones, all columns drawn in sequence.

    The first column is drawn from its own distribution, each further one from a regression on the
    columns before it, with parameters drawn from their posterior: logistic, multinomial or ordered
    for categories; for numbers first whether they are one of the values that many records share,
    such as zero, then their normal scores, which come back through the distribution of the column:
    skewness, bounds and signs stay. With scale raw numbers are normal, as in the papers, and none
    of that stays. No released record comes from any one original.

    >>> import discreet
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> age = rng.uniform(20, 60, 500)
    >>> data = discreet.read({"age": age, "pay": 50 * age + rng.normal(0, 200, 500)},
    ...                      roles={"age": "quasi-identifier"})
    >>> masked = SequentialRegression().protect(data, Context())
    >>> made = masked.data
    >>> bool(abs(np.polyfit(made["age"], made["pay"], 1)[0] - 50) < 5), set(masked.origin.tolist())
    (True, {-1})
    """

    spec: ClassVar[Spec] = Spec(
        name="sequential-regression",
        title="Synthetic data by sequential regressions",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), §5 and §7, Synthetic; Raghunathan, "
        "Reiter & Rubin, Multiple imputation for statistical disclosure limitation (2003)",
        missing="whether a value is missing is drawn first, by a logistic regression on the "
        "columns before it; a missing predictor stands at the mean and has an indicator",
        random=True,
        treats=SYNTHETIC_ROLES,
        formula="yⱼ ~ f(yⱼ | y₁, …, yⱼ₋₁) for each column in turn",
        cost="n·p² time for each column, regressed on p terms, and for categories once for each "
        "step of the fit; memory n·p",
        needs=Needs.MODELS,
        nearest="cart-synthesis",
    )

    scale: str = param(
        default=SCORES,
        choices=(SCORES, RAW),
        help=str(RegressionOptions.params()["scale"].help),
    )

    @property
    def grain(self) -> Grain:
        """The records are new ones."""
        return Grain.FILE

    @property
    def needs(self) -> Needs:
        """Models fitted to a sample, unless they were kept or records are compared with all."""
        return Needs.MODELS if self.model is None and self.replicas else Needs.FILE

    @property
    def whole_because(self) -> str:
        """Only comparisons with all records, and kept models, need the whole file."""
        return why_whole(self.model is not None)

    @property
    def anew(self) -> str:
        """Models are fitted to each file, unless they were kept."""
        return "models" if self.model is None else "how many records there are"

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return a table of synthetic records."""
        owner = type(self).__name__
        names = self.treated(data, modelled(data))
        rules, rows = kept_rules(self.rules, data), len(data)
        if self.model is not None:
            columns = drawn_from_kept(
                self.model, data, names, rows, context, method=self.spec.name, owner=owner
            )
            return masked(data, columns, (), rules=rules, replicated=self.replicas)
        if clusters_to_synthesise(data) is not None:
            sequence = partial(self._sequence, data)
            columns = synthesise_all(
                data, names, rows, sequence, context, rules=rules, rounded=self.round, owner=owner
            )
            notes: Sequence[str] = outside_regressions(data, self.scale)
        else:
            fitted = self.fit(InMemory(data), context)
            columns = list(fitted.treat(Microdata([], rows=rows), context, 0))
            notes = fitted.notes
            del fitted  # the memory of the models is free for what is compared now
        return masked(data, columns, notes, rules=rules, replicated=self.replicas)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Fit the regressions to a sample of the records; any number is then drawn."""
        sample = sampled_records(file, MOST_FITTED, context, "records to fit")
        models = FittedSequence.of(
            sample,
            self._sequence(sample, self.treated(file.head, modelled(file.head))),
            context,
            rules=kept_rules(self.rules, sample),
            rounded=self.round,
            owner=type(self).__name__,
        )
        notes = tuple(outside_regressions(file.head, self.scale))
        return Fitted((), NewRecords(models), notes=notes, new=len(file))

    def fitted(self, data: Microdata, context: Context) -> KeptSequence:
        """Return the models of all columns, to draw records from later without the data."""
        return keep(
            data,
            self._sequence(data, self.treated(data, modelled(data))),
            context,
            method=self.spec.name,
            rules=kept_rules(self.rules, data),
            rounded=self.round,
            owner=type(self).__name__,
        )

    def _sequence(self, data: Microdata, columns: Sequence[str]) -> list[Visit]:
        return visits(
            data,
            columns,
            (),
            first=self.visit,
            order=self.order,
            predictors=self.predictors,
            models=self.models,
            scale=self.scale,
            owner=type(self).__name__,
        )
