"""Post-masking optimisation: moments come back, and no risk rises."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import DataError, Microdata, PostMaskingOptimisation, UsageError
from discreet.contracts import Context, Masked, Pairing, Randomness
from discreet.contracts.registry import build, find

NAMES = ["x", "y", "z"]
MDAV = {"microaggregation": {"partition": {"mdav": {"k": 5}}}}


def table(rows: int = 250) -> Microdata:
    rng = np.random.default_rng(8)
    x = rng.gamma(3, 5, rows)
    columns = (x, 2 * x + rng.normal(0, 9, rows), rng.lognormal(1, 0.5, rows))
    return discreet.read(
        dict(zip(NAMES, columns, strict=True)), dict.fromkeys(NAMES, "quasi-identifier")
    )


def run(data: Microdata, seed: int = 1, **options: object) -> Masked:
    method = PostMaskingOptimisation(**{"method": MDAV, **options})
    masked: Masked = method.protect(data, Context(Randomness(seed)))
    return masked


def risk(name: str, data: Microdata, released: Microdata) -> float:
    measure: Any = build("measure", name)
    rows = Pairing.same_order(len(data))
    return float(measure.score(data, released, Context(Randomness(0)), rows).value)


@pytest.mark.parametrize("start", ["masked", "random"])
def test_means_and_covariances_come_back(start: str) -> None:
    data = table()
    before = data.matrix(NAMES)
    masked = run(data, start=start)
    after = masked.data.matrix(NAMES)
    assert after.mean(axis=0) == pytest.approx(before.mean(axis=0), rel=1e-9)
    assert np.cov(after.T) == pytest.approx(np.cov(before.T), rel=1e-8)
    assert not np.isclose(after, before).any(axis=1).all()


def test_higher_moments_come_back_on_request() -> None:
    data = table()
    z = (data.matrix(NAMES) - data.matrix(NAMES).mean(axis=0)) / data.matrix(NAMES).std(axis=0)
    after = run(data, order=3).data.matrix(NAMES)
    w = (after - data.matrix(NAMES).mean(axis=0)) / data.matrix(NAMES).std(axis=0)
    third = [np.einsum("ni,nj,nk->ijk", v, v, v) / len(v) for v in (z, w)]
    assert third[1] == pytest.approx(third[0], abs=1e-8)
    second = run(data).data.matrix(NAMES)
    w = (second - data.matrix(NAMES).mean(axis=0)) / data.matrix(NAMES).std(axis=0)
    assert not np.allclose(np.einsum("ni,nj,nk->ijk", w, w, w) / len(w), third[0], atol=1e-2)


def test_no_chosen_risk_rises() -> None:
    data = table()
    risks = ("distance-linkage", "interval-disclosure", "linked-or-second")
    method: Any = build("method", MDAV)
    for seed in range(3):
        context = Context(Randomness(seed))
        plain = method.protect(data, context.within("method")).data
        now = run(data, seed, risks=risks, steps=40)
        for name in risks:
            assert risk(name, data, now.data) <= risk(name, data, plain), name
    assert "moves were kept" in now.notes[-1]


def test_records_that_masking_made_equal_stay_equal() -> None:
    data = table()
    release = discreet.protect(data, PostMaskingOptimisation(method=MDAV), seed=1)
    assert [(c.measure, c.measured) for c in release.claims] == [("k-anonymity", 5)]


def test_a_claim_that_is_read_off_groups_is_not_made() -> None:
    assert run(table(), method="condensation").claims == ()


def test_the_score_falls_when_it_is_the_objective() -> None:
    data = table(80)
    now = run(data, objective="score", steps=30, risks=[])
    method: Any = build("method", MDAV)
    plain = method.protect(data, Context(Randomness(1)).within("method")).data
    score: Any = find("measure", "trade-off-score")()
    rows = Pairing.same_order(len(data))
    inner = Context(Randomness(1), path=("measure", "trade-off-score"))
    values = [score.score(data, table, inner, rows).value for table in (plain, now.data)]
    assert values[1] < values[0] - 0.5


def test_the_budget_is_kept() -> None:
    data = table()
    assert (run(data, steps=0).data.matrix(NAMES) == run(data, steps=0, seed=2).data.matrix(
        NAMES)).all()  # fmt: skip
    started = time.monotonic()
    run(data, objective="score", steps=100_000, seconds=0.3)
    assert time.monotonic() - started < 20


def test_missing_values_stay_and_complete_records_have_the_moments() -> None:
    data = table()
    x = data["x"].copy()
    x[::5] = np.nan
    data = data.replace([data.column("x").with_values(x)])
    masked = run(data, method={"additive-noise": {"alpha": 0.2}})
    whole = ~np.isnan(x)
    assert (np.isnan(masked.data["x"]) == ~whole).all()
    before, after = data.matrix(NAMES)[whole], masked.data.matrix(NAMES)[whole]
    assert np.cov(after.T) == pytest.approx(np.cov(before.T), rel=1e-8)


def test_wrong_use_is_explained() -> None:
    with pytest.raises(UsageError, match="measures of risk, but 'propensity' is not"):
        run(table(), risks=["propensity"])
    with pytest.raises(UsageError, match="groups that the method formed, but there are none"):
        run(table(), method="additive-noise", risks=["probabilistic-k-anonymity"])
    with pytest.raises(DataError, match="needs at least 2 records"):
        run(table().take(np.arange(1)), start="random")


def test_eia_gets_its_moments_back(data_files: Path) -> None:
    names = ["RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES", "TOTREVENUE", "TOTSALES"]
    data = discreet.read(data_files / "casc_eia.csv", dict.fromkeys(names, "quasi-identifier"))
    masked = run(data)
    before, after = (np.cov(t.matrix(names).T) for t in (data, masked.data))
    scale = np.sqrt(np.outer(np.diag(before), np.diag(before)))
    assert np.abs((after - before) / scale).max() < 1e-8
