"""k-anonymised CREST: means in place of values, in groups with well-mixed confidential classes."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Columns, Partition, Replacement, Spec, param
from discreet.methods.perturbative.class_restricted.masking import ClassRestrictedMasking
from discreet.microaggregation.partition.crest import CREST, PRINTED, SCALED
from discreet.microaggregation.replacement.centroid import Centroid


class KAnonymisedCrest(ClassRestrictedMasking):
    """Groups of similar records with well-mixed confidential classes, replaced by their centroids.

    The partition CREST with the replacement centroid. The release is k-anonymous; variances and
    covariances shrink as in all microaggregation, which camp-crest avoids.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": [21, 22, 23, 60, 61, 62], "ill": list("yynynn")},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> KAnonymisedCrest(k=3).protect(data, Context()).claims
    (Claim(k-anonymity: 3 claimed),)
    """

    spec: ClassVar[Spec] = Spec(
        name="k-anonymised-crest",
        title="k-anonymised CREST: class-restricted clustering with centroids",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), Fig. 4 with the means of §5",
        missing="in distances a category of its own, in classes too; replaced by the centroid of "
        "the present values of the group",
        guarantees=("k-anonymity",),
        formula=f"{CREST.spec.formula}\n{Centroid.spec.formula}",
        cost="as the partition crest",
    )

    confidential: Columns = param(
        default=None,
        help="the columns whose classes are spread over the groups, several as one compound "
        "class; all confidential columns if not given",
    )
    classes: int | None = param(
        default=None,
        help="number of classes that a continuous confidential column is cut into at its "
        "quantiles; not given, such a column is refused",
        at_least=2,
    )
    alpha: float = param(
        default=0.5,
        help="weight of the distance when the tree is grown, the rest being that of the class "
        "divergence: 1 for the distance alone, 0 for the classes alone",
        at_least=0,
        at_most=1,
    )
    b: int | None = param(
        default=None,
        help="number of records whose classes count for the divergence of an edge; if not given, "
        "10 and k are both tried where k is above 10, and the groups whose classes are mixed "
        "better (lower X²) are kept",
        at_least=2,
    )
    distance: str = param(
        default=PRINTED,
        help="printed divides the root of the summed squares by the number of columns, as the "
        "paper does, so that with many columns the classes weigh more; scaled divides it by the "
        "root of that number, which gives alpha the same meaning for any number of columns",
        choices=(PRINTED, SCALED),
    )

    def partition(self, k: int) -> Partition:
        """Return CREST for groups of k."""
        return CREST(
            k=k,
            confidential=self.confidential,
            classes=self.classes,
            alpha=self.alpha,
            b=self.b,
            distance=self.distance,
        )

    def replacement(self) -> Replacement:
        """Return the centroids."""
        return Centroid()
