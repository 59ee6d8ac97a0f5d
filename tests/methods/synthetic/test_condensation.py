"""Condensation: the moments of each group, along its eigenvectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import discreet
from discreet import Condensation, Microdata
from discreet.contracts import Context, Randomness

NAMES = ("x", "y", "z")


def table(rows: int = 90) -> Microdata:
    rng = np.random.default_rng(2)
    x = rng.normal(0, 3, rows)
    columns = (x, x + rng.normal(0, 1, rows), rng.lognormal(0, 1, rows))
    return discreet.read(
        dict(zip(NAMES, columns, strict=True)), dict.fromkeys(NAMES, "quasi-identifier")
    )


def test_on_average_means_and_covariances_of_groups_and_of_the_file_stay() -> None:
    data = table()
    masked = [Condensation(k=30).protect(data, Context(Randomness(s))) for s in range(300)]
    labels = masked[0].groups.labels
    rows = np.flatnonzero(labels == 0)
    for part in (rows, np.arange(len(data))):
        before = data.matrix(NAMES)[part]
        runs = np.array([m.data.matrix(NAMES)[part] for m in masked])
        centre = before.mean(axis=0)
        # About the true mean: that of the draws varies, which is part of their spread.
        found = np.einsum("rni,rnj->rij", runs - centre, runs - centre) / len(part)
        for values, expected in (
            (runs.mean(axis=1), centre),
            (found, np.cov(before.T, bias=True)),
        ):
            error = values.std(axis=0, ddof=1) / np.sqrt(len(runs))
            assert (np.abs(values.mean(axis=0) - expected) / error).max() < 4.5


def test_steps_are_uniform_along_eigenvectors() -> None:
    data = table(2000)
    made = Condensation(k=2000).protect(data, Context(Randomness(1))).data.matrix(NAMES)
    values, vectors = np.linalg.eigh(np.cov(data.matrix(NAMES).T, bias=True))
    steps = (made - data.matrix(NAMES).mean(axis=0)) @ vectors / np.sqrt(values)
    assert np.abs(steps).max() <= np.sqrt(3) * (1 + 1e-9)
    expected = np.quantile(steps, [0.1, 0.25, 0.5, 0.75, 0.9], axis=0)
    uniform = np.sqrt(3) * (2 * np.array([0.1, 0.25, 0.5, 0.75, 0.9]) - 1)
    assert np.abs(expected - uniform[:, None]).max() < 0.12


def test_groups_smaller_than_columns_stay_in_their_plane() -> None:
    data = table(9)
    masked = Condensation(k=2).protect(data, Context(Randomness(1)))
    labels = masked.groups.labels
    for g in range(masked.groups.count):
        rows = np.flatnonzero(labels == g)
        before, after = (t.matrix(NAMES)[rows] for t in (data, masked.data))
        both = np.vstack([before, after]) - before.mean(axis=0)
        assert np.linalg.matrix_rank(both, tol=1e-8) == len(rows) - 1


def test_the_claim_is_the_size_of_the_smallest_group_and_holds() -> None:
    data = table(95)
    release = discreet.protect(data, Condensation(k=10), seed=1)
    assert [(c.measure, c.bound, c.measured) for c in release.claims] == [
        ("probabilistic-k-anonymity", 10, 10)
    ]
    part = Condensation(k=10, columns=["x"]).protect(data, Context())
    assert part.claims == (), "other quasi-identifiers are released as they are"


def test_missing_values_are_synthesised_unless_a_group_has_none() -> None:
    data = table(40)
    x = data["x"].copy()
    x[:3] = np.nan
    some = data.replace([data.column("x").with_values(x)])
    assert not np.isnan(Condensation(k=20).protect(some, Context()).data["x"]).any()
    none = data.replace([data.column("x").with_values(np.full(40, np.nan))])
    assert np.isnan(Condensation(k=20).protect(none, Context()).data["x"]).all()


def test_tarragona_keeps_its_correlations_on_average(data_files: Path) -> None:
    names = list(discreet.read(data_files / "casc_tarragona.csv").schema.names)
    data = discreet.read(
        data_files / "casc_tarragona.csv", dict.fromkeys(names, "quasi-identifier")
    )
    # One draw is off by .1 to .4 in one of the 78 correlations, as a few firms are very large.
    drawn = (Condensation(k=10).protect(data, Context(Randomness(seed))).data for seed in range(20))
    after = np.mean([np.corrcoef(made.matrix(names).T) for made in drawn], axis=0)
    before = np.corrcoef(data.matrix(names).T)
    assert np.abs(after - before).max() < 0.1
