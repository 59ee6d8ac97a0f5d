"""Linkage by ranks: each released record to the person whose ranks are nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from discreet.contracts import Context, Pairing, Spec, Target
from discreet.measures.linkage.attempt import Comparison, LinkageAttack
from discreet.measures.linkage.cells import Matrix, Rows, cells, summed


class RankLinkage(LinkageAttack):
    """Links each released record to the person whose values have the nearest ranks.

    Skewed columns, in which a distance sees only the largest values, count as much as others. The
    intruder knows nothing about the method; ranks are those among the people.

    >>> import discreet
    >>> from discreet.contracts import Target
    >>> roles = {"age": "quasi-identifier", "pay": "quasi-identifier"}
    >>> data = discreet.read({"age": [20, 40, 60], "pay": [1, 10, 1e6]}, roles=roles)
    >>> masked = discreet.read({"age": [20, 40, 60], "pay": [2, 9, 9e5]}, roles=roles)
    >>> RankLinkage().attempt(Target(data, masked, Pairing.same_order(3)), Context()).success
    1.0
    """

    spec: ClassVar[Spec] = Spec(
        name="rank-linkage",
        title="Linkage by ranks",
        citation="Nin, Herranz & Torra (2008), Rethinking rank swapping to decrease disclosure "
        "risk",
        missing="a value of its own, as far from every other as the first rank from the last",
        random=True,
        formula="c(i, j) = Σ_c |rank of released i − rank of person j in column c| / n",
        cost="n² comparisons, of a sample where these are more than 30 million; memory n² up to "
        "2,000 records",
    )

    def compare(
        self, target: Target, names: Sequence[str], pairing: Pairing, context: Context
    ) -> Comparison:
        """Compare by the sum of the gaps between ranks."""
        columns = cells(target.original, target.released, names, pairing.origin, ranks=True)

        def costs(rows: Rows, originals: Rows | slice) -> Matrix:
            gaps = (column.looked_up(rows, originals) for column in columns)
            return summed(gaps, rows, originals, len(target.original))

        return Comparison(costs)
