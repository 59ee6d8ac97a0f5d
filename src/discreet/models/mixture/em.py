"""EM for mixtures of normal or t components, with a floor under the mixing weights.

The E step is eq. 2 of Oganian & Domingo-Ferrer (2017). In the M step the covariances are those of
the family (`families.py`) and no weight is left below k/n (`weight_floor.py`), after every step.

Regularisation: n_g·ε·v_j is added to the scatter of column j in every cluster, v_j being the
column's variance over all records and ε = 10⁻¹⁰. It keeps every constraint of a family, is
negligible in a cluster that fills its space, and bounds the likelihood of one that does not. A
mixture that it holds up is marked (`held`) and not chosen where there is another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.mixture.families import FAMILIES
from discreet.models.mixture.student import freedom_of, log_density, weight
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
    says that they ended by convergence, and `held` that the regularisation holds a cluster up.

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

    def squared_distances(self, across: Numbers) -> tuple[Numbers, Numbers]:
        """Return squared Mahalanobis distances, a row per component, and log |Σ_g|.

        `across` are the points side by side, a column each: sums over components and dimensions
        then run along memory.
        """
        clusters, d = self.means.shape
        roots = np.linalg.cholesky(self.covariances)
        log_determinants = 2 * np.log(np.einsum("gii->gi", roots)).sum(axis=1)
        # All components in one product: x is whitened by each, one under the other.
        whitening = np.linalg.inv(roots)
        white = whitening.reshape(clusters * d, d) @ across
        white -= (whitening @ self.means[:, :, None]).reshape(-1, 1)
        white *= white
        squared = white.reshape(clusters, d, -1).sum(axis=1)
        return squared, log_determinants[:, None]

    def log_densities(self, points: Numbers) -> Numbers:
        """Return log π_g f_g(x) for every point, a column per component."""
        squared, log_determinants = self.squared_distances(points.T)
        densities = log_density(squared, log_determinants, points.shape[1], self.freedom)
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
    log_unit: float = 0.0,
) -> Mixture:
    """Return the mixture that EM reaches from a first partition, or from another mixture.

    A partition is given as a label for every point. `least_weight` is the floor k/n, 0 for none.
    `log_unit` is the logarithm of a point's unit volume in the columns' own units, in which the
    likelihood is judged to have settled.
    """
    d = points.shape[1]
    centre = points.mean(axis=0)
    across = np.ascontiguousarray((points - centre).T)
    variances = across.var(axis=1)
    added = ridge * np.where(variances > 0, variances, 1.0)
    freedom = START_FREEDOM if student else np.inf
    if isinstance(start, Mixture):
        now = replace(start, means=start.means - centre)
        freedom = start.freedom
    else:
        z = np.zeros((int(start.max()) + 1, len(points)))
        z[start, np.arange(len(start))] = 1.0
        now = _maximised(across, z, z, family, least_weight, added, None)
    before = -np.inf
    for step in range(1, most_steps + 1):
        squared, log_determinants = now.squared_distances(across)
        z = np.log(now.weights)[:, None] + log_density(squared, log_determinants, d, freedom)
        top = z.max(axis=0)
        z -= top
        np.exp(z, out=z)
        total = z.sum(axis=0)
        reached = float((np.log(total) + top).sum())
        z /= total
        size = abs(reached - log_unit * len(points))
        settled = abs(reached - before) < tolerance * (1 + size)
        if settled or step == most_steps:
            break
        before = reached
        counts = z
        if student:
            u = weight(squared, d, freedom)
            freedom = freedom_of(z, u, d, freedom)
            counts = z * u
        now = _maximised(across, z, counts, family, least_weight, added, now)
    scaled = now.covariances / np.sqrt(added[:, None] * added)
    return Mixture(
        family, now.weights, now.means + centre, now.covariances, freedom,
        log_likelihood=reached, records=len(points), steps=step, settled=settled,
        held=bool(np.linalg.eigvalsh(scaled).min() < HELD),
    )  # fmt: skip


def _maximised(
    across: Numbers,
    responsibilities: Numbers,
    counts: Numbers,
    family: str,
    least_weight: float,
    added: Numbers,
    before: Mixture | None,
) -> Mixture:
    """The M step; `counts` are the responsibilities times what each record counts."""
    d, n = across.shape
    # A cluster without records keeps its place: the floor may bring it back.
    sizes = np.maximum(responsibilities.sum(axis=1), 1e-8)
    sums = counts.sum(axis=1)
    totals = counts @ across.T
    means = totals / np.maximum(sums, 1e-300)[:, None]
    rest = np.zeros_like(means)
    if before is not None:
        lost = sums[:, None] <= 1e-12
        means = np.where(lost, before.means, means)
        rest = np.where(lost, totals - sums[:, None] * means, 0.0)
    # Σ z (x − μ)(x − μ)ᵀ for all clusters in one product, less Σ z μμᵀ. The points are
    # centred, so that what cancels is far below the regularisation.
    weighted = (counts[:, None, :] * across).reshape(-1, n)
    scatters = (weighted @ across.T).reshape(-1, d, d)
    scatters = scatters - sums[:, None, None] * (means[:, :, None] * means[:, None, :])
    # Σ z (x − μ) is zero about the cluster's mean, but not about a place that was kept.
    crossed = means[:, :, None] * rest[:, None, :]
    scatters -= crossed + crossed.transpose(0, 2, 1)
    scatters += (sizes[:, None] * added)[:, :, None] * np.eye(d)
    scatters = 0.5 * (scatters + scatters.transpose(0, 2, 1))
    covariances = FAMILIES[family].estimate(
        scatters, sizes, None if before is None else before.covariances
    )
    weights = weight_floor(sizes / sizes.sum(), least_weight)
    return Mixture(family, weights, means, covariances)
