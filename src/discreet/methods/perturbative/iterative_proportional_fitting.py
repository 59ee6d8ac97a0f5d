"""Iterative proportional fitting: weights that add up to given totals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Entries, Grain, Masked, Method, Spec, param
from discreet.contracts.named_entries import is_number
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, Numbers, Role, unknown_column
from discreet.microdata.clusters import clusters_of
from discreet.microdata.equivalence import classes
from discreet.microdata.hierarchy import text_of
from discreet.microdata.weights import weight_column
from discreet.models.calibration import calibrated

SAME = 1e-6
"""Totals of two columns may differ by this share, for rounding."""


class IterativeProportionalFitting(Method):
    """Scales the weights until the weighted counts of each named column are the given totals.

    The totals are those of a census or a register. For one column after the other, the weights of
    the records in each category are multiplied so that they sum to its total, until all hold: this
    is raking, and its limit is computed here directly by Newton's method. Nothing but the
    weights changes, and they protect nobody; a record's weight says more about it the more columns
    are named. Where all members of a household have one weight they still do afterwards. To bring
    released weights back to the counts of the original file, name the columns under `calibrate:` in
    the plan instead.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m"], "old": ["y", "n", "n"], "w": [1, 1, 1]},
    ...                      roles={"w": "weight"}, kinds={"w": "continuous"})
    >>> margins = {"sex": {"f": 60, "m": 40}, "old": {"y": 20, "n": 80}}
    >>> made = IterativeProportionalFitting(margins=margins).protect(data, Context()).data
    >>> made["w"].round(6)
    array([20., 40., 40.])
    """

    spec: ClassVar[Spec] = Spec(
        name="iterative-proportional-fitting",
        title="Iterative proportional fitting (raking) of weights",
        citation="Deming & Stephan (1940), On a least squares adjustment of a sampled frequency "
        "table; Deville & Särndal (1992), calibration by raking",
        missing="a record without a value in a named column takes no part in its totals; a missing "
        "weight stays missing",
        treats=(Role.WEIGHT,),
        formula="w′ = w · Πⱼ aⱼ(xⱼ) with Σ over the records with xⱼ = v of w′ = T_jv for all j, v",
        cost="n·t² time in each of some rounds for t totals, memory n·t",
        whole_because="since the totals are those of all records",
        nearest="rounding",
        anew="the factors that reach the totals",
    )

    margins: Entries = param(
        help="the totals: column, then each of its categories with the number of people in the "
        "population",
    )

    undivided: ClassVar[str] = (
        "since each part would get the totals of all; name the columns of strata in 'margins'"
    )

    @classmethod
    def example(cls) -> Self:
        """Return the totals of a column that the contract's tables have."""
        return cls(margins={"stratum": {"n": 500, "s": 700}})

    @property
    def grain(self) -> Grain:
        """The weights fit these very records."""
        return Grain.FILE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the weights of the totals."""
        owner = type(self).__name__
        name = weight_column(data)
        if name is None:
            raise UsageError(
                f"{owner} changes the column with the role weight, but no column of numbers has "
                "it; give the role to a column"
            )
        weights = data[name]
        counted = np.isfinite(weights) & (weights > 0)
        start = np.where(counted, weights, 0.0)
        terms, totals = self._totals(data, start)
        groups = _together(data, name, tuple(self.margins or ()))
        sums: Numbers = np.bincount(groups, start).astype(np.float64)
        positive = sums > 0
        rows = np.column_stack([np.bincount(groups, start * term)[positive] for term in terms])
        raked = np.ones(len(sums))
        raked[positive] = (
            calibrated(sums[positive], rows / sums[positive, None], totals) / sums[positive]
        )
        released = np.where(counted, start * raked[groups], weights)
        factors = raked[groups][counted]
        listed = ", ".join(f"'{column}'" for column in self.margins or ())
        note = (
            f"the weights '{name}' add up to the totals of {listed}; factors from "
            f"{factors.min():.4g} to {factors.max():.4g}"
        )
        return Masked(data.replace([data.column(name).with_values(released)]), notes=(note,))

    def _totals(self, data: Microdata, start: Numbers) -> tuple[list[Numbers], Numbers]:
        """Return a term for each category with a total, and the totals."""
        owner = type(self).__name__
        if not self.margins:
            raise UsageError(f"margins of {owner} must name at least one column, but none is named")
        terms: list[Numbers] = []
        totals: list[float] = []
        people: dict[str, float] = {}
        for name, given in self.margins.items():
            if name not in data.schema:
                raise UsageError(unknown_column(name, data.schema.names, asked_by=owner))
            if data.schema[name].continuous:
                raise UsageError(
                    f"margins of {owner} are totals of categories, but '{name}' is continuous; "
                    "declare it ordinal or nominal"
                )
            wanted = _checked(given, name, owner)
            categories = {text_of(c): i for i, c in enumerate(data.schema[name].categories)}
            codes = data[name]
            occurring = {c for c, i in categories.items() if start[codes == i].any()}
            if set(wanted) != occurring:
                raise DataError(
                    f"margins of {owner} must give a total for each category of '{name}' that has "
                    f"records, and for no other, but {len(occurring - set(wanted))} of them have "
                    f"none, and {len(set(wanted) - occurring)} totals belong to no record; join "
                    "categories in an earlier step, or correct the totals"
                )
            for category, total in wanted.items():
                terms.append((codes == categories[category]).astype(np.float64))
                totals.append(total)
            if not (codes < 0).any():
                people[name] = sum(wanted.values())
        if people and max(people.values()) > min(people.values()) * (1 + SAME):
            raise UsageError(
                f"margins of {owner} must add up to the same number of people for each column, but "
                f"they add up to {min(people.values()):g} for one and {max(people.values()):g} for "
                "another"
            )
        return terms, np.array(totals)


def _checked(given: Any, name: str, owner: str) -> dict[str, float]:
    if not isinstance(given, Mapping) or not given:
        raise UsageError(
            f"margins of {owner} must give '{name}' its categories with their totals, but "
            f"{given!r} was given"
        )
    for total in given.values():
        if not is_number(total) or total <= 0:
            raise UsageError(
                f"margins of {owner} must be numbers above 0, but {total!r} was given for '{name}'"
            )
    return {text_of(category): float(total) for category, total in given.items()}


def _together(data: Microdata, name: str, columns: tuple[str, ...]) -> NDArray[np.int64]:
    """Return groups of records whose weights get one factor.

    These are households, if each has one weight, otherwise the records with the same categories.
    """
    homes = clusters_of(data)
    if homes is not None and homes.agreeing(data.column(name)).all():
        return homes.labels
    return classes(data, columns)
