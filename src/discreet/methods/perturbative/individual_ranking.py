"""Individual ranking: each column is microaggregated on its own."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Columns, Context, Masked, Method, Replacement, Spec, param
from discreet.contracts.partition import GROUP_SIZES
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.partition.optimal_univariate import OptimalUnivariate
from discreet.microaggregation.partition.ranking import Ranking
from discreet.microdata import Kind, Microdata


class IndividualRanking(Method):
    """Replaces each column, one at a time, by the averages of k values next to one another.

    It changes values very little and protects weakly: the groups of one column are not those of
    another, so a record keeps its own combination of values and mostly remains linkable by a few
    of them. There is no k-anonymity unless there is only one quasi-identifier. Measure the risk
    (record linkage, interval disclosure) before a release, or treat several columns together with
    microaggregation.

    The groups are runs of the column's values in their order: of k to 2k − 1 values with the least
    sum of squares, or without `optimal` the classic ones of k values, the last with the rest.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41], "pay": [9, 5, 4, 8]},
    ...                      roles={"age": "quasi-identifier", "pay": "quasi-identifier"})
    >>> masked = IndividualRanking(k=2).protect(data, Context()).data
    >>> masked["age"], masked["pay"]
    (array([21.5, 21.5, 40.5, 40.5]), array([8.5, 4.5, 4.5, 8.5]))
    """

    spec: ClassVar[Spec] = Spec(
        name="individual-ranking",
        title="Individual ranking",
        citation="Defays and Nanopoulos (1993); Domingo-Ferrer, A survey of inference control "
        "methods, §2",
        missing=Ranking.spec.missing,
        kinds=(Kind.CONTINUOUS, Kind.ORDINAL),
        formula="x′₍ᵢ₎ = (1/n_g) Σ_{l∈g} x₍ₗ₎,  g the run of ranks that i is in, for each column "
        "on its own\n"
        "runs of least Σ_g Σ_{l∈g} (x₍ₗ₎ − x̄_g)²,  k ≤ n_g ≤ 2k − 1",
        cost="n·log n time for each column, memory n",
    )

    k: int = param(
        default=5,
        help="least number of values in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    optimal: bool = param(
        default=True,
        help="groups of k to 2k − 1 values with the least sum of squares, instead of the classic "
        "groups of k",
    )
    replacement: Replacement = param(default="centroid", help="what replaces the values of a group")
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with each treated column replaced on its own."""
        names = self.treated(data, self.columns)
        partition = OptimalUnivariate(k=self.k) if self.optimal else Ranking(k=self.k)
        each = Microaggregation(partition, self.replacement, names, attributes_at_a_time=1)
        return each.protect(data, context)
