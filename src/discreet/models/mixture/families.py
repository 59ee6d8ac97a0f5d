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
from functools import cache

import numpy as np

from discreet.microdata import Numbers

SETTLED = 1e-8
"""Sine of an angle at which an orientation is taken as settled."""
MOST_ROUNDS = 50


@dataclass(frozen=True)
class Family:
    """One covariance family: its letters, its number of parameters and its estimate.

    >>> FAMILIES["VVV"].parameters(3, 2)
    12
    >>> scatters = np.array([[[2.0, 0.0], [0.0, 4.0]]])
    >>> FAMILIES["EII"].estimate(scatters, np.array([2.0]), None)
    array([[[1.5, 0. ],
            [0. , 1.5]]])
    """

    letters: str

    def estimate(self, scatters: Numbers, weights: Numbers, before: Numbers | None) -> Numbers:
        """Return the covariances that maximise the likelihood of an M step.

        Families without a closed form go on from the covariances of the step before.
        """
        scatters = np.ascontiguousarray(scatters)
        volume, shape, orientation = tuple(self.letters)
        if orientation == "I":
            return _diagonal(_variances(volume, shape, _diagonals(scatters), weights, before))
        if orientation == shape == "V":
            return _of_any_form(volume, scatters, weights)
        if orientation == shape == "E":
            return _of_one_form(volume, scatters, weights, before)
        if orientation == "E":
            return _of_one_orientation(volume, scatters, weights, before)
        spreads, directions = np.linalg.eigh(scatters)
        return _oriented(directions, _variances(volume, shape, spreads, weights, before))

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


def _variances(
    volume: str, shape: str, spreads: Numbers, weights: Numbers, before: Numbers | None
) -> Numbers:
    """Return λ_g·A_g of clusters with these spreads, the diagonals of D_gᵀW_gD_g."""
    variances, meaning = _estimating_variances()
    spreads = np.ascontiguousarray(spreads)
    along = np.empty(spreads.shape)
    if volume == "V" and shape == "E":
        start = _volumes(before, spreads.sum(axis=1), weights, spreads.shape[1])
    else:
        start = np.empty(len(spreads))
    variances(meaning[volume], meaning[shape], spreads, weights, start, along)
    return along


@cache
def _estimating_variances() -> tuple[Callable[..., None], dict[str, int]]:
    """Return the kernel, and what it calls the letters; looked up once, not in every step."""
    from discreet.kernels.volumes_and_shapes import EQUAL, FIXED, VARYING, variances

    return variances, {"I": FIXED, "E": EQUAL, "V": VARYING}


def _volumes(before: Numbers | None, traces: Numbers, weights: Numbers, d: int) -> Numbers:
    """Return λ_g of the step before, or those of spherical clusters at the first."""
    if before is None:
        return np.asarray(traces / (d * weights))
    return np.asarray(np.exp(np.linalg.slogdet(before)[1] / d))


def _of_any_form(volume: str, scatters: Numbers, weights: Numbers) -> Numbers:
    """EVV and VVV."""
    if volume == "V":
        return np.asarray(scatters / weights[:, None, None])
    roots = np.exp(np.linalg.slogdet(scatters)[1] / scatters.shape[1])[:, None, None]
    return np.asarray(scatters / roots * (roots.sum() / weights.sum()))


def _of_one_form(
    volume: str, scatters: Numbers, weights: Numbers, before: Numbers | None
) -> Numbers:
    """EEE and VEE."""
    from discreet.kernels.volumes_and_shapes import common_form

    clusters, d, _ = scatters.shape
    if volume == "E":
        return np.repeat((scatters.sum(axis=0) / weights.sum())[None], clusters, axis=0)
    covariances = np.empty_like(scatters)
    start = _volumes(before, np.einsum("gii->g", scatters), weights, d)
    common_form(scatters, weights, start, covariances)
    return covariances


def _of_one_orientation(
    volume: str, scatters: Numbers, weights: Numbers, before: Numbers | None
) -> Numbers:
    """EVE and VVE: one orientation D for all clusters, and the variances along its directions.

    Σ_g tr(W_g D Λ_g⁻¹ Dᵀ) is lowered by turning two directions at a time (the pairwise rotations
    of Flury & Gautschi 1986). No step makes the likelihood smaller.
    """
    from discreet.kernels.rotations import turned

    # All covariances of the step before have the same eigenvectors, and so has their sum.
    pooled = scatters if before is None else before / np.einsum("gii->g", before)[:, None, None]
    turn = np.ascontiguousarray(np.linalg.eigh(pooled.sum(axis=0))[1])
    within = np.ascontiguousarray(turn.T @ scatters @ turn)
    along = np.empty(within.shape[:2])
    # Within EM every step continues from the last one, so few rotations are enough.
    rounds = MOST_ROUNDS if before is None else 2
    turned(within, turn, along, weights, volume == "V", rounds, SETTLED)
    return _oriented(turn, along)


def _diagonals(matrices: Numbers) -> Numbers:
    """Return the diagonals of matrices that lie one after the other in memory."""
    return matrices.reshape(len(matrices), -1)[:, :: matrices.shape[1] + 1]


def _diagonal(values: Numbers) -> Numbers:
    """Return diagonal matrices with these diagonals."""
    clusters, d = values.shape
    matrices = np.zeros((clusters, d * d))
    matrices[:, :: d + 1] = values
    return matrices.reshape(clusters, d, d)


def _oriented(directions: Numbers, variances: Numbers) -> Numbers:
    """Return D · diag(variances) · Dᵀ, exactly symmetric."""
    wide = directions * np.sqrt(np.maximum(variances, 0.0))[..., None, :]
    return np.asarray(wide @ np.swapaxes(wide, -1, -2))


FAMILIES: dict[str, Family] = {
    letters: Family(letters)
    for letters in (
        "EII", "VII", "EEI", "VEI", "EVI", "VVI",
        "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV",
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
