"""Differentially private microaggregation: insensitive MDAV, and noise on the centroids."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Entries, Groups, Masked, Method, Spec, param
from discreet.contracts.accounting import Neighbours, Spent
from discreet.contracts.partition import require_records
from discreet.errors import DataError, UsageError
from discreet.methods.synthetic.dp_synthesis import EPSILON, UNSEEDED
from discreet.microdata import Kind, Microdata, Numbers
from discreet.microdata.dates import unit_of
from discreet.models.declared_domain import Domain
from discreet.models.private_noise import Noise

STEPS = 2**20
"""Values are counted in this many steps between their bounds, so that sums are exact."""


class DPMicroaggregation(Method):
    """Replaces each record by the mean of its cluster of k, with noise on every mean.

    Clusters are those of insensitive MDAV: records are put in an order that does not depend on
    other records, by their distance from the corner of the declared bounds, and clusters of k are
    taken from both ends in turn. If one record changes, each cluster still corresponds to one of
    the other file and differs from it in one record at most. So a mean moves by Δ/k at most,
    instead of Δ, and needs less noise: but all n/k means may move, so that little noise is needed
    only where k is well above √n.

    Bounds are stated in the plan, never taken from the data; values beyond them count as the
    bounds. The number of records follows from the clusters, so it must be declared to be public.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> data = discreet.read({"age": rng.integers(20, 80, 400)}, roles={"age": "quasi-identifier"})
    >>> method = DPMicroaggregation(epsilon=2, k=80, bounds={"age": [0, 100]}, size_is_public=True)
    >>> release = discreet.protect(data, method)
    >>> release.claims, len(np.unique(release.data["age"]))
    ((Claim(differential-privacy: 2 claimed, 2 measured),), 5)
    """

    spec: ClassVar[Spec] = Spec(
        name="dp-microaggregation",
        title="Differentially private microaggregation",
        citation="Soria-Comas, Domingo-Ferrer, Sánchez & Martínez, Enhancing data utility in "
        "differential privacy via microaggregation-based k-anonymity (2014)",
        missing="counted as the middle of its declared bounds, and released as a number",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        guarantees=("differential-privacy",),
        formula="x′ᵢ = x̄_g + Laplace(m·c·Δ/(k·ε)) for each column, with m = ⌊n/k⌋ clusters g and c "
        "columns, each divided by the width Δ of its declared bounds\n"
        "clusters: k at a time from either end of the order by the distance from the low corner",
        cost="n·log n time",
        anew="groups of records",
        whole_because="since its clusters are taken from the order of all records",
        unseeded=UNSEEDED,
        library="opendp",
        nearest="microaggregation",
    )

    epsilon: float = param(help=EPSILON, above=0)
    k: int = param(default=100, help="number of records in a cluster", at_least=2)
    bounds: Entries = param(
        default=None,
        help="the smallest and largest value that each column can have, as in {age: [0, 120]}; "
        "from a code book, never from the data",
        public=True,
    )
    size_is_public: bool = param(
        default=False,
        help="the number of records is no secret: the clusters show it",
    )
    confidential: bool = param(
        default=False, help="treat the confidential columns together with the others"
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    @classmethod
    def example(cls) -> DPMicroaggregation:
        """Return an instance with the bounds of the tables that methods are checked on."""
        bounds = {"height": [140, 200], "income": [0, 20_000], "rent": [0, 2_000]}
        return cls(epsilon=1.0, k=5, bounds=bounds, size_is_public=True)

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the noisy means of clusters in the treated columns."""
        names = self.treated(data, self.columns, self.confidential)
        if not self.size_is_public:
            raise UsageError(
                "DPMicroaggregation releases as many records as there are, in clusters of k, so "
                "size_is_public must be true; if that number is a secret, use dp-synthesis"
            )
        require_records(data, self.k, type(self).__name__)
        domains = [_bounds(self.bounds, name) for name in names]
        steps = np.column_stack([_steps(data, domain) for domain in domains])
        labels = insensitive_clusters(steps, self.k)
        sums = np.column_stack([_summed(labels, column) for column in steps.T])
        noise = self.noise(len(data), len(names))
        noisy = noise.added_to(sums.ravel()).reshape(sums.shape)
        means = np.clip(noisy / np.bincount(labels)[:, None] / STEPS, 0.0, 1.0)
        columns = [
            data.column(domain.name).with_values(
                (domain.low + means[:, j] * (domain.high - domain.low))[labels]
            )
            for j, domain in enumerate(domains)
        ]
        share = noise.deviation / (self.k * STEPS)
        note = (
            f"{len(means):,} clusters of at least {self.k} records; noise on their means with a "
            f"standard deviation of {100 * share:.3g} % of the declared bounds; the seed does not "
            "reproduce it"
        )
        return Masked(
            data.replace(columns),
            Groups(labels, self.k),
            notes=(note,),
            spent=Spent(self.epsilon, 0.0, Neighbours.CHANGE, frozenset(names)),
        )

    def noise(self, records: int, columns: int) -> Noise:
        """Return the noise for the sums of all clusters, in steps.

        One record may be exchanged in every cluster, which changes the sum of each column by its
        whole width at most.
        """
        moved = (records // self.k) * columns * STEPS
        return Noise.for_budget(moved, moved, self.epsilon, 0.0)


def insensitive_clusters(values: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Return the cluster of each record, numbered in the order of the records' distance.

    Algorithm 2 of the paper, insensitive MDAV: k records at a time are taken from the low and from
    the high end of a total order; the last k to 2k − 1 form a cluster. Where the order is total,
    these are runs of it. It is by the distance from the low corner of the bounds, and by the values
    themselves where distances are equal, so that records which it cannot tell apart are equal.

    >>> insensitive_clusters(np.array([[5], [1], [9], [2], [7]]), k=2)
    array([1, 0, 1, 0, 1])
    """
    distance = (values * values).sum(axis=1)
    order = np.lexsort((*values.T[::-1], distance))
    clusters = len(values) // k
    high = (clusters - 1) // 2
    sizes = np.full(clusters, k)
    sizes[clusters - 1 - high] += len(values) % k
    labels = np.empty(len(values), dtype=np.int64)
    labels[order] = np.repeat(np.arange(clusters), sizes)
    return labels


def _bounds(stated: Entries, name: str) -> Domain:
    given = (stated or {}).get(name)
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise UsageError(
            f"DPMicroaggregation needs the declared bounds of column '{name}', since bounds that "
            "are taken from the data would reveal its smallest and largest value; state them below "
            "bounds, as in {age: [0, 120]}, from a code book"
        )
    return Domain.declared(name, {"low": given[0], "high": given[1]})


def _steps(data: Microdata, domain: Domain) -> NDArray[np.int64]:
    """Return the values of a column in whole steps from its low bound."""
    if unit_of(data, domain.name) is not None:
        raise DataError(
            f"DPMicroaggregation cannot treat column '{domain.name}', which holds dates; leave it "
            "out with the role identifier, or name the columns to treat with columns=[…]"
        )
    inside: Numbers = np.clip(data[domain.name], domain.low, domain.high)
    share = (inside - domain.low) / (domain.high - domain.low)
    return np.asarray(np.rint(STEPS * np.where(np.isnan(share), 0.5, share)), dtype=np.int64)


def _summed(labels: NDArray[np.int64], steps: NDArray[np.int64]) -> NDArray[np.int64]:
    sums = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    np.add.at(sums, labels, steps)
    return sums
