"""Local synthesis: exact moments over clusters and unions, claims, diagnosis, edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError, UsageError
from discreet.methods.synthetic.local_synthesis import LocalSynthesis
from discreet.models.mixture.higher_moments import expected_change, normal_moments
from discreet.models.mixture.unions import cluster_moments, largest_difference

THYROID = ("age", "TSH", "T3", "T4U", "FTI")
DIFFERENCE = "largest relative difference of a mean or covariance, over clusters and their unions"


def _context(seed: int = 1) -> Context:
    return Context(Randomness(seed))


def _table(values: NDArray[np.float64]) -> discreet.Microdata:
    columns = {f"x{j}": column for j, column in enumerate(values.T)}
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def _close(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Whether means and covariances agree to 1e-9, relative to the columns' own spread."""
    unit = np.maximum(one.std(axis=0), np.abs(one.mean(axis=0)) * 1e-6)
    means = np.abs(one.mean(axis=0) - other.mean(axis=0)) <= 1e-9 * np.maximum(
        unit, np.abs(one.mean(axis=0))
    )
    spread = one.std(axis=0, ddof=1)
    apart = np.abs(np.cov(one.T) - np.cov(other.T)).reshape(len(spread), -1)
    scale = np.multiply.outer(np.maximum(spread, unit), np.maximum(spread, unit))
    return bool(means.all() and (apart <= 1e-9 * scale).all())


def test_thyroid_keeps_means_and_covariances_everywhere(reference_data: Path) -> None:
    data = discreet.read(
        reference_data / "thyroid_complete_1947.csv",
        roles=dict.fromkeys(THYROID, "quasi-identifier"),
    )
    assert data["age"].max() == 455, "the error in the file is left in"
    masked = LocalSynthesis(k=60, families="VVV").protect(data, _context())
    before, after = data.matrix(THYROID), masked.data.matrix(THYROID)
    assert masked.groups is not None
    labels = masked.groups.labels
    assert masked.groups.detail["model"] == "VVV, 6 normal clusters", "as in the paper, §5"
    assert masked.groups.sizes.tolist() == [179, 232, 440, 325, 708, 63], "the paper's, in order"
    assert _close(before, after)
    for g in range(masked.groups.count):
        assert _close(before[labels == g], after[labels == g])
        for h in range(g):
            union = (labels == g) | (labels == h)
            assert _close(before[union], after[union])
    assert float(masked.groups.detail[DIFFERENCE]) < 1e-9
    assert masked.claims[0].measure == "probabilistic-k-anonymity"
    assert masked.claims[0].bound == masked.groups.sizes.min() >= 60
    assert not (before == after).any(axis=1).any()
    assert np.array_equal(masked.data["sex"], data["sex"]), "what is not treated stays"


def _difference(before: np.ndarray, after: np.ndarray, labels: np.ndarray) -> float:
    return largest_difference(*(cluster_moments(list(v.T), labels) for v in (before, after)))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(3, 20))
def test_moments_are_exact_on_random_tables(seed: int, d: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.exp(rng.normal(size=(60, d))) + 5.0 * rng.integers(0, 3, (60, 1))
    for tails in ("normal", "student"):
        method = LocalSynthesis(k=k, clusters=3, families="VVI", tails=tails)
        masked = method.protect(_table(values), _context(seed))
        assert masked.groups is not None
        after = masked.data.matrix([f"x{j}" for j in range(d)])
        assert _difference(values, after, masked.groups.labels) < 1e-9
        assert masked.groups.sizes.min() >= k


def test_awkward_columns_are_synthesised_in_their_span() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=80)
    values = np.column_stack([x, np.full(80, 7.0), 2 * x + 1, rng.integers(0, 2, 80)]).astype(
        np.float64
    )
    masked = LocalSynthesis(k=15, clusters=1).protect(_table(values), _context())
    after = masked.data.matrix(["x0", "x1", "x2", "x3"])
    assert np.allclose(after[:, 1], 7.0)
    assert np.allclose(after[:, 2], 2 * after[:, 0] + 1)
    assert masked.groups is not None
    assert _difference(values, after, masked.groups.labels) < 1e-9
    assert not np.isin(after[:, 3], [0, 1]).all(), "binary columns get real values"
    whole = (
        LocalSynthesis(k=15, clusters=1, round=True).protect(_table(values), _context()).data["x3"]
    )
    assert np.array_equal(whole, np.rint(whole))


def test_the_release_is_the_same_with_any_number_of_threads() -> None:
    from threadpoolctl import threadpool_limits

    rng, made = np.random.default_rng(5), []
    data = _table(rng.normal(size=(30_000, 8)) + 6.0 * rng.integers(0, 2, (30_000, 1)))
    method = LocalSynthesis(k=100, clusters=2, families="VVV", sample=2_000, start="k-means")
    for threads in (1, 2):
        with threadpool_limits(threads):
            masked = method.protect(data, _context())
        made.append(masked.data.matrix([f"x{j}" for j in range(8)]).tobytes())
    assert made[0] == made[1]


def test_a_column_without_any_value_stays_without() -> None:
    values = np.column_stack([np.full(30, np.nan), np.random.default_rng(4).normal(size=30)])
    for columns in (values, values[:, :1]):
        masked = LocalSynthesis(k=10).protect(_table(columns), _context())
        assert np.isnan(masked.data["x0"]).all()
        assert masked.groups is not None
        assert float(masked.groups.detail[DIFFERENCE]) < 1e-9


def test_missing_values_are_synthesised() -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(60, 2))
    values[::7, 0] = np.nan
    masked = LocalSynthesis(k=10, families="VVV").protect(_table(values), _context())
    assert not np.isnan(masked.data["x0"]).any()
    assert masked.data["x0"].mean() == pytest.approx(np.nanmean(values[:, 0]), abs=0.2)


def test_kept_moments_are_said_to_be_those_of_the_file_as_filled() -> None:
    values = np.random.default_rng(6).exponential(size=(120, 2))
    values[:40, 1] = np.nan
    gaps = "missing values, standing at the mean of their cluster in what is kept"
    for table, told in ((values, 40), (values[40:], None)):
        masked = LocalSynthesis(k=20, clusters=2).protect(_table(table), _context())
        assert masked.groups is not None
        assert masked.groups.detail.get(gaps) == told


def test_mixed_columns_follow_the_synthetic_numbers() -> None:
    rng = np.random.default_rng(5)
    pay = np.concatenate([rng.normal(1, 0.2, 150), rng.normal(6, 0.2, 150)])
    home = ["rented"] * 150 + ["owned"] * 150
    roles = dict.fromkeys(["pay", "home"], "quasi-identifier")
    data = discreet.read({"pay": pay, "home": home}, roles=roles)
    masked = LocalSynthesis(k=20, classes=2).protect(data, _context())
    categories = masked.data.schema["home"].categories
    owned = masked.data["home"] == categories.index("owned")
    assert np.mean(owned == (masked.data["pay"] > 3.5)) > 0.97
    assert masked.groups is not None
    assert "records in the least latent class" in masked.groups.detail
    only = data.replace([data.column("pay")]).drop(["pay"])
    drawn = LocalSynthesis(k=20, classes=2).protect(only, _context())
    assert drawn.groups is not None
    assert drawn.groups.sizes.tolist() == [300]
    with pytest.raises(UsageError, match="together names 'pay'"):
        LocalSynthesis(together=("pay+home",)).protect(data, _context())


def test_same_seed_same_records_and_another_seed_others() -> None:
    data = _table(np.random.default_rng(6).normal(size=(50, 2)))
    one, again, other = (
        LocalSynthesis(k=10, families="EII").protect(data, _context(seed)).data["x0"]
        for seed in (1, 1, 2)
    )
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_too_few_records_and_a_group_of_two() -> None:
    data = _table(np.random.default_rng(7).normal(size=(9, 2)))
    with pytest.raises(DataError, match="needs at least 10 records, but the data have 9"):
        LocalSynthesis(k=10).protect(data, _context())
    with pytest.raises(UsageError, match="at least 3"):
        LocalSynthesis(k=2)


def test_expected_change_foretells_the_release() -> None:
    """Eq. 9 against releases themselves, for the third moment of a skewed column."""
    rng = np.random.default_rng(9)
    values = rng.gamma(2.0, size=(300, 1)) + 10 * rng.integers(0, 2, (300, 1))
    z = (values - values.mean()) / values.std()
    masked = LocalSynthesis(k=50, clusters=2, families="VII").protect(_table(values), _context())
    assert masked.groups is not None
    told = expected_change(values, masked.groups.labels, ["x0"])
    assert (
        masked.groups.detail["expected change of moments of order 3"]
        == told["expected change of moments of order 3"]
    )
    expected = 0.0
    for g in range(masked.groups.count):
        part = z[masked.groups.labels == g]
        expected += len(part) / 300 * float(normal_moments(part.mean(axis=0),
                                                            np.atleast_2d(part.var()))[0][0, 0, 0])  # fmt: skip  # noqa: E501
    found = [
        LocalSynthesis(k=50, clusters=2, families="VII").protect(_table(values), _context(s)).data
        for s in range(6)
    ]
    thirds = [float((((f["x0"] - values.mean()) / values.std()) ** 3).mean()) for f in found]
    assert np.mean(thirds) == pytest.approx(expected, abs=0.05)


def test_the_fourth_moments_of_t_clusters_are_not_foretold_as_if_they_were_normal() -> None:
    values = np.random.default_rng(5).standard_t(3, size=(200, 2))
    masked = LocalSynthesis(k=50, clusters=1, tails="student").protect(_table(values), _context())
    assert masked.groups is not None
    told = masked.groups.detail
    assert "%" in told["expected change of moments of order 3"], "a t is as symmetric as a normal"
    assert told["expected change of moments of order 4"] == "not predicted: the clusters are t"


def test_the_whole_way_with_the_release_gate() -> None:
    data = _table(np.random.default_rng(10).normal(size=(90, 2)))
    release = discreet.protect(data, LocalSynthesis(k=20), seed=1)
    [claim] = release.claims
    assert claim.measured is not None
    assert claim.measured >= claim.bound >= 20


def test_nothing_is_claimed_while_a_quasi_identifier_is_not_treated() -> None:
    data = _table(np.random.default_rng(10).normal(size=(90, 2)))
    release = discreet.protect(data, LocalSynthesis(k=20, columns=("x0",)), seed=1)
    assert release.claims == ()
    # The groups of a later step must not vouch for what this one did not do.
    later = {"global-recoding": {"k": 2, "columns": ["x1"]}}
    steps = [{"local-synthesis": {"k": 20, "columns": ["x0"]}}, later]
    assert discreet.protect(data, steps, seed=1).claims == ()
