"""Noise: how much there is, what it preserves, and what is published about it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet import (
    AdditiveNoise,
    DataError,
    Microdata,
    MomentPreservingNoise,
    MultivariateTopCoding,
    NonlinearNoise,
    RandomOrthogonalMasking,
    Resampling,
)
from tests.methods.help_checks import holds, numbers, quasi, released

NAMES = ("x", "y", "z")


def added_share(original: Microdata, now: Microdata, factor: float = 1.0) -> list[float]:
    """Return the standard deviation of what was added, in units of those of the columns."""
    before = original.matrix(NAMES)
    centre = before.mean(axis=0)
    added = (now.matrix(NAMES) - centre) * factor - (before - centre)
    return list(added.std(axis=0) / before.std(axis=0))


@holds("additive-noise.alpha", "in all variants: 0.1 adds a tenth of the variance, so noise with")
def _() -> None:
    data = numbers()
    for variant in ("correlated", "uncorrelated", "linear"):
        for alpha, deviation in ((0.1, 0.3162), (0.5, 0.7071)):
            now = released(data, AdditiveNoise(alpha=alpha, variant=variant))
            factor = math.sqrt(1 + alpha) if variant == "linear" else 1.0
            shares = added_share(data, now, factor)
            assert shares == pytest.approx([deviation] * 3, rel=0.02), variant


@holds("additive-noise.variant", "linear keeps correlations and variances in expectation")
def _() -> None:
    data = numbers()
    before = np.cov(data.matrix(NAMES).T)
    tie = before[0, 1] / math.sqrt(before[0, 0] * before[1, 1])
    expected = {"correlated": (2.0, tie), "uncorrelated": (2.0, tie / 2), "linear": (1.0, tie)}
    for variant, (spread, correlation) in expected.items():
        now = np.cov(released(data, AdditiveNoise(alpha=1, variant=variant)).matrix(NAMES).T)
        assert np.diag(now) / np.diag(before) == pytest.approx([spread] * 3, rel=0.04), variant
        measured = now[0, 1] / math.sqrt(now[0, 0] * now[1, 1])
        assert measured == pytest.approx(correlation, abs=0.02), variant


@holds("additive-noise.reveal", "where the variant is linear")
def _() -> None:
    for variant in ("correlated", "uncorrelated", "linear"):
        for reveal in (False, True):
            method = AdditiveNoise(variant=variant, reveal=reveal)
            revealed = "alpha" in method.recipe(public=True)["additive-noise"]
            assert revealed == (reveal or variant != "linear")
            assert "alpha" in method.recipe()["additive-noise"], "the private plan has it always"


def moved_by_stated(method: type[AdditiveNoise | MomentPreservingNoise], share: str) -> None:
    """Noise follows the covariances that are stated, a hundred times those of the file."""
    data = numbers()
    sigma, factor = 100 * np.cov(data.matrix(NAMES).T), math.sqrt(1.2)
    stated = {a: {b: float(sigma[i, j]) for j, b in enumerate(NAMES)} for i, a in enumerate(NAMES)}
    linear = {"variant": "linear"} if method is AdditiveNoise else {}
    for mean in (0.0, 50.0):
        means = dict.fromkeys(NAMES, mean)
        now = released(data, method(**{share: 0.2}, **linear, covariances=stated, means=means))
        added = (now.matrix(NAMES) - mean) * factor - (data.matrix(NAMES) - mean)
        assert added.std(axis=0) / data.matrix(NAMES).std(axis=0) == pytest.approx(
            [10 * math.sqrt(0.2)] * 3, rel=0.04
        )
        assert added.mean(axis=0) / added.std(axis=0) == pytest.approx([0.0] * 3, abs=0.05)


for _parameter in ("covariances", "means"):

    @holds(f"additive-noise.{_parameter}", "in place of those of the file")
    def _() -> None:
        moved_by_stated(AdditiveNoise, "alpha")

    @holds(f"moment-preserving-noise.{_parameter}", "in place of those of the file")
    def _() -> None:
        moved_by_stated(MomentPreservingNoise, "c")


def whole_and_not(method: type[AdditiveNoise | MomentPreservingNoise]) -> None:
    data = quasi({"whole": np.arange(200.0), "broken": np.arange(200.0) + 0.25})
    plain, rounded = (released(data, method(round=r)) for r in (False, True))
    assert (rounded["whole"] == np.rint(rounded["whole"])).all()
    assert (plain["whole"] != np.rint(plain["whole"])).all()
    assert (rounded["broken"] != np.rint(rounded["broken"])).any()
    assert np.abs(rounded["whole"] - plain["whole"]).max() <= 0.5


@holds("additive-noise.round", "of columns that hold whole numbers only")
def _() -> None:
    whole_and_not(AdditiveNoise)


@holds("moment-preserving-noise.round", "of columns that hold whole numbers only")
def _() -> None:
    whole_and_not(MomentPreservingNoise)


@holds("random-orthogonal-masking.share", "0.36 leaves a correlation of 0.8 with it, 1 none")
def _() -> None:
    data = numbers(2000)
    for share, left in ((0.36, 0.8), (1.0, 0.0)):
        now = released(data, RandomOrthogonalMasking(share=share))
        for name in NAMES:
            assert np.corrcoef(now[name], data[name])[0, 1] == pytest.approx(left, abs=1e-9)


@holds("random-orthogonal-masking.round", "moments are then exact up to rounding")
def _() -> None:
    rng = np.random.default_rng(8)
    data = quasi({"whole": rng.normal(0, 99, 500).round(), "not": rng.normal(size=500)})
    for rounded in (False, True):
        now = released(data, RandomOrthogonalMasking(round=rounded))
        assert (now["whole"] == np.rint(now["whole"])).all() == rounded
        assert now["whole"].var() == pytest.approx(data["whole"].var(), rel=1e-2)


@holds("multivariate-top-coding.alpha", "0.05 draws in one in twenty, and more where columns have")
def _() -> None:
    rng = np.random.default_rng(8)
    normal = rng.normal(size=(20_000, 2)) @ np.array([[1.0, 0.7], [0.0, 0.7]])
    heavy = rng.standard_t(3, size=(20_000, 2))
    for alpha in (0.05, 0.3):
        moved = []
        for values in (normal, heavy):
            data = quasi({"x": values[:, 0], "y": values[:, 1]})
            now = released(data, MultivariateTopCoding(alpha=alpha))
            moved.append(np.mean(now["x"] != data["x"]))
        assert moved[0] == pytest.approx(alpha, abs=0.01)
        assert moved[1] > alpha


@holds("multivariate-top-coding.round", "of columns that hold whole numbers only")
def _() -> None:
    rng = np.random.default_rng(8)
    data = quasi({"whole": rng.normal(0, 99, 500).round(), "not": rng.normal(size=500)})
    for rounded in (False, True):
        now = released(data, MultivariateTopCoding(alpha=0.5, round=rounded))
        assert (now["whole"] == np.rint(now["whole"])).all() == rounded
        assert not (now["not"] == np.rint(now["not"])).all()


@holds("moment-preserving-noise.c", "0.15 is noise with 0.39 of the standard deviation")
def _() -> None:
    data = numbers()
    for exact in (False, True):
        for c, deviation in ((0.15, 0.387), (0.64, 0.8)):
            now = released(data, MomentPreservingNoise(c=c, exact=exact))
            shares = added_share(data, now, math.sqrt(1 + c))
            assert shares == pytest.approx([deviation] * 3, rel=0.02)


@holds("moment-preserving-noise.exact", "needs more than twice as many records as columns")
def _() -> None:
    data = numbers(500)
    before = np.cov(data.matrix(NAMES).T)
    exact, near = (
        np.cov(released(data, MomentPreservingNoise(exact=e)).matrix(NAMES).T)
        for e in (True, False)
    )
    assert exact == pytest.approx(before, rel=1e-10)
    assert not np.allclose(near, before, rtol=1e-3)
    assert len(released(data.take(np.arange(7)), MomentPreservingNoise(exact=True))) == 7
    with pytest.raises(DataError, match="at least 7 records"):
        released(data.take(np.arange(6)), MomentPreservingNoise(exact=True))


@holds("moment-preserving-noise.reveal", "publish c, so that users of the data can correct")
def _() -> None:
    for reveal in (False, True):
        recipe = MomentPreservingNoise(reveal=reveal).recipe(public=True)
        assert ("c" in recipe["moment-preserving-noise"]) == reveal


@holds("nonlinear-noise.alpha", "as a share of the variance of the normal scores")
def _() -> None:
    # Normal values are their own scores, up to a linear function.
    data = numbers().drop(["z"])
    for alpha in (0.1, 1.0):
        now = released(data, NonlinearNoise(alpha=alpha))
        for name in ("x", "y"):
            kept = np.corrcoef(data[name], now[name])[0, 1]
            assert kept == pytest.approx(1 / math.sqrt(1 + alpha), abs=0.005), (alpha, name)


@holds("resampling.samples", "fewer samples change values more")
def _() -> None:
    data = numbers(20_000).drop(["y", "z"])
    file = set(data["x"].tolist())
    changes = {}
    for t in (1, 4, 16):
        runs = [released(data, Resampling(samples=t), seed)["x"] - data["x"] for seed in range(12)]
        changes[t] = float(np.std(runs))
        all_original = set((runs[0] + data["x"]).round(9).tolist()) <= {round(v, 9) for v in file}
        assert all_original == (t == 1), "an average of several is no value of the file"
    # The mean of t samples has a t-th of the variance.
    assert changes[1] / changes[4] == pytest.approx(2, rel=0.25)
    assert changes[4] / changes[16] == pytest.approx(2, rel=0.25)
