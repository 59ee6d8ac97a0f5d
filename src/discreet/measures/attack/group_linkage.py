"""Linkage within synthesised groups: the group by what was drawn, the person by what was not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Imitated, Pairing, Spec, Target, param
from discreet.errors import NotApplicable
from discreet.measures.linkage.assignment import Owners
from discreet.measures.linkage.attempt import Comparison, LinkageAttack
from discreet.measures.linkage.cells import Cells, Matrix, Rows, cells, summed
from discreet.measures.linkage.expected import expected
from discreet.measures.linkage.group_law import GroupLaw
from discreet.measures.linkage.imitation import imitations
from discreet.measures.linkage.lessons import IMPOSSIBLE
from discreet.microdata import Role

NOT_LOOKED_AT = (Role.IDENTIFIER, Role.HOUSEHOLD, Role.WEIGHT)


class GroupLinkage(LinkageAttack):
    """Links records that were drawn within groups by the columns left beside what was drawn.

    The intruder runs the method and knows who is in which group. A released record is likely to be
    in the groups whose distribution fits its drawn values; within them its other columns, released
    as they are, belong to one person. What they should be for each person is predicted from the
    quasi-identifiers, by a relation learned from other people. So a group of k protects by 1/k only
    if all columns that differ within it were drawn.

    >>> import discreet
    >>> draw = np.random.default_rng(1)
    >>> values = {c: draw.normal(size=200) for c in "ab"}
    >>> values["c"] = values["a"] - values["b"]
    >>> roles = {"a": "quasi-identifier", "b": "quasi-identifier", "c": "confidential"}
    >>> data = discreet.read(values, roles=roles)
    >>> release = discreet.protect(data, discreet.HybridMicro(k=20), seed=1)
    >>> outcome = GroupLinkage().attempt(Target(data, release.data, release.pairing), Context())
    >>> outcome.success > 0.5
    True
    """

    knows_method: ClassVar[bool] = True
    spec: ClassVar[Spec] = Spec(
        name="group-linkage",
        title="Linkage within synthesised groups",
        citation="Domingo-Ferrer & González-Nicolás (2010), Hybrid microdata using "
        "microaggregation, where all attributes are synthesised; the attack is on releases that "
        "leave some as they are",
        missing="of a missing or suppressed value nothing is known",
        random=True,
        formula="c(i, j) = −log N(yᵢ; μ_g, Σ_g) − Σ log p(zᵢ | xⱼ), g the group of person j, y the "
        "drawn columns, z those left, p by regression on the quasi-identifiers",
        cost="a run of the method; n² comparisons, of a sample where these are more than 30 "
        "million; up to 2,000 records n³ for the best assignment, memory n²",
    )

    products: bool = param(
        default=True,
        help="whether products and ratios of columns are considered as relations, besides sums",
    )

    def compare(
        self, target: Target, names: Sequence[str], pairing: Pairing, context: Context
    ) -> Comparison:
        """Find the groups, and learn their distribution and what remains beside it."""
        original, released = target.original, target.released
        left = self._left(target, pairing)
        seen = cells(original, released, names, pairing.origin)
        drawn = [column for column in seen if column.name not in left]
        same: list[Cells] = [column for column in seen if column.name in left]
        run = imitations(pairing, len(original), context)[0]
        labels = self._groups(target, pairing, run) if drawn else np.zeros(len(original), int)
        law = GroupLaw.of(drawn, labels)
        half = context.generator("halves").permutation(len(original)) % 2
        beside = [
            comparison
            for name in left
            if name not in names
            and (comparison := expected(original, list(names), original.column(name),
                                   released.column(name), half, self.products)) is not None
        ]  # fmt: skip

        drawn_costs: dict[bytes, Matrix] = {}

        def costs(rows: Rows, people: Rows | slice) -> Matrix:
            # The same records are compared with one part of the people after another, or some
            # records with the people of a few groups.
            at = rows.tobytes()
            of_rows = drawn_costs.get(at)
            if of_rows is None and isinstance(people, slice):
                of_rows = law.costs(rows)
                drawn_costs.clear()
                drawn_costs[at] = of_rows
            if of_rows is not None:
                parts = [of_rows[:, labels[people]]]
            else:
                groups, place = np.unique(labels[people], return_inverse=True)
                parts = [law.costs(rows, groups)[:, place]]
            parts += [comparison.costs(rows, people) for comparison in beside]
            parts += [IMPOSSIBLE * (column.gaps(rows, people) > 0) for column in same]
            return summed(parts, rows, people, len(original))

        return Comparison(costs, likelihood=True)

    def owners(self, target: Target, pairing: Pairing) -> Owners:
        """Return the person whose columns were left; any of the group where none were."""
        if self._left(target, pairing):
            return Owners(pairing.origin)
        return super().owners(target, pairing)

    def _groups(self, target: Target, pairing: Pairing, run: Imitated) -> Rows:
        """Return the group of each person, as the intruder finds it."""
        if pairing.groups is None or not pairing.groups.drawn:
            raise NotApplicable("the quasi-identifiers were not drawn within groups")
        groups = run.groups
        if groups is None or len(groups.labels) != len(target.original) or groups.labels.min() < 0:
            raise NotApplicable("some records were left out before groups were formed")
        return groups.labels

    def _left(self, target: Target, pairing: Pairing) -> list[str]:
        """Return the columns that are released as they are."""
        before = target.original.take(pairing.origin)
        return [
            column.name
            for column in target.released
            if column.name in before.schema
            and before.schema[column.name].role not in NOT_LOOKED_AT
            and column.same_as(before.column(column.name))
        ]
