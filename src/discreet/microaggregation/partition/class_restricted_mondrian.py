"""Mondrian that takes confidential classes into account."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Groups, Spec, param
from discreet.microaggregation.class_restriction import (
    DIVERGENCE,
    class_details,
    confidential_classes,
    require_apart,
)
from discreet.microaggregation.partition.mondrian import Mondrian
from discreet.microdata import Microdata


class ClassRestrictedMondrian(Mondrian):
    """Cuts the records along the column that keeps the confidential classes mixed.

    Cuts are those of Mondrian. Of the columns that may be cut, the one with the largest
    α width − (1 − α) (WJSD − JSD) is chosen: the share of the column that the group takes up, less
    what the cut would add to the divergence of classes from those of the file; ties go to
    the first.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 41, 42], "size": [150, 170, 152, 171],
    ...                       "ill": list("yynn")},
    ...                      roles={"age": "quasi-identifier", "size": "quasi-identifier",
    ...                             "ill": "confidential"})
    >>> Mondrian(k=2).groups(data, ["age", "size"], Context()).labels
    array([0, 0, 1, 1])
    >>> ClassRestrictedMondrian(k=2).groups(data, ["age", "size"], Context()).labels
    array([0, 1, 0, 1])
    """

    spec: ClassVar[Spec] = Spec(
        name="class-restricted-mondrian",
        title="Mondrian with regard to confidential classes",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), §8; Mondrian: LeFevre, DeWitt & Ramakrishnan (2006)",
        missing=f"{Mondrian.spec.missing}; a missing confidential value is a class of its own",
        guarantees=("k-anonymity",),
        formula=DIVERGENCE
        + "the column is cut that has the largest α·width − (1 − α)·(WJSD − JSD),  n_g ≥ k",
        cost="as mondrian, and the classes of each cut that is considered",
    )

    alpha: float = param(
        default=0.5,
        help="weight of a column's width when it is chosen, the rest being that of the class "
        "divergence: 1 for Mondrian, 0 for the classes alone",
        at_least=0,
        at_most=1,
    )
    confidential: Columns = param(
        default=None,
        help="the columns whose classes are kept mixed, several as one compound class; all "
        "confidential columns if not given",
    )
    classes: int | None = param(
        default=None,
        help="number of classes that a continuous confidential column is cut into at its "
        "quantiles; not given, such a column is refused",
        at_least=2,
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records, and how the classes are spread over them."""
        from discreet.kernels.mondrian import Mixing

        owner = type(self).__name__
        classes = confidential_classes(data, self.confidential, self.classes, owner)
        require_apart(columns, classes, owner)
        shares = np.bincount(classes.codes) / max(len(data), 1)
        mondrian = self.cut(data, columns, context, Mixing(classes.codes, shares, self.alpha))
        detail = {**mondrian.detail, **class_details(classes, mondrian.labels, self.k)}
        return Groups(mondrian.labels, mondrian.least_size, detail)
