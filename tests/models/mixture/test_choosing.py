"""The choice by BIC against what mclust is documented to choose, and the start behind it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_iris, load_wine

import discreet
from discreet.contracts.threads import one_thread
from discreet.errors import DataError
from discreet.models.mixture.choosing import choose
from discreet.models.mixture.em import fit
from discreet.models.mixture.starting import agglomerate, by_quantiles, kmeans

PUBLISHED = Path(__file__).parent / "published"


def _published(name: str) -> NDArray[np.float64]:
    return np.loadtxt(PUBLISHED / name, delimiter=",", skiprows=1)


def test_iris_is_vev_2_as_in_mclust() -> None:
    """Fraley & Raftery's example: VEV,2 −561.7285, then VEV,3 −562.5522 and VVV,2 −574.0178."""
    found = choose(load_iris().data, range(1, 10))
    assert (found.best.family, found.best.clusters) == ("VEV", 2)
    assert found.bic["VEV", 2] == pytest.approx(-561.7285, abs=0.01)
    assert found.bic["VEV", 3] == pytest.approx(-562.5522, abs=0.05)
    assert found.bic["VVV", 2] == pytest.approx(-574.0178, abs=0.05)


def test_old_faithful_is_eee_3_as_in_mclust() -> None:
    """Scrucca, Fop, Murphy & Raftery (2016): EEE with three components, BIC −2314.386."""
    found = choose(_published("old_faithful.csv"), range(1, 10))
    assert (found.best.family, found.best.clusters) == ("EEE", 3)
    assert found.best.bic == pytest.approx(-2314.386, abs=0.2)


def test_diabetes_is_vvv_3_as_in_mclust() -> None:
    """mclust's vignette on the data of Reaven & Miller (1979), as that package has them.

    VVV,3 −4751.316, VVV,4 −4784.322, EVE,6 −4785.246. Ours stops later and may be a little larger.
    """
    found = choose(_published("reaven_miller.csv"), range(1, 10))
    assert (found.best.family, found.best.clusters) == ("VVV", 3)
    assert found.bic["VVV", 3] == pytest.approx(-4751.316, abs=0.05)
    assert found.bic["VVV", 4] == pytest.approx(-4784.322, abs=0.2)
    assert found.bic["EVE", 6] == pytest.approx(-4785.246, abs=0.05)


def test_wine_is_vve_3_as_in_mclust() -> None:
    """Scrucca et al. (2016): VVE with three components; here among one to four clusters."""
    found = choose(load_wine().data, range(1, 5), ("EEI", "VVI", "EEE", "EVE", "VVE", "VVV"))
    assert (found.best.family, found.best.clusters) == ("VVE", 3)


def test_starts_on_a_sample_and_by_kmeans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.models.mixture.choosing.SUBSET", 300)
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, 900)
    points = rng.normal(size=(900, 2)) + labels[:, None] * 9
    for start in ("agglomerative", "k-means", "both"):
        found = choose(points, range(2, 5), ("EII", "VVV"), start=start, rng=rng).best
        assert (found.family, found.clusters) == ("EII", 3)
    assert len(np.unique(kmeans(np.repeat([[0.0], [1.0]], 5, axis=0) + 0.0, 2, rng))) == 2


def test_equal_points_leave_nothing_to_start_from() -> None:
    with pytest.raises(DataError, match="too few different values for 3 clusters"):
        choose(np.repeat([[0.0], [1.0]], 5, axis=0), [3], ("EII",), start="k-means")


def test_the_better_of_the_starts_in_both_units_is_kept(data_files: Path) -> None:
    data = discreet.read(data_files / "thyroid_complete_1947.csv")
    points = np.column_stack([data[name] for name in ("age", "TSH", "T3", "T4U", "FTI")])
    points = points[::4].astype(np.float64)
    with one_thread():
        single = [
            fit(points, agglomerate(points, rotated).cut(6), "VVV") for rotated in (True, False)
        ]
    assert single[0].bic != pytest.approx(single[1].bic)
    best = choose(points, [6], ("VVV",)).best
    assert best.bic == pytest.approx(max(mixture.bic for mixture in single if not mixture.held))


@pytest.mark.parametrize("name", ["old_faithful.csv", "reaven_miller.csv"])
def test_each_start_is_followed_as_far_as_in_the_units_it_was_made_in(name: str) -> None:
    records = _published(name)
    spread = records.std(axis=0)
    points = (records - records.mean(axis=0)) / spread
    unit = float(np.log(spread).sum())
    families = ("VII", "EEE", "VEV", "VVV")
    found = choose(points, range(2, 6), families, unscaled=records, log_unit=unit)
    with one_thread():
        for (family, clusters), bic in found.bic.items():
            alone = fit(points, agglomerate(points).cut(clusters), family)
            assert bic >= alone.bic or alone.held, (family, clusters)


def test_a_start_that_is_made_in_both_units_is_followed_in_both() -> None:
    points = _published("old_faithful.csv")
    start = agglomerate(points).cut(4)
    with one_thread():
        first, second, both = (
            fit(points, start, "VVV", log_units=units) for units in ((0.0,), (9.0,), (0.0, 9.0))
        )
    assert first.steps != second.steps
    assert both.steps == max(first.steps, second.steps)


def test_a_single_column_starts_from_its_quantiles() -> None:
    points = _published("old_faithful.csv")[:, 1:]
    points = (points - points.mean()) / points.std()
    found = choose(points, [2, 3], ("EII", "VII"))
    with one_thread():
        alone = fit(points, by_quantiles(points[:, 0], 3), "VII")
    assert found.bic["VII", 3] == alone.bic
    every = choose(points, [2, 3], ("EII", "VII"), start="every")
    assert all(every.bic[key] >= bic for key, bic in found.bic.items())
