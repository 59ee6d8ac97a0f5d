"""The design of MASSC: risk strata, donors, the best rates, and the risk that is left.

Singh, Yu & Dunteman (2003), Singh (2006, US patent 7,058,638). Survey sampling trades money for
variance; MASSC trades disclosure for bias and variance with the same tools. Each stratum h has a
rate ψ_h at which records get the key values of a donor, and a rate φ_h at which they are released.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata import Microdata, Numbers
from discreet.microdata.equivalence import class_sizes, classes

Rows = NDArray[np.int64]
LARGEST_CELL = 300
"""In a larger cell of f records the chance of identification is bounded by 1/f alone."""


@dataclass(frozen=True, eq=False)
class RiskStrata:
    """The stratum of each record, by the size of its cell: the records that share its keys."""

    labels: Rows
    sizes: Rows
    names: tuple[str, ...]

    @property
    def cells(self) -> Numbers:
        """Cells per stratum: the number of records an intruder identifies if nothing is treated."""
        shares = np.bincount(self.labels, weights=1 / self.sizes, minlength=len(self.names))
        return shares.astype(np.float64)

    @property
    def records(self) -> Rows:
        """Records per stratum."""
        return np.bincount(self.labels, minlength=len(self.names))


def risk_strata(data: Microdata, keys: Sequence[str], count: int) -> RiskStrata:
    """Put the records into strata of similar risk: cells of 1, 2, 3–4, 5–8, …, the last open-ended.

    >>> import discreet
    >>> data = discreet.read({"town": ["a", "b", "b", "c", "c", "c"]})
    >>> strata = risk_strata(data, ["town"], 3)
    >>> strata.labels.tolist(), strata.names, strata.cells.tolist()
    ([0, 1, 1, 2, 2, 2], ('1', '2', '3 and more'), [1.0, 1.0, 1.0])
    """
    sizes = class_sizes(data, keys)
    labels = np.minimum(np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64), count - 1)
    names = []
    for h in range(count):
        low, high = (2 ** (h - 1) + 1 if h else 1), 2**h
        last = f"{low} and more" if low > 1 else "all"
        names.append(last if h == count - 1 else f"{low}" if low == high else f"{low}–{high}")
    return RiskStrata(labels, sizes, tuple(names))


def donors(data: Microdata, keys: Sequence[str]) -> Rows:
    """Return for each record another whose keys differ from its own in as few columns as possible.

    In one column if there is such a record, else in two, else in any. Cells of like size that are
    next to each other in the order of the codes are each other's donors where possible: what
    substitution takes from a category it then gives back. A record is its own donor if all have
    the same keys.

    >>> import discreet
    >>> data = discreet.read({"town": ["a", "a", "b", "b"], "sex": ["f", "m", "f", "f"]})
    >>> donors(data, ["town", "sex"]).tolist()
    [2, 0, 0, 0]
    """
    cell, first, sizes = _cells(data, keys)
    profiles = data.take(first)
    donor_cell = np.full(len(first), -1, dtype=np.int64)
    # Columns with many categories first: in them the next one is the nearest.
    fine = sorted(keys, key=lambda name: -len(data.schema[name].categories))
    for few in ([*combinations(fine, 1)], [*combinations(fine, 2)], [tuple(fine)]):
        orders = {differing: _within(profiles, keys, differing, sizes) for differing in few}
        for order, same in orders.values():
            _pair(donor_cell, order, same)
        for order, same in orders.values():
            _take_next(donor_cell, order, same)
        if (donor_cell >= 0).all():
            break
    donor_cell = np.where(donor_cell < 0, np.arange(len(first)), donor_cell)
    return np.asarray(first[donor_cell][cell])


def _cells(data: Microdata, keys: Sequence[str]) -> tuple[Rows, Rows, Rows]:
    """Return each record's cell, and of each cell its first record and its size."""
    cell = classes(data, keys)
    first = np.unique(cell, return_index=True)[1]
    return cell, first, np.bincount(cell, minlength=len(first))


def _within(
    profiles: Microdata, keys: Sequence[str], differing: Sequence[str], sizes: Rows
) -> tuple[Rows, Rows]:
    """Return the cells in an order in which those alike in the other columns lie together."""
    same = classes(profiles, [name for name in keys if name not in differing])
    order = np.lexsort((*(profiles[name] for name in reversed(differing)), sizes, same))
    return order, same


def _pair(donor_cell: Rows, order: Rows, same: Rows) -> None:
    """Make cells without a donor, in pairs in this order, each other's donors."""
    order = order[donor_cell[order] < 0]
    starts = np.concatenate([[0], np.flatnonzero(np.diff(same[order])) + 1])
    place = np.arange(len(order)) - np.repeat(starts, np.diff([*starts, len(order)]))
    second = np.flatnonzero(place % 2 == 1)
    donor_cell[order[second]], donor_cell[order[second - 1]] = order[second - 1], order[second]


def _take_next(donor_cell: Rows, order: Rows, same: Rows) -> None:
    """Give cells without a donor the one next to them in this order."""
    after, before = np.roll(order, -1), np.roll(order, 1)
    follows, precedes = same[order] == same[after], same[order] == same[before]
    follows[-1:], precedes[:1] = False, False
    nearest = np.where(follows, after, np.where(precedes, before, -1))
    without = donor_cell[order] < 0
    donor_cell[order[without]] = nearest[without]


def substitution_rates(
    strata: RiskStrata, shifts: Numbers, bounds: Numbers, most: float
) -> Numbers:
    """Return the rates ψ_h that leave the least disclosure cost within the bounds on bias.

    The cost is Σ_h c_h(1 − ψ_h), c_h the number of cells. Row j of `shifts` is what substituting
    all records of each stratum would add to total j, so Σ_h shift_jh ψ_h is the bias that the rates
    bring, and it must lie within ± bound_j. A linear programme, solved by HiGHS.

    >>> strata = RiskStrata(np.array([0, 1, 1]), np.array([1, 2, 2]), ("1", "2 and more"))
    >>> substitution_rates(strata, np.array([[4.0, 1.0]]), np.array([1.0]), most=0.4)
    array([0.15, 0.4 ])
    """
    from scipy.optimize import linprog

    scale = np.where(bounds > 0, bounds, 1.0)[:, None]
    limits = np.where(bounds > 0, 1.0, 0.0)
    solved = linprog(
        -strata.cells,
        A_ub=np.vstack([shifts / scale, -shifts / scale]) if len(shifts) else None,
        b_ub=np.concatenate([limits, limits]) if len(shifts) else None,
        bounds=(0, most),
        method="highs",
    )
    if not solved.success:
        raise DataError(
            f"MASSC finds no substitution rates within the bias bounds ({solved.message.strip()}); "
            "raise bias, or name fewer outcomes"
        )
    return np.asarray(np.clip(np.asarray(solved.x), 0.0, most) + 0.0)  # no −0


def sampling_rates(costs: Numbers, variances: Numbers, bounds: Numbers, least: float) -> Numbers:
    """Return the rates φ_h that leave the least disclosure cost within the bounds on variance.

    The cost is Σ_h c_h φ_h. Row j of `variances` holds n_h·s²_jh, with s²_jh the variance in
    stratum h of what total j adds up, so that subsampling gives the total the variance
    Σ_h n_h·s²_jh(1/φ_h − 1), which must not pass bound_j. With u = 1/φ the cost is convex and the
    bounds are linear: solved by SLSQP.

    >>> sampling_rates(np.array([4.0, 1.0]), np.array([[1.0, 1.0]]), np.array([2.0]), least=0.1)
    array([0.375, 0.75 ])
    """
    from scipy.optimize import LinearConstraint, minimize

    top = 1 / least
    limited = variances.max(axis=1, initial=0.0) > 0
    sums = variances[limited] / variances[limited].max(axis=1, keepdims=True)
    room = bounds[limited] / variances[limited].max(axis=1)
    if not len(costs) or costs.sum() <= 0:
        return np.ones(len(costs))
    weight = costs / costs.sum()

    def cost(u: Numbers) -> float:
        return float((weight / u).sum())

    def slope(u: Numbers) -> Numbers:
        return np.asarray(-weight / u**2)

    solved = minimize(
        cost,
        np.ones(len(costs)),
        jac=slope,
        bounds=[(1.0, top)] * len(costs),
        constraints=[LinearConstraint(sums, -np.inf, sums.sum(axis=1) + room)] if len(sums) else [],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    rates = np.clip(1 / solved.x, least, 1.0)
    # The solver may exceed a bound by its tolerance: then all rates are moved towards 1 to meet it.
    used = (sums @ (1 / rates - 1) / np.maximum(room, 1e-300)).max(initial=0.0)
    if not np.isfinite(used) or used > 1:
        rates = 1 / (1 + (1 / rates - 1) / max(used, 1.0))
    return np.asarray(rates)


def risk_bound(strata: RiskStrata, psi: Numbers, released: Rows) -> tuple[float, float]:
    """Return bounds on the chance that a record is identified: on average, and at most.

    The intruder knows that a person is in the original file, knows its keys, and picks one of the
    released records that have them. Of a cell with f records, one is identified if any is released
    with its own keys; with m of the N records of the stratum drawn without replacement, and each
    of them substituted with chance ψ, that has the chance 1 − E ψ^X, X hypergeometric. By symmetry
    each record of the cell has its f-th part. Records that come into the cell by substitution only
    lower it, so these are upper bounds.

    >>> strata = RiskStrata(np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2]), ("1", "2 and more"))
    >>> average, most = risk_bound(strata, np.array([0.5, 0.0]), np.array([1, 2]))
    >>> average, most
    (0.375, 0.5)
    """
    expected, most = 0.0, 0.0
    for h, (everyone, drawn) in enumerate(zip(strata.records, released, strict=True)):
        sizes, records = np.unique(strata.sizes[strata.labels == h], return_counts=True)
        small = sizes[sizes <= LARGEST_CELL]
        untouched = np.zeros(len(sizes))
        untouched[: len(small)] = _none_identified(
            int(everyone), int(drawn), float(psi[h]), int(small.max(initial=0))
        )[small]
        chances = (1 - np.minimum(untouched, 1.0)) / sizes
        expected += float(chances @ records)
        most = max(most, float(chances.max(initial=0.0)))
    return expected / max(len(strata.labels), 1), most


def _none_identified(everyone: int, drawn: int, psi: float, largest: int) -> Numbers:
    """Return E ψ^X for a cell of each size up to the largest, X of its records being drawn.

    The records of a cell are drawn one after another, as from an urn: when x of f were drawn, the
    next is with chance (m − x)/(N − f). So all sizes come from one pass, and as all terms are
    positive no digits are lost.
    """
    x = np.arange(largest + 1)
    weight = np.zeros(largest + 1)  # ψ^x · P(X = x)
    weight[0] = 1.0
    expected = np.ones(largest + 1)
    for f in range(largest):
        so_far, left = weight[: f + 1].copy(), drawn - x[: f + 1]
        weight[: f + 1] *= (everyone - f - left) / (everyone - f)
        weight[1 : f + 2] += psi * so_far * left / (everyone - f)
        expected[f + 1] = weight[: f + 2].sum()
    return expected
