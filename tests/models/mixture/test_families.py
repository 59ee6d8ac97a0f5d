"""The fourteen covariance families: their constraints, their counts, and that they are best."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.models.mixture.families import FAMILIES, SETS, distinct

Numbers = NDArray[np.float64]


def _scatters(clusters: int, d: int, seed: int) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    weights = rng.uniform(20, 90, clusters)
    factors = rng.normal(size=(clusters, d, 3 * d)) * rng.uniform(0.3, 3, (clusters, 1, 1))
    return factors @ factors.transpose(0, 2, 1) * weights[:, None, None] / d, weights


def _estimate(letters: str, scatters: Numbers, weights: Numbers) -> Numbers:
    """Run the estimate from its own result until it moves no more, as EM would."""
    found = FAMILIES[letters].estimate(scatters, weights, None)
    for _ in range(60):
        found = FAMILIES[letters].estimate(scatters, weights, found)
    return found


def _likelihood(covariances: Numbers, scatters: Numbers, weights: Numbers) -> float:
    inverse = np.linalg.inv(covariances)
    traces = np.einsum("gij,gji->g", scatters, inverse)
    return float(-0.5 * (weights * np.linalg.slogdet(covariances)[1] + traces).sum())


def _parts(covariances: Numbers) -> tuple[Numbers, Numbers]:
    """Return the volumes, and the eigenvalues of each shape in ascending order."""
    d = covariances.shape[1]
    volumes = np.exp(np.linalg.slogdet(covariances)[1] / d)
    return volumes, np.linalg.eigvalsh(covariances / volumes[:, None, None])


@pytest.mark.parametrize("letters", FAMILIES)
@pytest.mark.parametrize("seed", range(3))
def test_volume_shape_and_orientation_are_as_the_letters_say(letters: str, seed: int) -> None:
    scatters, weights = _scatters(4, 3, seed)
    found = _estimate(letters, scatters, weights)
    volume, shape, orientation = tuple(letters)
    volumes, shapes = _parts(found)
    assert np.allclose(volumes, volumes[0]) == (volume == "E")
    if shape == "I":
        assert np.allclose(shapes, 1)
    else:
        assert np.allclose(shapes, shapes[0]) == (shape == "E")
        assert not np.allclose(shapes, 1)
    off_diagonal = found * (1 - np.eye(3))
    commute = np.abs(found[0] @ found[1:] - found[1:] @ found[0]).max() < 1e-8 * found.max() ** 2
    assert np.allclose(off_diagonal, 0) == (orientation == "I")
    assert commute == (orientation in "IE"), "matrices with the same eigenvectors commute"
    assert np.linalg.eigvalsh(found).min() > 0


@pytest.mark.parametrize("letters", FAMILIES)
def test_each_family_is_as_likely_as_the_families_that_it_holds(letters: str) -> None:
    scatters, weights = _scatters(3, 4, 7)
    own = _likelihood(_estimate(letters, scatters, weights), scatters, weights)
    for other in FAMILIES:
        wider = all(a == b or b == "I" or (a, b) == ("V", "E")
                    for a, b in zip(letters, other, strict=True))  # fmt: skip
        if wider:
            less = _likelihood(_estimate(other, scatters, weights), scatters, weights)
            assert less <= own + 1e-6 * abs(own), other


def _moved(letters: str, found: Numbers, rng: np.random.Generator) -> Numbers:
    """Return covariances of the same family a little way off."""
    clusters, d, _ = found.shape
    volume, shape, orientation = tuple(letters)
    volumes, _ = _parts(found)

    def own(letter: str, draw: Numbers) -> Numbers:
        return draw if letter == "V" else np.repeat(draw[:1], clusters, axis=0)

    if orientation == "E":
        common = np.linalg.eigh((found / volumes[:, None, None]).sum(axis=0))[1]
        turns = np.repeat(common[None], clusters, axis=0)
    else:
        turns = np.linalg.eigh(found)[1] if orientation == "V" else np.repeat(np.eye(d)[None], clusters, 0)  # fmt: skip  # noqa: E501
    variances = np.einsum("gji,gjk,gki->gi", turns, found, turns)
    if shape != "I":
        steps = own(shape, rng.normal(0, 0.02, (clusters, d)))
        variances = variances * np.exp(steps - steps.mean(axis=1, keepdims=True))
    variances = variances * np.exp(own(volume, rng.normal(0, 0.02, (clusters, 1))))
    if orientation != "I":
        skew = own(orientation, rng.normal(0, 0.02, (clusters, d, d)))
        turns = turns @ np.linalg.qr(np.eye(d) + skew - skew.transpose(0, 2, 1))[0]
    return np.asarray((turns * variances[:, None, :]) @ turns.transpose(0, 2, 1))


@pytest.mark.parametrize("letters", FAMILIES)
def test_nothing_near_in_the_family_is_more_likely(letters: str) -> None:
    scatters, weights = _scatters(3, 3, 11)
    found = _estimate(letters, scatters, weights)
    best = _likelihood(found, scatters, weights)
    rng = np.random.default_rng(5)
    for _ in range(40):
        other = _moved(letters, found, rng)
        assert _likelihood(other, scatters, weights) < best + 1e-7 * abs(best)


def test_numbers_of_parameters() -> None:
    """By the table of Celeux & Govaert (1995), d = 3 and G = 4."""
    counts = {letters: family.parameters(3, 4) for letters, family in FAMILIES.items()}
    assert counts == {
        "EII": 1, "VII": 4, "EEI": 3, "VEI": 6, "EVI": 9, "VVI": 12, "EEE": 6, "VEE": 9,
        "EVE": 12, "VVE": 15, "EEV": 15, "VEV": 18, "EVV": 21, "VVV": 24,
    }  # fmt: skip


def test_in_one_dimension_and_for_one_cluster_families_coincide() -> None:
    assert distinct(SETS["ellipsoidal"], 1, 3) == ("EEE", "VEE")
    assert distinct(SETS["all"], 2, 1) == ("EII", "EEI", "EEE")
    assert set(SETS["all"]) == set(FAMILIES)
    assert len(FAMILIES) == 14
