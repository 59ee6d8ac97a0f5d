"""Synthesis with exactly a given mean and covariance matrix, whatever the records are like."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.contracts.progress import Advance
from discreet.errors import DataError
from discreet.models.exact_moments import (
    exact_noise,
    put_exact_moments,
)
from discreet.models.mixture.student import put_exact_student

RELATIVE = 1e-9
KINDS = ("normal", "student")


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def exact_moments_within(
    values: np.ndarray,
    labels: np.ndarray,
    draws: np.random.Generator,
    advance: Advance | None = None,
) -> np.ndarray:
    synthetic = np.array(values, dtype=np.float64, order="F")
    put_exact_moments(synthetic, labels, draws, advance)
    return synthetic


def exact_moments(values: np.ndarray, draws: np.random.Generator) -> np.ndarray:
    return exact_moments_within(values, np.zeros(len(values), dtype=np.int64), draws)


def assert_same_moments(synthetic: np.ndarray, values: np.ndarray) -> None:
    """Means relative to the largest value, covariances to the product of the deviations."""
    largest = np.abs(values).max(axis=0)
    assert (np.abs(synthetic.mean(axis=0) - values.mean(axis=0)) <= RELATIVE * largest).all()
    # In one layout: the sum over a constant column is then rounded alike.
    before, after = (np.atleast_2d(np.cov(np.ascontiguousarray(v).T)) for v in (values, synthetic))
    deviations = np.sqrt(np.diag(before))
    assert (np.abs(after - before) <= RELATIVE * np.outer(deviations, deviations)).all()


def _tables() -> dict[str, np.ndarray]:
    draws = rng(7)
    plain = draws.normal(size=(40, 4))
    return {
        "plain": plain,
        "one column": plain[:, :1],
        "three records": plain[:3],
        "fewer records than columns": draws.normal(size=(5, 9)),
        "as many records as columns and one": draws.normal(size=(5, 4)),
        "whole numbers": draws.integers(0, 9, (30, 3)).astype(float),
        "binary": draws.integers(0, 2, (30, 3)).astype(float),
        "a constant column": np.column_stack([plain, np.full(40, 0.1)]),
        "constant throughout": np.full((6, 3), 0.1),
        "collinear columns": np.column_stack([plain, plain[:, 0] + 2 * plain[:, 1]]),
        "a huge outlier": np.vstack([plain, [1e9, -1e9, 0, 1e9]]),
        "columns of all scales": plain * [1e-130, 1.0, 1e6, 1e130],
        "every record twice": plain.repeat(2, axis=0),
    }


def _synthesised(values: np.ndarray, kind: str) -> np.ndarray:
    if kind == "normal":
        return exact_moments(values, rng())
    synthetic = np.array(values)
    put_exact_student(synthetic, np.zeros(len(values), int), rng(), lambda _: None, freedom=3.0)
    return synthetic


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", list(_tables()))
def test_mean_and_covariance_are_exact(what: str, kind: str) -> None:
    values = _tables()[what]
    synthetic = _synthesised(values, kind)
    assert_same_moments(synthetic, values)
    constant = np.ptp(values, axis=0) == 0
    assert (synthetic[:, constant] == values[:, constant]).all()
    assert (~np.isclose(synthetic[:, ~constant], values[:, ~constant])).any(axis=None) or (
        constant.all()
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", list(_tables()))
def test_a_group_of_many_blocks_keeps_its_moments(
    what: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.models.exact_moments.CELLS", 50)
    monkeypatch.setattr("discreet.models.exact_moments.BLOCK", 20)
    table = _tables()[what]
    values = np.concatenate([table, table[::-1] * 3, table + 1])
    synthetic = _synthesised(values, kind)
    assert_same_moments(synthetic, values)
    constant = np.ptp(values, axis=0) == 0
    assert (synthetic[:, constant] == values[:, constant]).all()
    assert not np.isclose(synthetic[:, ~constant], values[:, ~constant], rtol=1e-12).all()


def test_draws_in_blocks_have_the_same_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.models.exact_moments.CELLS", 10)
    monkeypatch.setattr("discreet.models.exact_moments.BLOCK", 6)
    values = np.arange(27.0).reshape(9, 3) ** 2
    many = np.array([exact_moments(values, rng(seed)) for seed in range(2000)])
    above = (many > values.mean(axis=0)).mean(axis=0)
    assert np.abs(above - 0.5).max() < 4 * 0.5 / np.sqrt(2000)
    error = many.std(axis=0) / np.sqrt(2000)
    assert (np.abs(many.mean(axis=0) - values.mean(axis=0)) < 4 * error).all()
    assert np.abs(many.var(axis=0) / values.var(axis=0) - 1).max() < 0.15


def test_synthesis_in_place_takes_memory_for_blocks_only() -> None:
    values = np.asfortranarray(rng(2).normal(size=(400_000, 10)))
    labels = np.arange(400_000) % 3
    tracemalloc.start()
    put_exact_moments(values, labels, rng())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The order of the records by group, and its making, are two numbers per record of ten.
    assert peak < 0.35 * values.nbytes


def test_what_comes_out_lies_in_the_span_of_the_records() -> None:
    values = _tables()["collinear columns"]
    synthetic = exact_moments(values, rng())
    assert np.allclose(synthetic[:, 4], synthetic[:, 0] + 2 * synthetic[:, 1], rtol=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_group_and_the_whole_keep_their_moments(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(3, 9), min_size=1, max_size=6))
    columns = data.draw(st.integers(1, 7))
    draws = rng(data.draw(st.integers(0, 10**6)))
    labels = draws.permutation(np.repeat(np.arange(len(sizes)), sizes))
    values = draws.normal(size=(len(labels), columns)).round(data.draw(st.integers(0, 3)))
    synthetic = exact_moments_within(values, labels, rng())
    for group in range(len(sizes)):
        part = labels == group
        spread = np.abs(values).max()
        assert np.allclose(synthetic[part].mean(0), values[part].mean(0), atol=1e-9 * spread)
        assert np.allclose(np.cov(synthetic[part].T), np.cov(values[part].T), atol=1e-9 * spread**2)
    assert np.allclose(np.cov(synthetic.T), np.cov(values.T), atol=1e-9 * np.abs(values).max() ** 2)


def test_no_record_and_no_sign_is_preferred() -> None:
    # A bare QR factorisation would put the first record below the mean every time.
    values = np.arange(15.0).reshape(5, 3) ** 2
    many = np.array([exact_moments(values, rng(seed)) for seed in range(2000)])
    above = (many > values.mean(axis=0)).mean(axis=0)
    assert np.abs(above - 0.5).max() < 4 * 0.5 / np.sqrt(2000)
    # Every record has the same distribution: its mean is the group's, its variance the group's.
    error = many.std(axis=0) / np.sqrt(2000)
    assert (np.abs(many.mean(axis=0) - values.mean(axis=0)) < 4 * error).all()
    spread = many.var(axis=0) / values.var(axis=0)
    assert np.abs(spread - 1).max() < 0.15


def test_two_records_are_refused_with_the_reason() -> None:
    with pytest.raises(DataError, match="at least 3 records, but one has 2, which would come back"):
        exact_moments(np.ones((2, 1)), rng())


def test_a_long_file_of_no_columns_is_left_alone() -> None:
    assert exact_moments(np.empty((300_000, 0)), rng()).shape == (300_000, 0)


def test_nothing_comes_from_nothing() -> None:
    empty = np.zeros((0, 3))
    assert exact_moments_within(empty, np.zeros(0, dtype=np.int64), rng()).shape == (0, 3)


def test_same_seed_same_values_and_labels_may_have_gaps() -> None:
    values = rng(3).normal(size=(9, 2))
    labels = np.array([5, 5, 5, 2, 2, 2, 5, 2, 2])
    one, other = (exact_moments_within(values, labels, rng(4)) for _ in range(2))
    assert np.array_equal(one, other)


def test_progress_adds_up_to_the_records() -> None:
    done: list[float] = []
    values = rng().normal(size=(50, 2))
    exact_moments_within(values, np.arange(50) // 7 % 6, rng(), done.append)
    assert sum(done) == 50


@pytest.mark.parametrize("what", ["plain", "collinear columns", "a constant column"])
def test_exact_noise_is_like_the_values_and_uncorrelated_with_them(what: str) -> None:
    values = _tables()[what]
    noise = exact_noise(values, rng())
    both = np.cov(values.T, noise.T)
    columns = values.shape[1]
    assert np.allclose(noise.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(both[columns:, columns:], np.cov(values.T), atol=1e-12)
    assert np.allclose(both[:columns, columns:], 0, atol=1e-12)


@pytest.mark.parametrize("what", ["plain", "collinear columns", "a constant column"])
def test_exact_noise_for_a_file_of_many_blocks(what: str) -> None:
    values = np.concatenate([_tables()[what] * (1 + i % 7) for i in range(400)])
    if what == "collinear columns":
        values[:, 4] = values[:, 0] + 2 * values[:, 1]
    noise = exact_noise(values, rng())
    both = np.cov(values.T, noise.T)
    columns, size = values.shape[1], np.abs(np.cov(values.T)).max()
    assert np.allclose(noise.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(both[columns:, columns:], np.cov(values.T), atol=1e-12 * size)
    assert np.allclose(both[:columns, columns:], 0, atol=1e-12 * size)
    assert np.abs(np.corrcoef(noise[:-1, 0], noise[1:, 0])[0, 1]) < 4 / np.sqrt(len(noise))


def test_exact_noise_is_the_same_with_any_number_of_threads() -> None:
    from threadpoolctl import threadpool_limits

    values, made = rng(5).normal(size=(50_000, 6)), []
    for threads in (1, 2):
        with threadpool_limits(threads):
            made.append(exact_noise(values, rng()).tobytes())
    assert made[0] == made[1]


def test_exact_noise_needs_room() -> None:
    with pytest.raises(DataError, match="3 columns needs at least 7 records, but the data have 6"):
        exact_noise(np.ones((6, 3)), rng())
