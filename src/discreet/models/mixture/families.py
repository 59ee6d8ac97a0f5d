"""The fourteen covariance families of a normal mixture (Celeux & Govaert 1995).

A covariance is written Σ_g = λ_g · D_g · A_g · D_gᵀ: the volume λ_g (λ_g^d is the determinant),
the shape A_g (diagonal, of determinant 1) and the orientation D_g (orthogonal). The three letters
of a family denote these in turn: E, equal in all clusters; V, varying; I, the identity. So VEV
has clusters of one shape, each with its own volume and orientation.

Every estimate here is a function of the weighted scatter matrices W_g and the weights n_g alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.microdata import Numbers

Estimate = Callable[[Numbers, Numbers, Numbers | None], Numbers]

SETTLED = 1e-8
"""Relative change at which an estimate that has no closed form is taken as settled."""
MOST_ROUNDS = 50


@dataclass(frozen=True)
class Family:
    """One covariance family: its letters, its number of parameters and its estimate.

    `estimate(scatters, weights, before)` returns the covariances that maximise the likelihood of
    an M step; families without a closed form go on from the covariances of the step before.

    >>> FAMILIES["VVV"].parameters(3, 2)
    12
    >>> scatters = np.array([[[2.0, 0.0], [0.0, 4.0]]])
    >>> FAMILIES["EII"].estimate(scatters, np.array([2.0]), None)
    array([[[1.5, 0. ],
            [0. , 1.5]]])
    """

    letters: str
    estimate: Estimate

    def parameters(self, dimensions: int, clusters: int) -> int:
        """Return the number of independent parameters in the covariances."""
        volume, shape, orientation = tuple(self.letters)
        count = clusters if volume == "V" else 1
        if shape != "I":
            count += (dimensions - 1) * (clusters if shape == "V" else 1)
        if orientation != "I":
            angles = dimensions * (dimensions - 1) // 2
            count += angles * (clusters if orientation == "V" else 1)
        return count


def _determinant_root(diagonals: Numbers) -> Numbers:
    """Return |·|^{1/d} of diagonal matrices, without overflow."""
    return np.asarray(np.exp(np.log(diagonals).mean(axis=-1, keepdims=True)))


def _diagonal(values: Numbers) -> Numbers:
    """Return diagonal matrices with these diagonals."""
    return np.asarray(values[..., None] * np.eye(values.shape[-1]))


def _diagonals(matrices: Numbers) -> Numbers:
    return np.asarray(np.einsum("gii->gi", matrices))


def _repeated(matrix: Numbers, clusters: int) -> Numbers:
    return np.repeat(matrix[None], clusters, axis=0)


def _volumes(before: Numbers | None, scatters: Numbers, weights: Numbers) -> Numbers:
    """Return λ_g of the step before, or those of spherical clusters at the first."""
    if before is None:
        return np.asarray(np.einsum("gii->g", scatters) / (scatters.shape[1] * weights))
    return np.asarray(np.exp(np.linalg.slogdet(before)[1] / before.shape[1]))


def _alternating(
    volumes: Numbers, shape: Callable[[Numbers], Numbers], volume: Callable[[Numbers], Numbers]
) -> tuple[Numbers, Numbers]:
    """Estimate a common shape and the volumes in turn until the volumes have settled."""
    for _ in range(MOST_ROUNDS):
        common = shape(volumes)
        new = volume(common)
        moved = np.abs(new / volumes - 1).max()
        volumes = new
        if moved < SETTLED:
            break
    return volumes, common


def _eii(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    clusters, d, _ = scatters.shape
    volume = np.einsum("gii->", scatters) / (d * weights.sum())
    return _repeated(volume * np.eye(d), clusters)


def _vii(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    d = scatters.shape[1]
    volumes = np.einsum("gii->g", scatters) / (d * weights)
    return np.asarray(volumes[:, None, None] * np.eye(d))


def _eei(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    pooled = _diagonals(scatters).sum(axis=0) / weights.sum()
    return _repeated(_diagonal(pooled), len(scatters))


def _vei(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    diagonals = _diagonals(scatters)

    def shape(volumes: Numbers) -> Numbers:
        pooled = (diagonals / volumes[:, None]).sum(axis=0)
        return np.asarray(pooled / _determinant_root(pooled))

    def volume(common: Numbers) -> Numbers:
        return np.asarray((diagonals / common).mean(axis=1) / weights)

    volumes, common = _alternating(_volumes(before, scatters, weights), shape, volume)
    return _diagonal(volumes[:, None] * common)


def _evi(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    diagonals = _diagonals(scatters)
    roots = _determinant_root(diagonals)
    return _diagonal(diagonals / roots * (roots.sum() / weights.sum()))


def _vvi(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    return _diagonal(_diagonals(scatters) / weights[:, None])


def _eee(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    return _repeated(scatters.sum(axis=0) / weights.sum(), len(scatters))


def _vee(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    d = scatters.shape[1]

    def shape(volumes: Numbers) -> Numbers:
        pooled = (scatters / volumes[:, None, None]).sum(axis=0)
        return np.asarray(pooled / np.exp(np.linalg.slogdet(pooled)[1] / d))

    def volume(common: Numbers) -> Numbers:
        traces = np.einsum("ij,gji->g", np.linalg.inv(common), scatters)
        return np.asarray(traces / (d * weights))

    volumes, common = _alternating(_volumes(before, scatters, weights), shape, volume)
    return np.asarray(volumes[:, None, None] * common)


def _eev(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    spreads, directions = np.linalg.eigh(scatters)
    return _oriented(directions, spreads.sum(axis=0) / weights.sum())


def _vev(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    spreads, directions = np.linalg.eigh(scatters)

    def shape(volumes: Numbers) -> Numbers:
        pooled = (spreads / volumes[:, None]).sum(axis=0)
        return np.asarray(pooled / _determinant_root(pooled))

    def volume(common: Numbers) -> Numbers:
        return np.asarray((spreads / common).mean(axis=1) / weights)

    volumes, common = _alternating(_volumes(before, scatters, weights), shape, volume)
    return _oriented(directions, volumes[:, None] * common)


def _evv(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    roots = np.exp(np.linalg.slogdet(scatters)[1] / scatters.shape[1])[:, None, None]
    return np.asarray(scatters / roots * (roots.sum() / weights.sum()))


def _vvv(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    return np.asarray(scatters / weights[:, None, None])


def _eve(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    def variances(spreads: Numbers) -> Numbers:
        roots = _determinant_root(spreads)
        return np.asarray(spreads / roots * (roots.sum() / weights.sum()))

    return _common_orientation(scatters, before, variances)


def _vve(scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
    return _common_orientation(scatters, before, lambda spreads: spreads / weights[:, None])


def _oriented(directions: Numbers, variances: Numbers) -> Numbers:
    """Return D · diag(variances) · Dᵀ, exactly symmetric."""
    wide = directions * np.sqrt(np.maximum(variances, 0.0))[..., None, :]
    return np.asarray(wide @ np.swapaxes(wide, -1, -2))


def _common_orientation(
    scatters: Numbers, before: Numbers | None, variances: Callable[[Numbers], Numbers]
) -> Numbers:
    """Estimate one orientation D for all clusters, and the variances along its directions.

    Σ_g tr(W_g D Λ_g⁻¹ Dᵀ) is lowered by turning two directions at a time (the pairwise rotations
    of Flury & Gautschi 1986). No step makes the likelihood smaller.
    """
    from discreet.kernels.rotations import turn_pairs

    # All covariances of the step before have the same eigenvectors, and so has their sum.
    pooled = scatters if before is None else before / np.einsum("gii->g", before)[:, None, None]
    turn = np.ascontiguousarray(np.linalg.eigh(pooled.sum(axis=0))[1])
    within = np.ascontiguousarray(turn.T @ scatters @ turn)
    # Within EM every step continues from the last one, so few rotations are enough.
    rounds = MOST_ROUNDS if before is None else 2
    for _ in range(rounds):
        along = np.ascontiguousarray(variances(_diagonals(within)))
        if turn_pairs(within, along, turn) < SETTLED:
            break
    return _oriented(turn, variances(_diagonals(within)))


FAMILIES: dict[str, Family] = {
    letters: Family(letters, estimate)
    for letters, estimate in (
        ("EII", _eii), ("VII", _vii), ("EEI", _eei), ("VEI", _vei), ("EVI", _evi), ("VVI", _vvi),
        ("EEE", _eee), ("VEE", _vee), ("EVE", _eve), ("VVE", _vve), ("EEV", _eev), ("VEV", _vev),
        ("EVV", _evv), ("VVV", _vvv),
    )
}  # fmt: skip

SETS: dict[str, tuple[str, ...]] = {
    "all": tuple(FAMILIES),
    "classic": ("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "EEV", "VEV", "VVV"),
    "spherical": ("EII", "VII"),
    "diagonal": ("EII", "VII", "EEI", "VEI", "EVI", "VVI"),
    "ellipsoidal": ("EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV"),
}
"""Families to be tried together: all, those that Fraley & Raftery (2002) tried and the paper had
to choose from, and others by the form of their clusters."""


def distinct(families: tuple[str, ...], dimensions: int, clusters: int) -> tuple[str, ...]:
    """Leave out families that do not differ from an earlier one in so few dimensions or clusters.

    >>> distinct(tuple(FAMILIES), 1, 2)
    ('EII', 'VII')
    >>> distinct(tuple(FAMILIES), 3, 1)
    ('EII', 'EEI', 'EEE')
    """
    by_form: dict[str, str] = {}
    for letters in families:
        form = letters.replace("V", "E") if clusters == 1 else letters
        form = form[0] if dimensions == 1 else form
        by_form.setdefault(form, letters)
    return tuple(by_form.values())
