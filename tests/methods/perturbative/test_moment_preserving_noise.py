"""Noise of eq. 10: means and covariances on average, or to the last digit."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import DataError, Microdata, MomentPreservingNoise
from discreet.contracts import Context, Method, Randomness

NAMES = ("x", "y", "z")
SEEDS = 300


def table(rows: int = 80) -> Microdata:
    rng = np.random.default_rng(3)
    x = rng.normal(40, 9, rows)
    columns = (x, 2 * x + rng.normal(0, 8, rows), rng.lognormal(1, 0.7, rows))
    return discreet.read(
        dict(zip(NAMES, columns, strict=True)), dict.fromkeys(NAMES, "quasi-identifier")
    )


def released(data: Microdata, method: Method, seed: int) -> np.ndarray:
    return np.asarray(method.protect(data, Context(Randomness(seed))).data.matrix(NAMES))


def test_on_average_means_and_covariances_stay() -> None:
    data = table()
    original = data.matrix(NAMES)
    method = MomentPreservingNoise()
    assert method.c == 0.15
    runs = [released(data, method, seed) for seed in range(SEEDS)]
    for found, expected in (
        (np.array([r.mean(axis=0) for r in runs]), original.mean(axis=0)),
        (np.array([np.cov(r.T) for r in runs]), np.cov(original.T)),
    ):
        error = found.std(axis=0, ddof=1) / math.sqrt(SEEDS)
        assert (np.abs(found.mean(axis=0) - expected) / error).max() < 4.5
        assert not np.allclose(found[0], expected, rtol=1e-3), "one run alone is not exact"


@pytest.mark.parametrize("c", [0.15, 2.0])
def test_exactly_they_stay_in_every_run(c: float) -> None:
    data = table()
    original = data.matrix(NAMES)
    for seed in range(5):
        now = released(data, MomentPreservingNoise(c=c, exact=True), seed)
        assert now.mean(axis=0) == pytest.approx(original.mean(axis=0), rel=1e-12)
        assert np.cov(now.T) == pytest.approx(np.cov(original.T), rel=1e-10)
        assert np.abs(now - original).min() > 0


@pytest.mark.parametrize("exact", [False, True])
def test_c_is_the_share_of_the_variance_that_its_help_says(exact: bool) -> None:
    assert "0.15 is noise with 0.39 of the standard deviation" in (
        MomentPreservingNoise.params()["c"].help
    )
    data = table(40_000)
    original = data.matrix(NAMES)
    now = released(data, MomentPreservingNoise(exact=exact), 1)
    centre = original.mean(axis=0)
    added = (now - centre) * math.sqrt(1.15) - (original - centre)
    assert added.std(axis=0) / original.std(axis=0) == pytest.approx([0.387] * 3, rel=0.02)


def test_thyroid_keeps_its_moments(data_files: Path) -> None:
    names = ["age", "TSH", "T3", "T4U", "FTI"]
    data = discreet.read(
        data_files / "thyroid_complete_1947.csv", dict.fromkeys(names, "quasi-identifier")
    )
    method = MomentPreservingNoise(exact=True, columns=names)
    now = method.protect(data, Context(Randomness(1))).data.matrix(names)
    assert np.cov(now.T) == pytest.approx(np.cov(data.matrix(names).T), rel=1e-9)


def test_missing_values_stay_or_are_refused_with_exact() -> None:
    data = discreet.read({"x": [1.0, None, 3.0, 8.0]}, {"x": "quasi-identifier"})
    masked = MomentPreservingNoise().protect(data, Context(Randomness(1))).data
    assert masked.column("x").missing.tolist() == [False, True, False, False]
    with pytest.raises(DataError, match="complete columns, but values are missing in column 'x'"):
        MomentPreservingNoise(exact=True).protect(data, Context())


def test_too_few_records_for_exact_are_refused() -> None:
    with pytest.raises(DataError, match="exact noise for 3 columns needs at least 7 records"):
        MomentPreservingNoise(exact=True).protect(table(6), Context())


def test_it_speaks_of_itself() -> None:
    data = discreet.read({"town": ["a", "b"]}, roles={"town": "quasi-identifier"})
    with pytest.raises(DataError, match=r"^MomentPreservingNoise treats continuous columns"):
        MomentPreservingNoise().protect(data, Context())


def test_c_is_published_only_on_request() -> None:
    name = "moment-preserving-noise"
    assert "c" not in MomentPreservingNoise().recipe(public=True)[name]
    assert MomentPreservingNoise(reveal=True).recipe(public=True)[name]["c"] == 0.15


def test_whole_numbers_are_rounded_on_request() -> None:
    data = discreet.read({"x": list(range(30))}, {"x": "quasi-identifier"})
    for exact in (False, True):
        method = MomentPreservingNoise(round=True, exact=exact)
        now = method.protect(data, Context(Randomness(2))).data["x"]
        assert now.tolist() == np.rint(now).tolist()
