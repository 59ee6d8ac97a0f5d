"""The partition by a mixture: no group below k, whatever EM wants, and what it says."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import discreet
from discreet.contracts import Context, Groups, Randomness
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.partition.gaussian_mixture import GaussianMixture
from discreet.microaggregation.replacement.centroid import Centroid
from discreet.models.mixture.choosing import choose
from discreet.models.mixture.hard import hard_groups


def _table(values: NDArray[np.float64]) -> discreet.Microdata:
    columns = {f"x{j}": column for j, column in enumerate(np.atleast_2d(values.T))}
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def _groups(partition: GaussianMixture, values: NDArray[np.float64], seed: int = 1) -> Groups:
    data = _table(values)
    return partition.groups(data, data.quasi_identifiers, Context(Randomness(seed)))


def _random_table(rng: np.random.Generator) -> NDArray[np.float64]:
    """A table of a random kind: clusters, tiny clusters, skewed, whole numbers, binary, ties."""
    n, d = int(rng.integers(12, 60)), int(rng.integers(1, 4))
    kind = rng.integers(0, 6)
    values = rng.normal(size=(n, d))
    if kind == 0:
        values += 8 * rng.integers(0, 4, n)[:, None]
    elif kind == 1:
        values[: max(1, n // 20)] += 1000
    elif kind == 2:
        values = np.exp(2 * values)
    elif kind == 3:
        values = np.rint(3 * values)
    elif kind == 4:
        values[:, 0] = rng.integers(0, 2, n)
    else:
        values = values[rng.integers(0, max(2, n // 4), n)]
    return values


def test_every_group_has_k_records_on_hundreds_of_random_tables() -> None:
    rng = np.random.default_rng(20)
    families = ("VVV", "EII", "VVI", "EEE", "VEV", "VVE")
    dissolved = lowered = 0
    for case in range(240):
        values = _random_table(rng)
        k = int(rng.integers(3, max(4, len(values) // 3)))
        partition = GaussianMixture(
            k=k, clusters=int(rng.integers(1, 8)), families=families[case % len(families)]
        )
        groups = _groups(partition, values)
        assert len(groups.labels) == len(values)
        assert groups.sizes.min() >= k
        assert (groups.sizes > 0).all()
        dissolved += any("dissolved" in word for word in groups.detail)
        lowered += "clusters asked for" in groups.detail
    # Otherwise the guarantee would not have been put to the test.
    assert dissolved >= 20
    assert lowered >= 30


def test_em_wants_a_tiny_cluster_and_does_not_get_it() -> None:
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.normal(0, 1, (97, 2)), rng.normal(500, 0.01, (3, 2))])
    free = choose(values, [2], ("VVV",)).best
    labels, _ = hard_groups(lambda rows: free.log_densities(values[rows]), 100, 1)
    assert sorted(np.bincount(labels)) == [3, 97]
    groups = _groups(GaussianMixture(k=20, clusters=2), values)
    assert groups.sizes.min() >= 20


def test_more_clusters_asked_for_than_k_allows() -> None:
    values = np.random.default_rng(2).normal(size=(50, 2))
    groups = _groups(GaussianMixture(k=20, clusters=7, families="EII"), values)
    assert groups.detail["clusters asked for"] == (
        "7, lowered to 2: 50 records in groups of 20 allow no more"
    )
    assert groups.count <= 2
    # k·G < n is needed: with n = 2k one cluster is all there is room for.
    assert _groups(GaussianMixture(k=25), values).count == 1
    assert _groups(GaussianMixture(k=50), values).sizes.tolist() == [50]
    with pytest.raises(DataError, match="k = 51 needs at least 51 records, but the data have 50"):
        _groups(GaussianMixture(k=51), values)


def test_constant_and_collinear_columns() -> None:
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(0, 1, 40), rng.normal(9, 1, 40)])
    values = np.column_stack([x, np.full(80, 7.0), 2 * x + 1, rng.normal(size=80)])
    groups = _groups(GaussianMixture(k=10), values)
    assert groups.detail["constant columns, left out of the clustering"] == ("x1",)
    assert groups.detail["principal components clustered by"] == 2
    assert groups.sizes.tolist() == [40, 40]
    assert _groups(GaussianMixture(k=10), np.full((30, 2), 4.0)).sizes.tolist() == [30]


def test_whole_and_binary_columns() -> None:
    rng = np.random.default_rng(4)
    values = np.column_stack(
        [rng.integers(0, 2, 200), rng.integers(0, 6, 200), rng.poisson(3, 200)]
    )
    groups = _groups(GaussianMixture(k=15, most_clusters=3), values.astype(np.float64))
    assert groups.sizes.min() >= 15
    assert "regularisation" not in groups.detail, "a mixture that needs no holding up is there"


def test_one_value_far_away() -> None:
    values = np.random.default_rng(5).normal(size=(120, 2))
    values[7] = 1e9
    groups = _groups(GaussianMixture(k=10), values)
    assert groups.sizes.min() >= 10


def test_missing_values_are_placed_by_the_others() -> None:
    rng = np.random.default_rng(6)
    x = np.concatenate([rng.normal(0, 1, 60), rng.normal(20, 1, 60)])
    values = np.column_stack([x, x + rng.normal(0, 1, 120)])
    values[::10, 1] = np.nan
    groups = _groups(GaussianMixture(k=10, clusters=2), values)
    assert groups.labels.tolist() == [0] * 60 + [1] * 60
    assert groups.detail["records fitted to"] == 108
    nothing = _groups(GaussianMixture(k=5), np.full((20, 2), np.nan))
    assert nothing.sizes.tolist() == [20]


def test_fitted_to_a_sample_every_record_is_placed() -> None:
    rng = np.random.default_rng(7)
    labels = rng.integers(0, 2, 20_000)
    values = rng.normal(size=(20_000, 2)) + 12 * labels[:, None]
    groups = _groups(GaussianMixture(k=50, clusters=2, families="EII", sample=400), values)
    assert groups.detail["records fitted to"] == 400
    assert len(set(zip(groups.labels.tolist(), labels.tolist(), strict=True))) == 2


def test_principal_components() -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(size=(300, 1)) + 10 * rng.integers(0, 2, (300, 1))
    values = x + 0.3 * rng.normal(size=(300, 6))
    groups = _groups(GaussianMixture(k=20, variance=0.9), values)
    assert groups.detail["principal components clustered by"] == 1
    assert groups.count == 2


def test_student_tails_take_outliers_in() -> None:
    rng = np.random.default_rng(9)
    values = rng.standard_t(3, (400, 2)) + 40 * rng.integers(0, 2, (400, 1))
    groups = _groups(GaussianMixture(k=20, families="EEE", tails="student"), values)
    assert groups.count == 2
    assert "2 t (" in groups.detail["model"]


def test_columns_of_other_kinds_are_refused_by_name() -> None:
    data = discreet.read({"town": ["a", "b"] * 20}, roles={"town": "quasi-identifier"})
    with pytest.raises(DataError, match="'town' is nominal"):
        GaussianMixture(k=3).groups(data, ["town"], Context())
    with pytest.raises(UsageError, match="must be one of all"):
        GaussianMixture(families="VVX")


def test_local_masking_is_any_replacement_within_the_clusters() -> None:
    rng = np.random.default_rng(10)
    values = rng.normal(size=(100, 2)) + 9 * rng.integers(0, 2, (100, 1))
    masked = Microaggregation(GaussianMixture(k=10, families="EII"), Centroid()).protect(
        _table(values), Context()
    )
    assert masked.groups is not None
    assert len(np.unique(masked.data["x0"])) == masked.groups.count
    assert masked.claims[0].bound == 10


def test_a_cluster_that_no_record_is_left_in_keeps_its_place() -> None:
    """Its scatter is about that place, not about the mean of next to nothing."""
    rng = np.random.default_rng(0)
    age = np.concatenate([rng.normal(25, 3, 1000), rng.normal(65, 4, 1000)]).round()
    flag = np.random.default_rng(1).integers(0, 2, 2000)
    values = {"age": age, "income": rng.lognormal(3, 1, 2000), "flag": flag.astype(float)}
    data = discreet.read(values, roles=dict.fromkeys(values, "quasi-identifier"))
    groups = GaussianMixture(k=40, clusters=5, families="EVI").groups(data, list(values), Context())
    assert groups.sizes.min() >= 40
