"""AMA, approximate microaggregation: groups are formed by the key attributes alone."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.contracts.partition import GROUP_SIZES
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.grouping import KEY, NORMALISED_KEY
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microaggregation.replacement.centroid import Centroid
from discreet.microdata import Microdata


class AMA(Method):
    """Microaggregation that forms its groups by a few key attributes, and replaces all.

    The key attributes are those with the most edges in the tree of dependencies between the
    columns. Taking distances in these few alone is faster, but loses many times as much as MDAV on
    all columns, whichever few they are, unless the others are almost determined by them. If a file
    is too large for MDAV on all columns, use `blocks` of microaggregation, which lose hardly
    anything. The measure of the paper prefers columns of few values; `normalised` does not. It is
    microaggregation with MDAV on key attributes and centroids; other partitions can use key
    attributes too.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41], "school": [8, 9, 16, 16],
    ...                       "town": ["a", "a", "b", "b"]},
    ...                      roles=dict.fromkeys(["age", "school", "town"], "quasi-identifier"))
    >>> masked = AMA(k=2).protect(data, Context())
    >>> masked.groups.detail["key attributes"]
    ('age', 'school')
    >>> masked.data["age"]
    array([21.5, 21.5, 40.5, 40.5])
    """

    spec: ClassVar[Spec] = Spec(
        name="ama",
        title="AMA: approximate microaggregation by key attributes",
        citation="Sun, Wang, Li & Zhang, An approximate microaggregation approach for microdata "
        "protection (2012), Algorithm 2",
        missing="in the tree of dependencies and in distances a category of its own; in the "
        "centroids as the replacement 'centroid' says",
        guarantees=("k-anonymity",),
        formula="MI(A, B) = H(A|B) + H(B|A) (eq. 2), and the tree over the columns of least Σ MI\n"
        "key attributes v₁ … v_q, by degree: Σ_{i<q} deg(vᵢ) < m ≤ Σ_{i≤q} deg(vᵢ) (eq. 11, 12)\n"
        "x′ᵢ = x̄_g in all columns, g the MDAV group of i in the key attributes, n_g ≥ k",
        cost="as the partition mdav, with distances in the key attributes only, and n·c² time to "
        "choose them",
    )

    k: int = param(
        default=5,
        help="minimum number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    normalised: bool = param(
        default=False,
        help="divide the measure between two columns by their joint entropy, so that columns of "
        "few values are not preferred",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with every treated column replaced by its group's centroid."""
        # Algorithm 2 with the ending of the survey's MDAV, which leaves no group below k.
        method = Microaggregation(
            partition=MDAV(k=self.k, attributes=NORMALISED_KEY if self.normalised else KEY),
            replacement=Centroid(),
            columns=self.columns,
        )
        masked = method.protect(data, context)
        key = masked.groups.detail["key attributes"] if masked.groups else ()
        note = f"the records were grouped by the key attributes {', '.join(key)}"
        return replace(masked, notes=(*masked.notes, note))
