"""EM for mixtures of normal or t components, with a floor under the mixing weights.

The E step is eq. 2 of Oganian & Domingo-Ferrer (2017). In the M step the covariances are those of
the family (`families.py`) and no weight is left below k/n (`weight_floor.py`), after every step.

Regularisation: n_g·ε·v_j is added to the scatter of column j in every cluster, v_j being the
column's variance over all records and ε = 10⁻¹⁰. It keeps every constraint of a family, is
negligible in a cluster that fills its space, and bounds the likelihood of one that does not. A
mixture that depends on it is marked (`held`) and not chosen if there is another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.mixture.families import FAMILIES
from discreet.models.mixture.student import freedom_of, log_density
from discreet.models.weight_floor import weight_floor

RIDGE = 1e-10
HELD = 10.0
"""A variance below this many times the regularisation is due to it."""
TOLERANCE = 1e-5
"""Change of the log-likelihood, relative to 1 + its size, at which EM stops, as in mclust."""
MOST_STEPS = 500
START_FREEDOM = 30.0


@dataclass(frozen=True, eq=False)
class Mixture:
    """A fitted mixture: weights π_g, means μ_g and covariances Σ_g, and how the fit went.

    `freedom` is ν of t components, infinite for normal ones. `steps` counts EM steps, `settled`
    says that they ended by convergence, and `held` that a cluster depends on the regularisation.

    >>> points = np.array([[0.0], [1.0], [8.0], [9.0]])
    >>> mixture = fit(points, np.array([0, 0, 1, 1]), "EII")
    >>> mixture.means.round(6).ravel(), mixture.weights.round(6)
    (array([0.5, 8.5]), array([0.5, 0.5]))
    """

    family: str
    weights: Numbers
    means: Numbers
    covariances: Numbers
    freedom: float = np.inf
    log_likelihood: float = -np.inf
    records: int = 0
    steps: int = 0
    settled: bool = False
    held: bool = False

    @property
    def clusters(self) -> int:
        """The number of components G."""
        return len(self.weights)

    @property
    def parameters(self) -> int:
        """The number of independent parameters ν_g of eq. 6."""
        clusters, d = len(self.means), len(self.means.T)
        covariances = FAMILIES[self.family].parameters(d, clusters)
        freedom = 0 if np.isinf(self.freedom) else 1
        return covariances + clusters * d + clusters - 1 + freedom

    @property
    def bic(self) -> float:
        """The Bayesian information criterion of eq. 6: the larger, the better."""
        return 2 * self.log_likelihood - self.parameters * float(np.log(self.records))

    def log_densities(self, points: Numbers) -> Numbers:
        """Return log π_g f_g(x) for every point, a column per component."""
        clusters, d = self.means.shape
        roots = np.linalg.cholesky(self.covariances)
        log_determinants = 2 * np.log(np.einsum("gii->gi", roots)).sum(axis=1)
        # All components in one product: x is whitened by each, one under the other. With a column
        # for each point, sums over components and dimensions run along memory.
        whitening = np.linalg.inv(roots)
        white = whitening.reshape(clusters * d, d) @ points.T
        white -= (whitening @ self.means[:, :, None]).reshape(-1, 1)
        white *= white
        squared = white.reshape(clusters, d, -1).sum(axis=1)
        densities = log_density(squared, log_determinants[:, None], d, self.freedom)
        return np.asarray((np.log(self.weights)[:, None] + densities).T)


def fit(
    points: Numbers,
    start: NDArray[np.int64] | Mixture,
    family: str,
    least_weight: float = 0.0,
    student: bool = False,
    ridge: float = RIDGE,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
    log_units: Sequence[float] = (0.0,),
) -> Mixture:
    """Return the mixture that EM reaches from a first partition, or from another mixture.

    A partition is given as a label for every point. `least_weight` is the floor k/n, 0 for none.
    The likelihood must settle in units of which `log_units` are the logarithms, as the volume of a
    point's unit: the larger the likelihood is in them, the larger a change of it may be.
    """
    from discreet.kernels.mixture_sums import expected_sums

    d = points.shape[1]
    centre = points.mean(axis=0)
    across = np.ascontiguousarray((points - centre).T)
    variances = across.var(axis=1)
    added = ridge * np.where(variances > 0, variances, 1.0)
    freedom = START_FREEDOM if student else np.inf
    if isinstance(start, Mixture):
        freedom = start.freedom
        sums = Sums.empty(start.clusters, d)
        now = _Parameters(start.weights, start.means - centre, start.covariances)
    else:
        sums = Sums.of(across, start)
        now = _maximised(sums, family, least_weight, added, None)
    before, shifts = -np.inf, [unit * len(points) for unit in sorted(set(log_units))]
    for step in range(1, most_steps + 1):
        reached, spared = expected_sums(
            across, now.weights, now.means, now.covariances, freedom,
            sums.sizes, sums.counts, sums.totals, sums.scatters,
        )  # fmt: skip
        size = min([abs(reached - shift) for shift in shifts])
        settled = abs(reached - before) < tolerance * (1 + size)
        if settled or step == most_steps:
            break
        before = reached
        if student:
            freedom = freedom_of(spared, d, freedom)
        now = _maximised(sums, family, least_weight, added, now)
    scaled = now.covariances / np.sqrt(added[:, None] * added)
    return Mixture(
        family, now.weights, now.means + centre, now.covariances, freedom,
        log_likelihood=reached, records=len(points), steps=step, settled=settled,
        held=bool(np.linalg.eigvalsh(scaled).min() < HELD),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Sums:
    """What an M step needs to know of the records: sums of z, zu, zux and zuxxᵀ by component.

    z is the probability of the component given the record (eq. 2), and u what the record counts.
    """

    sizes: Numbers
    counts: Numbers
    totals: Numbers
    scatters: Numbers

    @classmethod
    def empty(cls, clusters: int, d: int) -> Sums:
        """Return room for the sums of this many components."""
        sums = np.empty(clusters), np.empty(clusters), np.empty((clusters, d))
        return cls(*sums, np.empty((clusters, d, d)))

    @classmethod
    def of(cls, across: Numbers, labels: NDArray[np.int64]) -> Sums:
        """Return the sums of a partition, where z is 1 or 0."""
        z = np.zeros((int(labels.max()) + 1, len(labels)))
        z[labels, np.arange(len(labels))] = 1.0
        sizes = z.sum(axis=1)
        weighted = (z[:, None, :] * across).reshape(-1, len(labels))
        scatters = (weighted @ across.T).reshape(len(z), len(across), -1)
        return cls(sizes, sizes.copy(), z @ across.T, scatters)


class _Parameters(NamedTuple):
    """What a step estimates."""

    weights: Numbers
    means: Numbers
    covariances: Numbers


@cache
def _about_means() -> Callable[..., None]:
    """Return the kernel; looked up once, not in every step."""
    from discreet.kernels.mixture_sums import about_means

    return about_means


def _maximised(
    sums: Sums, family: str, least_weight: float, added: Numbers, before: _Parameters | None
) -> _Parameters:
    """The M step."""
    means = np.empty_like(sums.totals) if before is None else before.means.copy()
    weights, kept = np.empty_like(sums.sizes), before is not None
    _about_means()(sums.sizes, sums.counts, sums.totals, sums.scatters, added, means, weights, kept)
    covariances = FAMILIES[family].estimate(
        sums.scatters, sums.sizes, None if before is None else before.covariances
    )
    if least_weight > 0:
        weights = weight_floor(weights, least_weight)
    return _Parameters(weights, means, covariances)
