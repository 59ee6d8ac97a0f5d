"""What the named methods of Li & Sarkar (2013) share: a partition, a replacement, a choice of k.

Each is microaggregation with one partition and one replacement. The user gives the least group
size k, or a linkage rate not to exceed, and then gets the least k that meets it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from discreet.contracts import (
    Columns,
    Context,
    Groups,
    Masked,
    Method,
    Partition,
    Replacement,
    param,
)
from discreet.contracts.partition import GROUP_SIZES
from discreet.errors import UsageError
from discreet.methods.perturbative.class_restricted.averaged_runs import averaged
from discreet.methods.perturbative.class_restricted.least_k import Draw, in_words, least_k
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.replacement.microperturbation import Microperturbation
from discreet.microdata import Microdata, Role
from discreet.microdata.numeric_coding import columns_from, holds_whole_numbers, numbers_of

USUAL = 5
CLASSES_STAY = (
    "each record keeps its confidential class, which may distinguish it within its group, so "
    "probabilistic k-anonymity is not claimed: look at the linkage"
)


class ClassRestrictedMasking(Method):
    """A partition of size k and a replacement, for a k that is given or searched."""

    k: int | None = param(
        default=None,
        help="minimum number of records in a group; 5 if neither this nor target_linkage is given",
        at_least=2,
        trials=(*GROUP_SIZES, 100),
        monotone=True,
    )
    target_linkage: float | None = param(
        default=None,
        help="search for the smallest k, upward from 3, at which at most this share of the "
        "released records is linked or second-linked to its original: 0.01 for one in a "
        "hundred",
        above=0,
        below=1,
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    @property
    def anew(self) -> str:
        """The least k may be stated; groups are of the file at hand."""
        return "groups of records" if self.target_linkage is None else "k, and groups of records"

    def partition(self, k: int) -> Partition:
        """Return the partition for groups of k."""
        raise TypeError(f"{type(self).__name__} does not say how to form groups")

    def replacement(self) -> Replacement:
        """Return what replaces the values of a group."""
        raise TypeError(f"{type(self).__name__} does not say how to replace values")

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the treated columns replaced group by group."""
        names = self.treated(data, self.columns)
        k, tried = self._choose_k(data, names, context)
        masked = self.masked(data, names, k, context)
        if self.target_linkage is None:
            return masked
        settled = type(self)(**{**self.values(), "k": k, "target_linkage": None})
        with_path = _with_search_path(masked, k, tried, self.target_linkage)
        return replace(with_path, chosen=(settled,))

    def masked(self, data: Microdata, names: tuple[str, ...], k: int, context: Context) -> Masked:
        """Return the release for one k."""
        method = Microaggregation(self.partition(k), self.replacement(), names)
        return method.protect(data, context)

    def draw_at(self, data: Microdata, names: tuple[str, ...], k: int) -> Draw:
        """Form the groups for one k, and return how a release is drawn from them."""
        groups = self.partition(k).groups(data, names, Context())
        replacement = self.replacement()
        return lambda context: data.replace(replacement.replace(data, names, groups, context))

    def _choose_k(
        self, data: Microdata, names: tuple[str, ...], context: Context
    ) -> tuple[int, dict[int, float]]:
        if self.target_linkage is None:
            return USUAL if self.k is None else self.k, {}
        if self.k is not None:
            raise UsageError(
                f"{type(self).__name__} takes either k or target_linkage, which searches for a k, "
                "but both were given; leave one out"
            )
        return least_k(
            data,
            lambda k: self.draw_at(data, names, k),
            self.target_linkage,
            context,
            random=self.spec.random,
        )


class ClassRestrictedPerturbation(ClassRestrictedMasking):
    """Microperturbation in groups whose confidential classes are as mixed as in the file."""

    confidential: Columns = param(
        default=None,
        help="the columns whose classes are spread over the groups; all confidential columns if "
        "not given",
    )
    classes: int | None = param(
        default=None,
        help="number of classes that a continuous confidential column is cut into at its "
        "quantiles; if not given, such a column is refused",
        at_least=2,
    )
    several: str = param(
        default="compound",
        help="what is done with several confidential columns: compound makes each combination of "
        "their values a class; averaged forms groups for each column on its own, averages the "
        "group means and adds noise once",
        choices=("compound", "averaged"),
    )
    round: bool = param(
        default=False,
        help="bring columns of whole numbers back to whole numbers; this adds about 1/12 to their "
        "variances and moves means a little",
    )

    def partition_by(self, k: int, confidential: Columns) -> Partition:
        """Return the partition for groups of k that spreads the classes of these columns."""
        raise TypeError(f"{type(self).__name__} does not say how to form groups")

    def partition(self, k: int) -> Partition:
        """Return the partition by all confidential columns, as one compound class."""
        return self.partition_by(k, self.confidential)

    def replacement(self) -> Replacement:
        """Return microperturbation."""
        return Microperturbation(round=self.round)

    def masked(self, data: Microdata, names: tuple[str, ...], k: int, context: Context) -> Masked:
        """Return the release for one k, with notes on the scales of its columns."""
        notes = tuple(_on_scales(data, names, self.round))
        if not self._runs_apart(data):
            masked = super().masked(data, names, k, context)
            if not set(self._classes(data)) <= set(names):
                masked = replace(masked, claims=(), notes=(*masked.notes, CLASSES_STAY))
            return replace(masked, notes=(*masked.notes, *notes))
        runs = self._runs(data, names, k, context)
        released = self._averaged(data, names, list(runs.values()), context.within("replacement"))
        note = (
            f"the records were grouped once for each of {', '.join(runs)} (k = {k}), the group "
            "means averaged and perturbed once; a record has several groups, so probabilistic "
            "k-anonymity is not claimed: look at the linkage"
        )
        return Masked(released, notes=(note, *notes))

    def draw_at(self, data: Microdata, names: tuple[str, ...], k: int) -> Draw:
        """Form the groups for one k, and return how a release is drawn from them."""
        if not self._runs_apart(data):
            return super().draw_at(data, names, k)
        runs = list(self._runs(data, names, k, Context()).values())
        return lambda context: self._averaged(data, names, runs, context)

    def _classes(self, data: Microdata) -> tuple[str, ...]:
        return data.having(Role.CONFIDENTIAL) if self.confidential is None else self.confidential

    def _runs_apart(self, data: Microdata) -> bool:
        return self.several == "averaged" and len(self._classes(data)) > 1

    def _runs(
        self, data: Microdata, names: tuple[str, ...], k: int, context: Context
    ) -> dict[str, Groups]:
        return {
            name: self.partition_by(k, (name,)).groups(data, names, context.within(name))
            for name in self._classes(data)
        }

    def _averaged(
        self, data: Microdata, names: tuple[str, ...], runs: list[Groups], context: Context
    ) -> Microdata:
        numbers = averaged(numbers_of(data, names), runs, context.generator("noise"))
        return data.replace(columns_from(data, names, numbers, whole=self.round))


def _with_search_path(masked: Masked, k: int, tried: dict[int, float], target: float) -> Masked:
    """Add the path of the search to the notes and to the details of the groups."""
    path = in_words(tried)
    note = (
        f"k = {k} is the smallest, from 3 up, at which at most {target:.2%} of the records are "
        f"linked or second-linked to their own; tried: {', '.join(path)}"
    )
    groups = masked.groups
    if groups is not None:
        detail = {**groups.detail, "k": k, "linked or second-linked": path}
        groups = replace(groups, detail=detail)
    return replace(masked, groups=groups, notes=(*masked.notes, note))


def _on_scales(data: Microdata, names: tuple[str, ...], rounds: bool) -> list[str]:
    """Return notes on the columns whose scale changed, or was restored at some cost."""
    continuous = [name for name in names if data.schema[name].continuous]
    others = [name for name in names if name not in continuous]
    whole = [
        name
        for name in continuous
        if holds_whole_numbers(data.column(name)) and not np.isnan(data[name]).all()
    ]
    notes = []
    if whole and rounds:
        notes.append(
            f"rounded to whole numbers: {', '.join(whole)}; this adds about 1/12 to variances and "
            "moves means a little"
        )
    elif whole:
        notes.append(
            f"whole numbers released as real ones: {', '.join(whole)}; this keeps means exactly "
            "and covariances on average, and round=True brings whole numbers back"
        )
    if others:
        notes.append(
            f"perturbed and brought back to categories: {', '.join(others)}; their shares and "
            "covariances are kept only roughly; as 0–1 columns they would be kept"
        )
    return notes
