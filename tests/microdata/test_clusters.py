"""Households: their numbers, and their members."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet.microdata import Role
from discreet.microdata.clusters import Clusters, clusters_of, counted_once, renumbered
from discreet.publishing.verifying import verify


def test_renumbering_needs_no_household_at_all() -> None:
    data = discreet.read(
        {"hid": [None, None]}, roles={"hid": "household"}, kinds={"hid": "nominal"}
    )
    assert renumbered(data, np.random.default_rng(1))["hid"].tolist() == [-1, -1]


@pytest.mark.parametrize("name", ["out.dta", "out.csv", "out.parquet"])
def test_numbers_that_are_moments_are_told_apart_in_every_format(tmp_path: Path, name: str) -> None:
    moments = [datetime(2021, 3, day, 14, 30) for day in (1, 1, 2, 3, 3, 4)]
    frame = pa.table({"home": pa.array(moments, pa.timestamp("ms")), "age": [1.0] * 6})
    roles = {"home": "household", "age": "quasi-identifier"}
    release = discreet.protect(frame, discreet.Rounding(base=5), roles=roles, seed=1)
    assert sorted(set(release.frame()["home"].to_pylist())) == [
        datetime(1970, 1, day) for day in (1, 2, 3, 4)
    ]
    folder = release.write(tmp_path / "out", format=name.partition(".")[2])
    verified = verify(folder)
    assert verified.holds
    assert 4 in {figure.counted for figure in verified.figures if figure.measure == "k-anonymity"}


def test_households_are_found_once_for_a_column_and_anew_for_another() -> None:
    data = discreet.read(
        {"hid": [3, 3, 4], "age": [1, 2, 3]}, roles={"hid": "household", "age": "other"}
    )
    homes = clusters_of(data)
    other = data.with_attributes([replace(data.schema["age"], role=Role.CONFIDENTIAL)])
    assert homes is not None
    assert clusters_of(other) is homes
    assert clusters_of(data.take(np.arange(3))) is not homes
    with pytest.raises(ValueError, match="read-only"):
        homes.labels[0] = 7


def test_agreement_among_the_first_records_knows_nothing_of_the_others() -> None:
    town = discreet.read({"town": list("aabaab")}).column("town")
    homes = Clusters(np.array([0, 1, 1, 2, 2, 0]))
    assert homes.ordered(np.arange(6)).tolist() == [0, 5, 1, 2, 3, 4]
    assert homes.agreeing(town).tolist() == [False, False, True]
    assert homes.agreeing(town, among=3).tolist() == [False, True, True]


@pytest.mark.parametrize("records", [0, 1, 60])
@pytest.mark.parametrize("seed", range(5))
def test_units_are_counted_once_in_each_class(seed: int, records: int) -> None:
    draw = np.random.default_rng(seed)
    labels, units = draw.integers(0, 9, records), draw.integers(0, 12, records)
    there = {*zip(labels.tolist(), units.tolist(), strict=True)}
    expected = [
        sum(label == each for each, _ in there) for label in range(labels.max(initial=-1) + 1)
    ]
    assert counted_once(labels, units).tolist() == expected
