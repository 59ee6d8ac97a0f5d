"""Random orthogonal matrix masking: T is orthogonal, keeps the mean, and gives the release."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError
from discreet.methods.perturbative.random_orthogonal_masking import (
    RandomOrthogonalMasking,
    rotated,
)
from discreet.microdata import Microdata

ROLES = dict.fromkeys(("a", "b", "c"), "quasi-identifier")


def table(n: int = 40) -> Microdata:
    draw = np.random.default_rng(5)
    a = np.exp(draw.normal(size=n))
    return discreet.read(
        {"a": a, "b": 1000 + 30 * a + draw.normal(size=n), "c": draw.normal(size=n)}, roles=ROLES
    )


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_there_is_an_orthogonal_matrix_that_keeps_the_mean(share: float) -> None:
    """T written out, n × n: it turns U towards G, and leaves everything else alone."""
    x = table().matrix([*ROLES])
    z = rotated(x, share, np.random.default_rng(1))
    n = len(x)
    one = np.ones(n)
    scale = np.abs(x - x.mean(axis=0)).max(axis=0)
    u, s, v = np.linalg.svd((x - x.mean(axis=0)) / scale, full_matrices=False)
    turned = (z - x.mean(axis=0)) / scale @ v.T / s
    g = (turned - np.sqrt(1 - share) * u) / np.sqrt(share)
    cosine, sine = np.sqrt(1 - share), np.sqrt(share)
    t = np.eye(n) + (cosine - 1) * (u @ u.T + g @ g.T) + sine * (g @ u.T - u @ g.T)
    assert t.T @ t == pytest.approx(np.eye(n), abs=1e-9)
    assert t @ one == pytest.approx(one)
    assert t @ x == pytest.approx(z)


def test_means_covariances_and_regressions_are_exactly_those_of_the_original() -> None:
    data = table()
    made = RandomOrthogonalMasking().protect(data, Context(Randomness(1))).data
    before, after = (d.matrix([*ROLES]) for d in (data, made))
    assert after.mean(axis=0) == pytest.approx(before.mean(axis=0), rel=1e-12)
    assert np.cov(after, rowvar=False) == pytest.approx(np.cov(before, rowvar=False), rel=1e-9)
    assert np.abs(after - before).min() > 0


def test_columns_that_depend_on_each_other_still_do() -> None:
    data = table()
    c = data["a"] + data["b"]
    data = data.replace([data.column("c").with_values(c)])
    made = RandomOrthogonalMasking(share=1.0).protect(data, Context(Randomness(1))).data
    assert made["c"] == pytest.approx(made["a"] + made["b"])


def test_gaps_stay_and_too_few_records_are_refused() -> None:
    data = table()
    a = data["a"].copy()
    a[3] = np.nan
    masked = RandomOrthogonalMasking().protect(
        data.replace([data.column("a").with_values(a)]), Context(Randomness(1))
    )
    assert np.flatnonzero(np.isnan(masked.data["a"])).tolist() == [3]
    assert masked.notes == ("moments are kept approximately where values are missing: a",)
    with pytest.raises(DataError, match="at least 7 records for 3 columns"):
        RandomOrthogonalMasking().protect(table(6), Context())
