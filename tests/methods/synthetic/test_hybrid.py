"""Hybrid masking: nothing protected at one end, synthetic values at the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, Hybrid, Microdata, UsageError
from discreet.contracts import Context, Randomness
from discreet.contracts.registry import build

NAMES = ["x", "y"]


def table(rows: int = 80) -> Microdata:
    rng = np.random.default_rng(6)
    x = rng.gamma(2, 5, rows)
    return discreet.read(
        {"x": x, "y": x * rng.lognormal(0, 0.3, rows), "z": x + rng.normal(0, 1, rows)},
        {"x": "quasi-identifier", "y": "quasi-identifier", "z": "confidential"},
    )


def released(data: Microdata, **options: object) -> np.ndarray:
    return np.asarray(Hybrid(**options).protect(data, Context(Randomness(1))).data.matrix(NAMES))


def partners(data: Microdata, source: str = "latin-hypercube") -> np.ndarray:
    """The nearest synthetic record of each, the slow way."""
    method: Any = build("method", source)
    made = method.protect(data, Context(Randomness(1)).within("synthetic")).data.matrix(NAMES)
    spread = data.matrix(NAMES).std(axis=0)
    apart = (data.matrix(NAMES)[:, None, :] - made[None]) / spread
    return np.asarray(made[(apart**2).sum(axis=2).argmin(axis=1)])


@pytest.mark.parametrize("combination", ["additive", "multiplicative"])
def test_the_ends_are_exact(combination: str) -> None:
    data = table()
    assert (released(data, alpha=1, combination=combination) == data.matrix(NAMES)).all()
    assert (released(data, alpha=0, combination=combination) == partners(data)).all()


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 1))
def test_the_formulas(alpha: float) -> None:
    data = table()
    x, synthetic = data.matrix(NAMES), partners(data)
    assert released(data, alpha=alpha) == pytest.approx(alpha * x + (1 - alpha) * synthetic)
    found = released(data, alpha=alpha, combination="multiplicative")
    logs = alpha * np.log(x) + (1 - alpha) * np.log(synthetic)
    assert found == pytest.approx(np.exp(logs))


def test_any_synthetic_method_is_a_source_also_with_other_rows() -> None:
    data = table()
    found = released(data, alpha=0, synthetic={"bootstrap": {"size": 30, "bandwidth": 0.3}})
    assert len(found) == len(data)
    assert len(np.unique(found, axis=0)) <= 30
    masked = Hybrid(synthetic="sequential-regression").protect(data, Context(Randomness(2)))
    assert "synthetic records are mixed into the release" in masked.notes[0]
    assert masked.origin is None


def test_each_record_can_be_mixed_with_the_values_made_for_it() -> None:
    data = table()
    source: Any = build("method", "ipso")
    context = Context(Randomness(1)).within("synthetic")
    made = source.protect(data, context).data.matrix(NAMES)
    found = released(data, alpha=0.25, synthetic="ipso", pairing="own")
    assert found == pytest.approx(0.25 * data.matrix(NAMES) + 0.75 * made, rel=1e-12)
    with pytest.raises(UsageError, match="bootstrap makes other records"):
        released(data, synthetic="bootstrap", pairing="own")


def test_linkage_falls_with_alpha() -> None:
    data = table(300)

    def linked(alpha: float) -> float:
        release = discreet.protect(data, Hybrid(alpha=alpha), seed=1)
        assessed = discreet.assess(data, release, ["distance-linkage"])
        return float(assessed.risk["distance-linkage"].value)

    assert linked(1) == 1
    assert linked(0.75) > linked(0.25) > linked(0) > 1 / 300


def test_missing_values_stay() -> None:
    data = table()
    x = data["x"].copy()
    x[::3] = np.nan
    made = released(data.replace([data.column("x").with_values(x)]))
    assert (np.isnan(made[:, 0]) == np.isnan(x)).all()
    assert not np.isnan(made[:, 1]).any()


@pytest.mark.parametrize("combination", ["additive", "multiplicative"])
def test_alpha_1_is_the_original_also_where_the_synthetic_value_is_missing(
    combination: str,
) -> None:
    data = table()
    x = data["x"].copy()
    x[::3], x[1] = np.nan, 1e6  # the nearest to a number so far out is a missing one
    data = data.replace([data.column("x").with_values(x)])
    synthetic = {"cart-synthesis": {"everything": True, "records": 20}}
    made = released(data, alpha=1, combination=combination, synthetic=synthetic)
    assert np.array_equal(made, data.matrix(["x", "y"]), equal_nan=True)


def test_what_cannot_be_mixed_is_refused() -> None:
    data = table()
    less = data.replace([data.column("x").with_values(data["x"] - 20)])
    with pytest.raises(DataError, match="'x' the original values are; use the additive"):
        released(less, combination="multiplicative")
    with pytest.raises(DataError, match="'y', but latin-hypercube leaves it as it is"):
        released(data, synthetic={"latin-hypercube": {"columns": ["x"]}})
