"""HybridMicro: MDAV and exact moments, with the figures of THYROID."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError, UsageError
from discreet.methods.synthetic.hybrid_micro import HybridMicro

NAMES = ("age", "TSH", "T3", "T4U", "FTI")


@pytest.fixture
def thyroid(data_files: Path) -> discreet.Microdata:
    data = discreet.read(data_files / "thyroid_complete_1947.csv")
    roles = dict.fromkeys(NAMES, "quasi-identifier")
    return discreet.read({name: data[name].tolist() for name in NAMES}, roles)


# The paper: k = 324 divides the file into 6 clusters, k = 60 into 32.
@pytest.mark.parametrize(("k", "clusters"), [(324, 6), (60, 32)])
def test_thyroid(thyroid: discreet.Microdata, k: int, clusters: int) -> None:
    release = discreet.protect(thyroid, HybridMicro(k=k), seed=1, shuffle=False)
    assert release.groups is not None
    assert release.groups.count == clusters
    [claim] = release.claims
    assert claim.measured == release.groups.sizes.min() >= k
    before, after = thyroid.matrix(NAMES), release.data.matrix(NAMES)
    parts = [np.ones(len(thyroid), dtype=bool)]
    parts += [release.groups.labels == group for group in range(clusters)]
    scale = np.sqrt(np.outer(before.var(axis=0), before.var(axis=0)))
    for part in parts:
        assert np.allclose(after[part].mean(0), before[part].mean(0), rtol=1e-9)
        assert (np.abs(np.cov(after[part].T) - np.cov(before[part].T)) <= 1e-9 * scale).all()


def test_regressions_come_out_the_same(thyroid: discreet.Microdata) -> None:
    # Table 2 of the paper with exact moments: every coefficient changes by 0 %.
    masked = HybridMicro(k=60).protect(thyroid, Context(Randomness(1))).data
    fits = []
    for data in (thyroid, masked):
        values = data.matrix(NAMES)
        design = np.column_stack([np.ones(len(values)), values[:, 1:]])
        fits.append(np.linalg.lstsq(design, values[:, 0], rcond=None)[0])
    assert np.allclose(fits[0], fits[1], rtol=1e-8)


def test_groups_of_fewer_than_three_are_refused() -> None:
    with pytest.raises(UsageError, match="'k' of HybridMicro must be a whole number, at least 3"):
        HybridMicro(k=2)


def test_a_replacement_refuses_kinds_that_it_cannot_treat(patients: discreet.Microdata) -> None:
    nominal = next(n for n in patients.quasi_identifiers if not patients.schema[n].continuous)
    method = discreet.Microaggregation("mdav", "exact-moments")
    with pytest.raises(
        DataError, match=f"exact-moments treats continuous columns, but '{nominal}'"
    ):
        method.protect(patients, Context())
