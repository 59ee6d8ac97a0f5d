"""Robust projection: groups along a principal component that outliers do not turn."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Spec
from discreet.microaggregation.partition.principal_component import (
    PrincipalComponent,
    first_eigenvector,
)
from discreet.microdata import Numbers
from discreet.models.robust_moments import RobustMoments


class RobustProjection(PrincipalComponent):
    """Groups of k records along the first principal component of the robust covariance matrix.

    A few outlying records dominate ordinary covariances, and the groups of all others then follow a
    direction that says nothing about them. Here the direction is that of the ordinary records;
    outlying ones are put in order along it like any others.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"x": [*range(12), 60, 60], "y": [*range(12), -60, -60]})
    >>> RobustProjection(k=7).groups(data, ["x", "y"], Context()).labels[:12]
    array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
    """

    spec: ClassVar[Spec] = Spec(
        name="robust-projection",
        title="Robust projection: groups along a robust principal component",
        citation="Templ & Meindl (2008), Robustification of microdata masking methods and the "
        "comparison with existing methods; Maronna & Zamar (2002) for the covariances",
        missing="a value of its own, one step from every value",
        guarantees=("k-anonymity",),
        formula="group of i = min(⌈rank(uᵀzᵢ)/k⌉, ⌊n/k⌋), u the first eigenvector of the robust "
        "covariance matrix of the records z",
        cost="n·d² + d³ time for d coordinates, n·log n for the order; memory n·d",
    )

    def direction(self, points: Numbers) -> Numbers:
        """Return the direction of the robust covariances; coordinates without spread do not
        count.
        """
        direction = np.zeros(points.shape[1])
        varying = np.flatnonzero(np.ptp(points, axis=0) > 0)
        if len(varying):
            # In units of robust deviations: a far record has blown up the ordinary ones.
            moments = RobustMoments.of(points[:, varying])
            direction[varying] = first_eigenvector(moments.covariance) / moments.spread
        return direction
