"""CAMP-CREST: clustering and microperturbation with a class-restricted spanning tree."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Columns, Partition, Spec, param
from discreet.methods.perturbative.class_restricted.masking import ClassRestrictedPerturbation
from discreet.microaggregation.partition.crest import CREST, PRINTED, SCALED
from discreet.microaggregation.replacement.microperturbation import Microperturbation


class CampCrest(ClassRestrictedPerturbation):
    """Groups of similar records with well-mixed confidential classes, and noise around their means.

    The partition CREST with the replacement microperturbation: anyone who finds the group of a
    person learns little about the class, and means and covariances of the file are kept. Give k, or
    the linkage rate not to exceed. For a file of many records partial-camp-crest is faster; for a
    release that is k-anonymous rather than perturbed, use k-anonymised-crest.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": [21, 22, 23, 60, 61, 62], "ill": list("yynynn")},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> masked = CampCrest(k=3).protect(data, Context())
    >>> masked.groups.sizes
    array([3, 3])
    >>> bool(masked.data["age"].mean().round(9) == 41.5)
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="camp-crest",
        title="CAMP-CREST: class-restricted clustering and microperturbation",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), Fig. 5; several classes: §8; the least k: §7",
        missing="in distances a category of its own, in classes too; a missing value is perturbed "
        "as the replacement 'microperturbation' says",
        random=True,
        formula=f"{CREST.spec.formula}\n{Microperturbation.spec.formula}",
        cost="as the partition crest",
        nearest="k-anonymised-crest",
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

    def partition_by(self, k: int, confidential: Columns) -> Partition:
        """Return CREST for groups of k."""
        return CREST(
            k=k,
            confidential=confidential,
            classes=self.classes,
            alpha=self.alpha,
            b=self.b,
            distance=self.distance,
        )
