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
    release = discreet.protect(thyroid, HybridMicro(k=k), seed=1)
    assert release.groups is not None
    assert release.groups.count == clusters
    [claim] = release.claims
    assert claim.measured == release.groups.sizes.min() >= k
    before = thyroid.matrix(NAMES)
    after = release.data.matrix(NAMES)[np.argsort(release.origin)]
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


def with_tt4(data_files: Path) -> discreet.Microdata:
    data = discreet.read(data_files / "thyroid_complete_1947.csv")
    columns = {name: data[name].tolist() for name in (*NAMES, "TT4")}
    return discreet.read(
        columns, {**dict.fromkeys(NAMES, "quasi-identifier"), "TT4": "confidential"}
    )


def explained(data: discreet.Microdata) -> float:
    """Return R² of TT4 on the quasi-identifiers."""
    design, y = np.column_stack([np.ones(len(data)), data.matrix(NAMES)]), data["TT4"]
    residuals = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return float(1 - residuals.var() / y.var())


def linked_by_prediction(release: discreet.Release) -> float:
    """Return the share of records that an intruder links who knows the quasi-identifiers only.

    The groups can be made again from them. Within a group, the record with the lowest TT4 is taken
    for the one that a regression on the quasi-identifiers predicts the lowest of, and so on.
    """
    known = release.original.matrix(NAMES)
    known = (known - known.mean(axis=0)) / known.std(axis=0)
    pairs = [known[:, i] * known[:, j] for i in range(len(NAMES)) for j in range(i + 1)]
    design = np.column_stack([np.ones(len(known)), known, *pairs])
    predicted = design @ np.linalg.lstsq(design, release.original["TT4"], rcond=None)[0]
    assert release.groups is not None
    labels = release.groups.labels
    by_prediction = np.lexsort((predicted, labels))
    by_value = np.lexsort((release.data["TT4"], labels[release.origin]))
    return float((release.origin[by_value] == by_prediction).mean())


def test_a_confidential_column_left_as_it_was_gives_the_records_away(data_files: Path) -> None:
    data = with_tt4(data_files)
    release = discreet.protect(data, HybridMicro(k=20), seed=1)
    assert linked_by_prediction(release) > 0.5, "1/k would be 5 %"
    assert release.claims == ()


def test_a_confidential_column_drawn_too_keeps_its_regression(data_files: Path) -> None:
    data = with_tt4(data_files)
    release = discreet.protect(data, HybridMicro(k=20, confidential=True), seed=1)
    assert [claim.measure for claim in release.claims] == ["probabilistic-k-anonymity"]
    assert explained(release.data) == pytest.approx(explained(data), rel=1e-9)
    assert explained(data) > 0.97
    # Records come about as often to the place of their own as any of 20 does.
    assert linked_by_prediction(release) < 1 / 20 + 4 * np.sqrt(1 / 20 / len(data))
