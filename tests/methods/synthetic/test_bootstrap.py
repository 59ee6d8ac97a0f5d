"""The smoothed bootstrap: a sample of the smoothed distribution, and where records came from."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import Bootstrap, Microdata
from discreet.contracts import Context, Randomness
from discreet.methods.synthetic.bootstrap import silverman


def table(rows: int = 400) -> Microdata:
    rng = np.random.default_rng(4)
    x = rng.gamma(2, 5, rows)
    sex = rng.integers(0, 2, rows)
    return discreet.read(
        {"x": x, "y": 3 * x + rng.normal(0, 4, rows), "sex": [("f", "m")[i] for i in sex],
         "pay": x + 5 * sex},
        {"x": "quasi-identifier", "y": "quasi-identifier", "sex": "quasi-identifier",
         "pay": "confidential"},
    )  # fmt: skip


def test_means_and_covariances_stay_on_average() -> None:
    data = table()
    names = ["x", "y"]
    before = data.matrix(names)
    runs = []
    for seed in range(300):
        method = Bootstrap(bandwidth=0.5, columns=names)
        runs.append(method.protect(data, Context(Randomness(seed))).data.matrix(names))
    centre = before.mean(axis=0)
    about = np.array(runs) - centre
    for found, expected in (
        (np.array([r.mean(axis=0) for r in runs]), centre),
        (np.einsum("rni,rnj->rij", about, about) / len(before), np.cov(before.T, bias=True)),
    ):
        error = found.std(axis=0, ddof=1) / np.sqrt(len(runs))
        # The noise has the covariance matrix with n − 1 below it, by less than the error here.
        assert (np.abs(found.mean(axis=0) - expected) / error).max() < 4.5


def test_the_origin_is_the_drawn_record_and_other_columns_are_its_own() -> None:
    data = table()
    masked = Bootstrap(bandwidth=1e-9).protect(data, Context(Randomness(1)))
    assert masked.data["pay"] == pytest.approx(data["pay"][masked.origin], rel=0)
    assert masked.data["x"] == pytest.approx(data["x"][masked.origin], rel=1e-6)
    assert len(np.unique(masked.origin)) == pytest.approx(len(data) * (1 - np.exp(-1)), rel=0.1)


def test_categories_are_drawn_anew_as_often_as_the_bandwidth_says() -> None:
    data = table(20_000)
    masked = Bootstrap(bandwidth=0.4, columns=["sex"]).protect(data, Context(Randomness(1)))
    changed = masked.data["sex"] != data["sex"][masked.origin]
    # A new draw is the old category half of the time.
    assert changed.mean() == pytest.approx(0.2, abs=0.01)


def test_the_rule_is_silvermans() -> None:
    assert silverman(100, 1) == pytest.approx(1.0592 * 100**-0.2, rel=1e-3)
    note = Bootstrap(columns=["x", "y"]).protect(table(), Context()).notes[0]
    assert note == f"the bandwidth is {400 ** (-1 / 6):.3g} standard deviations"


def test_the_size_is_free() -> None:
    masked = Bootstrap(size=1001).protect(table(), Context(Randomness(1)))
    assert len(masked.data) == len(masked.origin) == 1001
    assert len(np.unique(masked.data["x"])) == 1001


def test_missing_values_are_drawn_with_their_record() -> None:
    data = table()
    x = data["x"].copy()
    x[::4] = np.nan
    masked = Bootstrap().protect(data.replace([data.column("x").with_values(x)]), Context())
    assert (np.isnan(masked.data["x"]) == np.isnan(x[masked.origin])).all()


def test_a_release_can_be_measured_by_its_origin() -> None:
    data = table()
    release = discreet.protect(data, Bootstrap(bandwidth=0.01), seed=1)
    found = discreet.assess(data, release, ["distance-linkage"]).risk["distance-linkage"]
    assert found.value > 0.5, "little smoothing hides little"


def test_days_beside_microseconds_are_smoothed_by_their_own_spread() -> None:
    """Their variances differ by 10¹⁷: of one matrix, the small one was left to rounding errors."""
    rng = np.random.default_rng(1)
    days, moments = rng.uniform(0, 18_000, 400), 1.6e15 + rng.uniform(0, 1e13, 400)
    data = discreet.read(
        {"born": days, "seen": moments, "pay": rng.lognormal(7, 0.5, 400)},
        roles=dict.fromkeys(("born", "seen", "pay"), "quasi-identifier"),
    )
    for seed in range(3):
        made = Bootstrap(bandwidth=1.0).protect(data, Context(Randomness(seed))).data
        for name in ("born", "seen", "pay"):
            assert made[name].std() / data[name].std() == pytest.approx(1, abs=0.2), name
