"""IPSO: what each of its three methods keeps, and what it does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, Ipso, Microdata, UsageError
from discreet.contracts import Context, Masked, Randomness

Numbers = np.ndarray


def table(rows: int = 120, seed: int = 3) -> Microdata:
    rng = np.random.default_rng(seed)
    pay = rng.lognormal(10, 0.6, rows)
    debt = rng.normal(0, 5e4, rows)
    columns = {
        "age": 30 + 4e-4 * pay + rng.normal(0, 6, rows),
        "rent": 0.2 * pay - 0.01 * debt + rng.normal(0, 900, rows),
        "rooms": rng.integers(1, 9, rows).astype(float),
        "pay": pay,
        "debt": debt,
        "ill": [("a", "b", "c")[i] for i in rng.integers(0, 3, rows)],
    }
    roles = dict.fromkeys(("age", "rent", "rooms"), "quasi-identifier")
    return discreet.read(
        columns, {**roles, **dict.fromkeys(("pay", "debt", "ill"), "confidential")}
    )


def design(data: Microdata) -> Numbers:
    """The model as a user would write it: a constant, numbers, and two indicators."""
    ill = data["ill"]
    columns = [np.ones(len(data)), data["pay"], data["debt"], ill == 1, ill == 2]
    return np.column_stack([np.asarray(c, dtype=float) for c in columns])


def refitted(
    data: Microdata, names: tuple[str, ...] = ("age", "rent", "rooms")
) -> tuple[np.ndarray, np.ndarray]:
    x, y = design(data), data.matrix(names)
    scale = np.abs(x).max(axis=0)
    coefficients = np.linalg.lstsq(x / scale, y, rcond=None)[0] / scale[:, None]
    rest = y - x @ coefficients
    return coefficients, rest.T @ rest / (len(x) - x.shape[1])


def made(data: Microdata, variant: str, seed: int = 1) -> Microdata:
    masked: Masked = Ipso(variant=variant).protect(data, Context(Randomness(seed)))
    return masked.data


@pytest.mark.parametrize("seed", range(4))
def test_method_c_keeps_coefficients_and_covariance_exactly(seed: int) -> None:
    data = table(seed=seed)
    released = made(data, "C", seed)
    for found, expected in zip(refitted(released), refitted(data), strict=True):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())
    for name in data.quasi_identifiers:
        assert not np.isclose(released[name], data[name], rtol=1e-9).any()


def test_method_b_keeps_coefficients_and_not_the_covariance() -> None:
    data = table()
    (found, sigma), (expected, before) = refitted(made(data, "B")), refitted(data)
    assert found == pytest.approx(expected, rel=1e-9)
    assert not np.allclose(sigma, before, rtol=1e-2)


def test_method_a_keeps_both_on_average_only() -> None:
    data = table()
    expected, before = refitted(data)
    runs = [refitted(made(data, "A", seed)) for seed in range(200)]
    for found, wanted in (
        (np.array([r[0] for r in runs]), expected),
        (np.array([r[1] for r in runs]), before),
    ):
        assert not np.allclose(found[0], wanted, rtol=1e-3)
        error = found.std(axis=0, ddof=1) / np.sqrt(len(runs))
        assert (np.abs(found.mean(axis=0) - wanted) / error).max() < 4.5


def test_the_confidential_columns_are_released_as_they_are() -> None:
    data = table()
    released = made(data, "C")
    assert all(released.column(n).same_as(data.column(n)) for n in ("pay", "debt", "ill"))


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(1, 4), st.integers(0, 3), st.integers(0, 30),
    st.sampled_from([1e-6, 1.0, 1e9]),
)  # fmt: skip
def test_c_is_exact_for_any_shape(seed: int, y: int, x: int, more: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    rows = x + y + 2 + more
    values = rng.normal(3, 1, (rows, y + x)) * unit
    values[:, -1] = values[:, 0] * 2 if x and seed % 3 == 0 else values[:, -1]
    names = [f"y{i}" for i in range(y)] + [f"x{i}" for i in range(x)]
    roles = {n: "quasi-identifier" if n[0] == "y" else "confidential" for n in names}
    data = discreet.read(dict(zip(names, values.T, strict=True)), roles)
    released = made(data, "C", seed)
    terms = np.column_stack([np.ones(rows), released.matrix(names[y:]) / unit])
    u, s, _ = np.linalg.svd(terms, full_matrices=False)
    q = u[:, s > 1e-9 * s.max()]
    before, after = (t.matrix(names[:y]) / unit for t in (data, released))
    # Same projections on X, same cross products of what is left: B and Σ agree.
    assert q.T @ after == pytest.approx(q.T @ before, abs=1e-8)
    left = [v - q @ (q.T @ v) for v in (before, after)]
    assert left[1].T @ left[1] == pytest.approx(left[0].T @ left[0], abs=1e-8)


def test_missing_values_stay_and_exactness_is_that_of_complete_records() -> None:
    data = table()
    age, pay = data["age"].copy(), data["pay"].copy()
    age[::7], pay[3::11] = np.nan, np.nan
    data = data.replace([data.column("age").with_values(age), data.column("pay").with_values(pay)])
    released = made(data, "C")
    assert (released.column("age").missing == np.isnan(age)).all()
    assert not np.isclose(released["rent"], data["rent"]).any(), "incomplete records change too"
    complete = np.flatnonzero(~np.isnan(age) & ~np.isnan(pay))
    gaps = np.isnan(pay)[~np.isnan(age)]
    terms = np.column_stack([np.ones(len(gaps)), gaps])
    kept = np.flatnonzero(~np.isnan(age))
    before, after = (terms.T @ t.matrix(["rent"])[kept] for t in (data, released))
    assert after == pytest.approx(before, rel=1e-9)
    assert len(complete) < len(kept)


def test_without_confidential_columns_means_and_covariances_are_kept() -> None:
    data = table().drop(["pay", "debt", "ill"])
    masked = Ipso().protect(data, Context())
    names = list(data.quasi_identifiers)
    assert np.cov(masked.data.matrix(names).T) == pytest.approx(np.cov(data.matrix(names).T))
    assert "no column to regress on" in masked.notes[-1]


def test_a_column_that_is_explained_completely_is_told() -> None:
    data = table()
    copy = data.column("age").with_values(2 * data["pay"])
    masked = Ipso().protect(data.replace([copy]), Context())
    assert "100.0 % of 'age' is explained" in masked.notes[0]


def test_wrong_use_is_explained() -> None:
    data = table()
    with pytest.raises(UsageError, match="'age' is in both lists"):
        Ipso(given=["age"]).protect(data, Context())
    with pytest.raises(UsageError, match="Ipso names column 'pays', which is not in the data"):
        Ipso(given=["pays"]).protect(data, Context())
    with pytest.raises(DataError, match=r"at least \d records .* but the data have 5"):
        Ipso().protect(data.take(np.arange(5)), Context())


def test_tarragona_by_method_c(data_files: Path) -> None:
    data = discreet.read(data_files / "casc_tarragona.csv")
    names = list(data.schema.names)
    roles = dict.fromkeys(names[:6], "quasi-identifier") | dict.fromkeys(names[6:], "confidential")
    data = discreet.read(data_files / "casc_tarragona.csv", roles)
    released = Ipso().protect(data, Context(Randomness(1))).data
    before, after = (np.cov(t.matrix(names).T) for t in (data, released))
    # With coefficients, residual covariance and X itself, all means and covariances are kept.
    scale = np.sqrt(np.outer(np.diag(before), np.diag(before)))
    assert np.abs((after - before) / scale).max() < 1e-9
