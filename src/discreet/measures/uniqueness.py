"""Uniqueness: how rare a released record is, in its file and in the population behind it.

The records that agree in all quasi-identifiers form a *cell*. A cell of `f` released persons, which
are records unless several are of one person (`microdata.clusters.people_of`), stands for `F`
persons of the population, F = Σ w by the sampling weights. All risk measures of rare records rest
on these two counts:

- the individual risk is the mean of 1/F given f (`individual_risks`);
- a sample unique (f = 1) is a population unique (F = 1) with a chance that an estimator gives
  (`ESTIMATORS`).

Where claims count households, a record is unique in its file if only its household is in the cell
(`cells_of_units`); the risks of persons do not change with that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.errors import NotApplicable
from discreet.measures.unique_curve import curve
from discreet.measures.view import alike, together_alike, units_alike
from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import counted_once, people_of, recurring
from discreet.microdata.equivalence import distinguishing_columns

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cells:
    """For each released record its cell and the weight, where known; for each cell its size.

    Where a person has several records in a cell, the weight is divided among them.
    """

    labels: NDArray[np.int64]
    size_of_cell: NDArray[np.int64]
    weights: Floats | None

    @property
    def sizes(self) -> NDArray[np.int64]:
        """For each record the size of its cell in the file."""
        return self.size_of_cell[self.labels]

    @property
    def counts(self) -> dict[int, int]:
        """How many cells there are of each size."""
        sizes, cells = np.unique(self.size_of_cell, return_counts=True)
        return dict(zip(sizes.tolist(), cells.tolist(), strict=True))

    @property
    def population(self) -> Floats | None:
        """For each record the estimated size of its cell in the population, F = Σ w."""
        return None if self.weights is None else self.population_of_cells[self.labels]

    @property
    def population_of_cells(self) -> Floats:
        """For each cell its estimated size in the population; for files with weights."""
        return np.asarray(np.bincount(self.labels, weights=self.weights), np.float64)

    @property
    def risks(self) -> Floats:
        """For each record its individual risk, which is that of its cell."""
        population = None if self.weights is None else self.population_of_cells
        return individual_risks(self.size_of_cell, population)[self.labels]

    def sampling_fraction(self, stated: float | None) -> float:
        """Return the share of the population that is in the file: as stated, or by the weights."""
        if stated is not None:
            return stated
        if self.weights is None:
            raise NotApplicable(
                "it needs to know how large the population is: give a column the role 'weight', "
                "or the parameter 'fraction'"
            )
        return min(1.0, len(self.labels) / float(self.weights.sum()))


def cells(released: Microdata, context: Context) -> Cells:
    """Return the cells of a release with the persons in each, or say why it has none.

    A missing value is a value of its own, as in k-anonymity.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41], "w": [10, 20, 5]},
    ...                      roles={"age": "quasi-identifier", "w": "weight"})
    >>> found = cells(data, Context())
    >>> found.sizes.tolist(), found.population.tolist()
    ([2, 2, 1], [30.0, 30.0, 5.0])
    """
    people = people_of(released)
    if people is None:
        return _cells(released, context)
    labels = alike(released, distinguishing_columns(released), context)
    return _cells(released, context, people.labels, recurring(labels, people.labels))


def cells_of_units(released: Microdata, context: Context) -> Cells:
    """Return the cells of a release with the number of units in each that claims count.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41], "hid": [1, 1, 2]},
    ...                      roles={"age": "quasi-identifier", "hid": "household"})
    >>> cells(data, Context()).sizes, cells_of_units(data, Context()).sizes
    (array([2, 2, 1]), array([1, 1, 1]))
    """
    together = together_alike(released, distinguishing_columns(released), context)
    return _cells(released, context, units_alike(released, context), together)


def _cells(
    released: Microdata,
    context: Context,
    units: NDArray[np.int64] | None = None,
    together: NDArray[np.int64] | None = None,
) -> Cells:
    """Return the cells with the units in each; `together` are the records of `recurring`."""
    labels = alike(released, distinguishing_columns(released), context)
    weights = sampling_weights(released)
    if together is not None and units is not None and weights is not None:
        # A unit counts once: its weight is the mean of those of its records in the cell.
        pairs = labels[together] * (int(units.max(initial=0)) + 1) + units[together]
        _, pair, records = np.unique(pairs, return_inverse=True, return_counts=True)
        weights = weights.copy()
        weights[together] /= records[pair]
    return Cells(labels, counted_once(labels, units, together), weights)


def sampling_weights(released: Microdata) -> Floats | None:
    """Return the weight of each released record; None if no column has that role.

    Of several weight columns the first counts.
    """
    named = released.having(Role.WEIGHT)
    if not named:
        return None
    column = released.column(named[0])
    if not column.attribute.continuous:
        raise NotApplicable(f"the weight column '{column.name}' does not hold numbers")
    wrong = int((~(np.isfinite(column.values) & (column.values > 0))).sum())
    if wrong:
        raise NotApplicable(
            f"{wrong:,} of the weights in '{column.name}' are missing or not above zero"
        )
    return np.asarray(column.values, dtype=np.float64)


def individual_risks(sizes: NDArray[np.int64], population: Floats | None) -> Floats:
    """Return E(1/F | f) of each cell (Benedetti & Franconi 1998).

    Given f, the size F of the population cell is negative binomial with p = f / Σ w, so that

        r = (pᶠ / f) ₂F₁(f, f; f + 1; 1 − p) = (p / f) ₂F₁(1, 1; f + 1; 1 − p),

    which for f = 1 is −p log(p) / q and for f = 2 is p/q + (p/q)² log(p), with q = 1 − p. A cell
    that is whole in the sample (p = 1), or whose weights are below 1, has r = 1 / f; so has every
    cell if there are no weights.

    >>> individual_risks(np.array([1, 2, 3]), np.array([8.0, 110.0, 3.0])).round(9).tolist()
    [0.297063077, 0.017144262, 0.333333333]
    """
    f = sizes.astype(np.float64)
    if population is None:
        return np.asarray(1 / f)
    return _mean_of_inverse(f, np.minimum(f / population, 1.0))


def _mean_of_inverse(f: Floats, p: Floats) -> Floats:
    """Return (p / f) ₂F₁(1, 1; f + 1; 1 − p) to the last digits for every f and 0 < p ≤ 1.

    Where the terms of the series fall fast it is summed. Elsewhere r = p J(f − 1) with
    J(k) = ∫ vᵏ / (p + q v) dv over 0 … 1, J(0) = −log(p) / q and q J(k) + p J(k − 1) = 1/k, going
    up, which is stable for p < q.
    """
    q = 1.0 - p
    summed = (p >= 0.5) | (f >= 20)
    result = np.empty(len(f))
    result[summed] = _series(f[summed], p[summed], q[summed])
    rest = np.flatnonzero(~summed)
    f, p, q = f[rest], p[rest], q[rest]
    integral = -np.log(p) / q
    for k in range(20):
        if k:
            integral = (1 / k - p * integral) / q
        reached = f == k + 1
        result[rest[reached]] = (p * integral)[reached]
    return result


def _series(f: Floats, p: Floats, q: Floats) -> Floats:
    total, term = np.ones(len(f)), np.ones(len(f))
    for i in range(1, 100):
        term *= q * i / (f + i)
        total += term
    return total * (p / f)


def zayatz(counts: Mapping[int, float], fraction: float) -> float:
    """Return P(F = 1 | f = 1) with population cells of the sizes found in the sample.

    Zayatz (1991): the share of population cells of size j is taken to be that of the sample's
    cells, n_j / Σ n; a cell of j persons shows exactly one in a sample of n of N with probability
    h_j = j C(N − j, n − 1) / C(N, n); hence n_1 h_1 / Σ_j n_j h_j.

    >>> round(zayatz({1: 10, 2: 5}, 0.5), 6)
    0.661017
    """
    from scipy.special import gammaln

    j, cells_of, n = _arrays(counts)
    total = n / fraction
    possible = total - j >= n - 1
    j, cells_of = j[possible], cells_of[possible]
    log_chance = np.log(j) + gammaln(total - j + 1) - gammaln(total - j - n + 2)
    chance = cells_of * np.exp(log_chance - log_chance.max())
    return float(chance[j == 1].sum() / chance.sum())


def pitman(counts: Mapping[int, float], fraction: float) -> float:
    """Return P(F = 1 | f = 1) under Pitman's sampling formula (Hoshino 2001).

    A file of n records in K cells, n_j of them of size j, has the likelihood

        Π_{i<K} (θ + iα) / Π_{i<n} (θ + i) · Π_j [Π_{i<j} (i − α)]^{n_j},   0 < α < 1, θ > −α,

    which is maximised here. A record of a file of N is then unique with probability
    Γ(θ + α + N − 1) Γ(θ + 1) / (Γ(θ + α) Γ(θ + N)); the ratio of this at N and at n is returned.
    """
    from scipy.special import gammaln

    j, cells_of, n = _arrays(counts)
    K = cells_of.sum()

    def cost(at: Floats) -> float:
        alpha = 1 / (1 + np.exp(-at[0]))
        theta = np.exp(at[1]) - alpha
        ratio = theta / alpha
        likelihood = (K - 1) * np.log(alpha) + gammaln(ratio + K) - gammaln(ratio + 1)
        likelihood -= gammaln(theta + n) - gammaln(theta + 1)
        likelihood += (cells_of * (gammaln(j - alpha) - gammaln(1 - alpha))).sum()
        return -float(likelihood)

    fitted = _least(cost, [(0.0, 0.0), (0.0, np.log(n + 1)), (-2.0, np.log(K + 1))], 12.0)
    alpha = 1 / (1 + np.exp(-fitted[0]))
    theta = np.exp(fitted[1]) - alpha
    log_ratio = _log_rise(theta + n, n / fraction - n, alpha - 1)
    return float(np.exp(min(log_ratio, 0.0)))


def ewens(counts: Mapping[int, float], fraction: float) -> float:
    """Return P(F = 1 | f = 1) under Ewens' sampling formula: Pitman's with α = 0.

    Hoshino & Takemura (1998): θ solves K = Σ_{i<n} θ / (θ + i), and a record of a file of N is
    unique with probability θ / (θ + N − 1).

    >>> round(ewens({1: 1, 2: 1}, 0.5), 3)
    0.532
    """
    from scipy.optimize import brentq
    from scipy.special import digamma

    _, cells_of, n = _arrays(counts)
    K = cells_of.sum()

    def excess(log_theta: float) -> float:
        theta = np.exp(log_theta)
        return float(theta * (digamma(theta + n) - digamma(theta)) - K)

    most = 2 * np.log(n) + 1
    if excess(most) > 0:
        theta = float(np.exp(brentq(excess, -40.0, most)))
    else:
        # Almost every record is alone, and θ is so large that Σ i / (θ + i) is n (n − 1) / 2θ.
        theta = n * (n - 1) / 2 / max(n - K, np.finfo(float).tiny)
    return (theta + n - 1) / (theta + n / fraction - 1)


def poisson_gamma(counts: Mapping[int, float], fraction: float) -> float:
    """Return P(F = 1 | f = 1) under the Poisson–gamma model.

    Bethlehem, Keller & Pannekoek (1990): the size of a cell is Poisson with a gamma mean, hence
    negative binomial with shape a and scale s in the sample and s / π in the population. Cells
    without a released record are not seen, so the likelihood is that of sizes of at least one,
    which also serves for −1 < a ≤ 0 (Engen 1974):

        P(f = j) = Γ(j + a) / (Γ(a + 1) j!) · a / (p⁻ᵃ − 1) · qʲ,   p = 1 / (1 + s), q = 1 − p.

    A record is unique with probability (1 + s)^−(1 + a); the ratio at s / π and at s is returned.
    """
    from scipy.special import gammaln

    j, cells_of, _ = _arrays(counts)
    K = cells_of.sum()

    def cost(at: Floats) -> float:
        shape = np.expm1(at[0])
        log_p = -np.logaddexp(0.0, at[1])
        log_q = at[1] + log_p
        likelihood = (cells_of * (gammaln(j + shape) - gammaln(j + 1) + j * log_q)).sum()
        return -float(likelihood + K * (_log_truncation(shape, log_p) - gammaln(shape + 1)))

    fitted = _least(cost, [(0.5, 0.0), (-0.5, 1.0), (-0.5, -3.0)], 12.0)
    shape, s = np.expm1(fitted[0]), np.exp(fitted[1])
    return float(((1 + s / fraction) / (1 + s)) ** -(1 + shape))


ESTIMATORS: Mapping[str, Callable[[Mapping[int, float], float], float]] = {
    "curve": curve,
    "pitman": pitman,
    "ewens": ewens,
    "poisson-gamma": poisson_gamma,
    "zayatz": zayatz,
}


def population_unique(counts: Mapping[int, float], fraction: float, estimator: str) -> float:
    """Return the chance that a sample unique is a population unique, by one of `ESTIMATORS`.

    A file that is the whole population, or in which every record is alone, needs no model: the
    chance is 1. Without sample uniques it is 0.

    >>> population_unique({1: 4, 2: 3}, 1.0, "pitman"), population_unique({2: 3}, 0.1, "ewens")
    (1.0, 0.0)
    """
    if 1 not in counts:
        return 0.0
    if fraction >= 1 or len(counts) == 1:
        return 1.0
    return ESTIMATORS[estimator](counts, fraction)


def _arrays(counts: Mapping[int, float]) -> tuple[Floats, Floats, float]:
    j = np.array(sorted(counts), dtype=np.float64)
    cells_of = np.array([counts[int(size)] for size in j], dtype=np.float64)
    return j, cells_of, float((j * cells_of).sum())


def _log_rise(start: float, steps: float, by: float) -> float:
    """Return log Γ(x + steps + by) / Γ(x + steps) less the same without steps, x = `start`."""
    from scipy.special import gammaln

    end = start + steps
    return float(gammaln(end + by) - gammaln(end) - gammaln(start + by) + gammaln(start))


def _log_truncation(shape: float, log_p: float) -> float:
    """Return log(a / (p⁻ᵃ − 1)) for a shape a of either sign, without overflow."""
    y = -shape * log_p
    if abs(y) < 1e-12:
        return float(-np.log(-log_p))
    if y > 0:
        return float(np.log(shape) - y - np.log(-np.expm1(-y)))
    return float(np.log(-shape) - np.log(-np.expm1(y)))


def _least(
    cost: Callable[[Floats], float], starts: list[tuple[float, float]], bound: float
) -> Floats:
    """Return where a cost of two parameters is least, from several starts."""
    from scipy.optimize import minimize

    limits = [(-bound, bound), (-bound, 3 * bound)]
    minima = [
        minimize(cost, start, method="Nelder-Mead", bounds=limits, options={"maxiter": 2000})
        for start in starts
    ]
    return np.asarray(min(minima, key=lambda result: result.fun).x)
