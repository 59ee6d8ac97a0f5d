"""Principal component: groups of neighbours along the direction in which records differ most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Groups, Partition, Spec, param
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.contracts.threads import one_thread
from discreet.microaggregation.grouping import sse_share
from discreet.microaggregation.partition.ranking import fixed_sizes
from discreet.microdata import Microdata, Numbers
from discreet.microdata.embedding import Embedding


class PrincipalComponent(Partition):
    """Groups of k records that follow one another along the first principal component.

    The last group takes the rest: k to 2k − 1 records. It is as fast as sorting, and good where one
    direction carries most of the variance; otherwise groups are wide in all other directions, and
    MDAV loses far less. A few outlying records can turn the direction towards themselves; see
    `robust-projection`.

    >>> import discreet
    >>> data = discreet.read({"x": [1.0, 9.0, 2.0, 8.0], "y": [2.0, 17.0, 3.0, 18.0]})
    >>> PrincipalComponent(k=2).groups(data, ["x", "y"], Context()).labels
    array([0, 1, 0, 1])
    """

    spec: ClassVar[Spec] = Spec(
        name="principal-component",
        title="Principal component: groups along the direction of largest variance",
        citation="Mateo-Sanz & Domingo-Ferrer (1998), A comparative study of microaggregation "
        "methods; sdcMicro's microaggregation, 'pca'",
        missing="a value of its own, one step from every value",
        guarantees=("k-anonymity",),
        formula="group of i = min(⌈rank(uᵀzᵢ)/k⌉, ⌊n/k⌋), u the first eigenvector of the "
        "covariance matrix of the standardised records z",
        cost="n·d² + d³ time for d coordinates, n·log n for the order; memory n·d",
    )

    k: int = param(
        default=5,
        help="least number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records, numbered along the component."""
        require_records(data, self.k, type(self).__name__)
        points = Embedding.fit(data, columns).points(data)
        direction = self.direction(points)
        with one_thread():
            place = points @ direction
        sizes = fixed_sizes(len(data), self.k)
        labels = np.empty(len(data), dtype=np.int64)
        labels[np.argsort(place, kind="stable")] = np.repeat(np.arange(len(sizes)), sizes)
        spread = float(((points - points.mean(axis=0)) ** 2).sum())
        along = float(((place - place.mean()) ** 2).sum())
        return Groups(
            labels,
            self.k,
            {
                "variance along the component": along / spread if spread > 0 else 0.0,
                "SSE/SST": sse_share(points, labels),
            },
        )

    def direction(self, points: Numbers) -> Numbers:
        """Return the direction, of length 1, along which records are put in order."""
        with one_thread():
            about = points - points.mean(axis=0)
            return first_eigenvector(about.T @ about / len(points))


def first_eigenvector(matrix: Numbers) -> Numbers:
    """Return the eigenvector of the largest eigenvalue, its largest entry being positive.

    >>> first_eigenvector(np.array([[2.0, -1.0], [-1.0, 2.0]])).round(3)
    array([ 0.707, -0.707])
    """
    vector = np.linalg.eigh(matrix)[1][:, -1]
    # Rounding may decide between entries of the same size: the first of them counts.
    size = np.abs(vector)
    leading = int(np.flatnonzero(size >= size.max() * (1 - 1e-9))[0])
    return np.asarray(vector if vector[leading] >= 0 else -vector)
