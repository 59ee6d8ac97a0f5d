"""V-MDAV as a partition: sizes, clumps, and its loss beside MDAV's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import DataError, Microaggregation, UsageError
from discreet.contracts import Context, Pairing
from discreet.contracts.registry import build, entries, find
from discreet.microaggregation.partition import MDAV, VMDAV
from discreet.testing.tables import ordinary


@pytest.mark.parametrize("gamma", [0, 0.2, 1.1])
@pytest.mark.parametrize("k", [2, 5, 9])
def test_every_group_has_at_least_k(k: int, gamma: float) -> None:
    for rows in (k, 2 * k - 1, 2 * k, 3 * k + 1, 61):
        data = ordinary(rows=max(rows, k))
        groups = VMDAV(k=k, gamma=gamma).groups(data, data.quasi_identifiers, Context())
        assert groups.least_size == k
        assert k <= groups.sizes.min() <= groups.sizes.max() <= 3 * k - 2


def test_variable_sizes_keep_clumps_whole() -> None:
    clumps = np.concatenate([np.linspace(c, c + 1, 7) for c in (0, 50, 200)])
    data = discreet.read({"x": clumps})
    labels = VMDAV(k=5, gamma=1.1).groups(data, ["x"], Context()).labels
    assert [len(set(labels[i : i + 7])) for i in (0, 7, 14)] == [1, 1, 1]
    assert len(set(labels)) == 3


def test_refinement_brings_groups_back_to_2k_less_1() -> None:
    data = ordinary(rows=64)
    plain = VMDAV(k=5).groups(data, data.quasi_identifiers, Context())
    refined = VMDAV(k=5, refine=100).groups(data, data.quasi_identifiers, Context())
    assert 5 <= refined.sizes.min() <= refined.sizes.max() <= 9
    assert refined.detail["SSE/SST"] <= plain.detail["SSE/SST"]


def test_too_few_records_and_a_negative_gamma_are_explained() -> None:
    with pytest.raises(DataError, match="needs at least 5 records, but the data have 3"):
        VMDAV(k=5).groups(ordinary(rows=3), ["height"], Context())
    with pytest.raises(UsageError, match="gamma"):
        VMDAV(gamma=-0.1)


@pytest.mark.parametrize("replacement", [e.spec.name for e in entries("replacement")])
@pytest.mark.parametrize("partition", ["vmdav", "ranking", "optimal-univariate"])
def test_every_replacement_takes_the_groups(partition: str, replacement: str) -> None:
    made = find("replacement", replacement).example()
    known = build("partition", partition).spec.kinds
    data = ordinary([kind for kind in made.spec.kinds if kind in known])
    masked = Microaggregation(partition, made).protect(data, Context())
    assert len(masked.data) == len(data)
    assert masked.groups is not None


def test_the_loss_on_census_is_close_to_that_of_mdav(data_files: Path) -> None:
    data = discreet.read(data_files / "casc_census.csv")
    data = data.with_attributes(
        [discreet.microdata.Attribute(a.name, discreet.Role.QUASI_IDENTIFIER) for a in data.schema]
    )
    measure: Any = build("measure", "sse-sst")
    pairing = Pairing.same_order(len(data))
    for k in (3, 5, 10):
        loss = {}
        for partition in (MDAV(k=k), VMDAV(k=k)):
            masked = Microaggregation(partition).protect(data, Context())
            score = measure.score(data, masked.data, Context(), pairing)
            loss[partition.spec.name] = 100 * score.value
        assert loss["vmdav"] == pytest.approx(loss["mdav"], rel=0.01)
