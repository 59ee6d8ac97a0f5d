"""Additive noise: what theory says of its moments, over many seeds."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import AdditiveNoise, DataError, Microdata, UsageError
from discreet.contracts import Context, Randomness

ALPHA = 0.4
SEEDS = 400


def correlated_columns(rows: int = 60) -> Microdata:
    rng = np.random.default_rng(11)
    x = rng.normal(50, 10, rows)
    y = 3 * x + rng.normal(0, 12, rows)
    z = rng.lognormal(2, 0.5, rows) - 0.05 * x
    names = ("x", "y", "z")
    return discreet.read(
        dict(zip(names, (x, y, z), strict=True)), dict.fromkeys(names, "quasi-identifier")
    )


def noised(data: Microdata, method: Any, seed: int) -> np.ndarray:
    masked = method.protect(data, Context(Randomness(seed))).data
    return np.asarray(masked.matrix(["x", "y", "z"]))


def expected_covariance(sigma: np.ndarray, variant: str) -> np.ndarray:
    """What theory says of the release's covariance matrix."""
    if variant == "linear":
        return sigma
    return sigma + ALPHA * (sigma if variant == "correlated" else np.diag(np.diag(sigma)))


@pytest.mark.parametrize("variant", ["correlated", "uncorrelated", "linear"])
def test_means_and_covariances_are_those_of_theory(variant: str) -> None:
    data = correlated_columns()
    original = data.matrix(["x", "y", "z"])
    sigma = np.cov(original, rowvar=False)
    method = AdditiveNoise(alpha=ALPHA, variant=variant)
    means, covariances = [], []
    for seed in range(SEEDS):
        released = noised(data, method, seed)
        means.append(released.mean(axis=0))
        covariances.append(np.cov(released, rowvar=False))
    for found, expected in (
        (np.array(means), original.mean(axis=0)),
        (np.array(covariances), expected_covariance(sigma, variant)),
    ):
        error = found.std(axis=0, ddof=1) / math.sqrt(SEEDS)
        deviations = np.abs(found.mean(axis=0) - expected) / error
        assert deviations.max() < 4.5, f"{deviations.max():.1f} standard errors from theory"
    # The test can tell the variants apart: the wrong ones are many standard errors away.
    error = np.array(covariances).std(axis=0, ddof=1) / math.sqrt(SEEDS)
    for other in {"correlated", "uncorrelated", "linear"} - {variant}:
        away = np.abs(np.mean(covariances, axis=0) - expected_covariance(sigma, other)) / error
        assert away.max() > 10


@pytest.mark.parametrize("variant", ["correlated", "uncorrelated", "linear"])
@pytest.mark.parametrize("alpha", [0.1, 0.4])
def test_alpha_is_the_share_of_the_variance_that_its_help_says(variant: str, alpha: float) -> None:
    help_ = AdditiveNoise.params()["alpha"].help
    assert "0.1 adds a tenth of the variance, so noise with 0.32 of the standard deviation" in help_
    data = correlated_columns(40_000)
    released = noised(data, AdditiveNoise(alpha=alpha, variant=variant), 2)
    original = data.matrix(["x", "y", "z"])
    centre = original.mean(axis=0)
    if variant == "linear":
        released = centre + (released - centre) * math.sqrt(1 + alpha)
    added = (released - original).std(axis=0) / original.std(axis=0)
    assert added == pytest.approx([math.sqrt(alpha)] * 3, rel=0.02)


def test_who_knows_alpha_is_a_choice_with_the_linear_variant() -> None:
    hidden = AdditiveNoise(alpha=0.3, variant="linear")
    told = AdditiveNoise(alpha=0.3, variant="linear", reveal=True)
    assert "alpha" not in hidden.recipe(public=True)["additive-noise"]
    assert hidden.recipe()["additive-noise"]["alpha"] == 0.3
    assert told.recipe(public=True)["additive-noise"]["alpha"] == 0.3
    assert AdditiveNoise(alpha=0.3).recipe(public=True)["additive-noise"]["alpha"] == 0.3
    data = correlated_columns()
    factor = f"{1 / math.sqrt(1.3):.6f}"
    for method, words in ((hidden, "not revealed"), (told, "is revealed")):
        [note] = method.protect(data, Context(Randomness(1))).notes
        assert words in note
        assert factor in note


def test_what_is_published_does_not_give_alpha_away(tmp_path: Path) -> None:
    data = correlated_columns()
    for reveal in (False, True):
        method = AdditiveNoise(alpha=0.3217, variant="linear", reveal=reveal)
        folder = tmp_path / str(reveal)
        discreet.protect(data, method, seed=1).write(folder)
        public = [p for p in folder.iterdir() if p.name in ("manifest.json", "report-public.html")]
        assert len(public) == 2
        for path in public:
            assert ("0.3217" in path.read_text(encoding="utf-8")) == reveal


def test_the_noise_is_normal() -> None:
    from scipy.stats import kstest

    data = correlated_columns(4000)
    noise = noised(data, AdditiveNoise(alpha=ALPHA), 5)[:, 0] - data["x"]
    scale = math.sqrt(ALPHA) * data["x"].std(ddof=1)
    assert kstest(noise / scale, "norm").pvalue > 1e-4


def test_correlations_are_kept_by_correlated_noise_alone() -> None:
    data = correlated_columns(5000)
    before = np.corrcoef(data["x"], data["y"])[0, 1]
    kept = np.corrcoef(noised(data, AdditiveNoise(alpha=1), 3), rowvar=False)[0, 1]
    lost = np.corrcoef(
        noised(data, AdditiveNoise(alpha=1, variant="uncorrelated"), 3), rowvar=False
    )[0, 1]
    assert kept == pytest.approx(before, abs=0.03)
    assert lost == pytest.approx(before / 2, abs=0.03)


def test_missing_stays_missing_and_nothing_else_becomes_it() -> None:
    x = [1.0, None, 3.0, 4.0, None, 9.0]
    y = [None, 2.0, 3.0, 5.0, None, 1.0]
    data = discreet.read({"x": x, "y": y}, dict.fromkeys("xy", "quasi-identifier"))
    masked = AdditiveNoise(alpha=0.5).protect(data, Context(Randomness(1))).data
    for name, values in (("x", x), ("y", y)):
        assert masked.column(name).missing.tolist() == [v is None for v in values]
        present = ~masked.column(name).missing
        assert (masked[name][present] != data[name][present]).all()


def test_rounding_is_for_whole_columns_only() -> None:
    data = discreet.read(
        {"x": [10, 20, 30, None, 90], "y": [1.5, 2.0, 3.0, 4.0, 5.0]},
        dict.fromkeys("xy", "quasi-identifier"),
    )
    masked = AdditiveNoise(alpha=0.5, round=True).protect(data, Context(Randomness(1))).data
    x, y = masked["x"][~masked.column("x").missing], masked["y"]
    assert (x == np.rint(x)).all()
    assert (y != np.rint(y)).any()
    plain = AdditiveNoise(alpha=0.5).protect(data, Context(Randomness(1))).data
    assert x.tolist() == np.rint(plain["x"][~plain.column("x").missing]).tolist()
    release = discreet.protect(data, AdditiveNoise(alpha=0.5, round=True), seed=1)
    assert str(release.frame().schema.field("x").type) == "int64"


@pytest.mark.parametrize("alpha", [1e-6, 0.1, 5.0])
def test_alpha_scales_the_same_draws(alpha: float) -> None:
    data = correlated_columns()
    one = noised(data, AdditiveNoise(alpha=1.0), 9) - data.matrix(["x", "y", "z"])
    scaled = noised(data, AdditiveNoise(alpha=alpha), 9) - data.matrix(["x", "y", "z"])
    assert scaled == pytest.approx(math.sqrt(alpha) * one, rel=1e-6, abs=1e-6)


def test_only_the_named_columns_are_treated() -> None:
    data = correlated_columns()
    masked = AdditiveNoise(columns=["y"]).protect(data, Context(Randomness(1))).data
    assert masked.column("x").same_as(data.column("x"))
    assert not masked.column("y").same_as(data.column("y"))


def test_a_constant_column_stays() -> None:
    data = discreet.read({"x": [5.0] * 6}, {"x": "quasi-identifier"})
    assert AdditiveNoise().protect(data, Context()).data["x"].tolist() == [5.0] * 6


def test_no_claim_is_made() -> None:
    assert AdditiveNoise().protect(correlated_columns(), Context()).claims == ()


@pytest.mark.parametrize("variant", ["correlated", "uncorrelated", "linear"])
def test_an_infinite_value_is_refused_with_the_row_that_has_it(variant: str) -> None:
    values = np.arange(70_000.0)
    values[66_000] = -np.inf
    data = discreet.read({"x": values}, roles={"x": "other"})
    with pytest.raises(DataError, match="column 'x' is infinite in row 66001;"):
        discreet.protect(data, AdditiveNoise(columns=["x"], variant=variant))


def test_columns_that_cannot_be_treated_are_refused() -> None:
    data = discreet.read(
        {"x": [1.0, 2.0], "t": ["a", "b"]}, dict.fromkeys("xt", "quasi-identifier")
    )
    with pytest.raises(
        DataError, match=r"AdditiveNoise treats continuous columns, but 't' is nominal"
    ):
        AdditiveNoise().protect(data, Context())
    with pytest.raises(
        UsageError, match="AdditiveNoise names column 'z', which is not in the data"
    ):
        AdditiveNoise(columns=["z"]).protect(data, Context())
    with pytest.raises(UsageError, match="AdditiveNoise has no column to treat"):
        AdditiveNoise().protect(discreet.read({"x": [1.0]}), Context())
    with pytest.raises(UsageError, match="AdditiveNoise has no column to treat"):
        AdditiveNoise(columns=[]).protect(data, Context())


@pytest.mark.parametrize("variant", ["correlated", "linear"])
def test_units_far_apart_keep_the_noise_of_each_column(variant: str) -> None:
    # Days and persons beside microseconds: such variances differ by more than a double tells apart.
    rng = np.random.default_rng(4)
    together = rng.normal(size=(4000, 1)) + rng.normal(size=(4000, 3))
    columns = dict(zip("abc", (together * [3e3, 3e14, 5.0]).T, strict=True))
    released = discreet.protect(
        columns,
        AdditiveNoise(columns=list(columns), variant=variant, alpha=0.1),
        roles=dict.fromkeys(columns, "quasi-identifier"),
        seed=2,
    ).data
    expected = 1.1 if variant == "correlated" else 1.0
    for name, original in columns.items():
        assert released[name].var() / original.var() == pytest.approx(expected, abs=0.04)
