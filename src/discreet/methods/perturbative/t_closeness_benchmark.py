"""The t-closeness benchmark: microaggregation of an MST whose groups keep to t-closeness."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Partition, Replacement, Spec, param
from discreet.methods.perturbative.class_restricted.masking import ClassRestrictedMasking
from discreet.microaggregation.partition.t_closeness_mst import TClosenessMST
from discreet.microaggregation.replacement.centroid import Centroid


class TClosenessBenchmark(ClassRestrictedMasking):
    """Means in groups of k records or more, with confidential values distributed as in the file.

    What the paper compares CAMP-CREST with: the partition t-closeness-mst, on columns divided by
    their range, with the replacement centroid. The release is k-anonymous, and t-close where
    there is one confidential column.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": [21, 22, 40, 41], "ill": ["y", "n", "n", "y"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> TClosenessBenchmark(k=2, t=0.1).protect(data, Context()).data["age"]
    array([21.5, 21.5, 40.5, 40.5])
    """

    spec: ClassVar[Spec] = Spec(
        name="t-closeness-benchmark",
        title="MST microaggregation with t-closeness, the benchmark of CAMP-CREST",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), §6.1; t-closeness: Li, Li & Venkatasubramanian (2007)",
        missing="in distances a category of its own, in classes too; replaced by the centroid of "
        "the present values of the group",
        guarantees=("k-anonymity",),
        formula=f"{TClosenessMST.spec.formula}\n{Centroid.spec.formula}",
        cost="as the partition t-closeness-mst",
        whole_because="since every group should have the distribution of the whole file",
        nearest="microaggregation",
    )

    t: float = param(
        default=0.2,
        help="largest distance of a group's confidential values to the file's: 0 for the same "
        "shares, 1 for nothing in common",
        above=0,
        at_most=1,
    )
    confidential: str | None = param(
        default=None,
        public=True,
        help="the nominal or ordinal column whose distribution is kept; the only confidential "
        "column if not given",
    )

    def partition(self, k: int) -> Partition:
        """Return the MST with t-closeness for groups of k."""
        return TClosenessMST(k=k, scaling="range", t=self.t, confidential=self.confidential)

    def replacement(self) -> Replacement:
        """Return the centroids."""
        return Centroid()
