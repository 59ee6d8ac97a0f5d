"""AMA: microaggregation by key attributes, of the whole record."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import AMA, Claim, Microaggregation
from discreet.contracts import Context
from discreet.microaggregation.grouping import sse_share
from discreet.microaggregation.partition import MDAV
from discreet.microaggregation.replacement import Centroid
from discreet.microdata.equivalence import class_sizes
from discreet.testing.tables import ordinary


@pytest.mark.parametrize("k", [2, 3, 7])
def test_k_anonymity_is_claimed_and_true(k: int) -> None:
    data = ordinary()
    masked = AMA(k=k).protect(data, Context())
    assert masked.claims == (Claim("k-anonymity", k),)
    assert class_sizes(masked.data, data.quasi_identifiers).min() >= k


def test_it_is_a_preset() -> None:
    data = ordinary()
    same = Microaggregation(partition=MDAV(k=4, attributes="key"), replacement=Centroid())
    preset, product = AMA(k=4).protect(data, Context()), same.protect(data, Context())
    assert preset.groups is not None
    assert product.groups is not None
    assert np.array_equal(preset.groups.labels, product.groups.labels)
    for name in data.quasi_identifiers:
        assert preset.data.column(name).same_as(product.data.column(name))


def test_the_normalised_measure_does_not_prefer_columns_of_few_values() -> None:
    """Two coins are hubs by the paper's measure, near to all for want of entropy."""
    rng = np.random.default_rng(4)
    size = rng.integers(0, 30, 300)
    columns = {
        "coin": rng.integers(0, 2, 300), "size": size, "double": 2 * size + rng.integers(0, 2, 300),
        "triple": 3 * size + rng.integers(0, 2, 300), "toss": rng.integers(0, 2, 300),
    }  # fmt: skip
    roles = dict.fromkeys(columns, "quasi-identifier")
    data = discreet.read({name: values.tolist() for name, values in columns.items()}, roles)
    found = {}
    for normalised in (False, True):
        groups = AMA(k=3, normalised=normalised).protect(data, Context()).groups
        assert groups is not None
        found[normalised] = groups.detail["key attributes"]
    assert found[False] != found[True]
    assert "size" in found[True]


def test_the_whole_record_is_replaced_not_only_the_key_attributes() -> None:
    data = ordinary(missing=False)
    masked = AMA(k=3).protect(data, Context())
    assert masked.groups is not None
    others = set(data.quasi_identifiers) - set(masked.groups.detail["key attributes"])
    assert others
    for name in others:
        for group in range(masked.groups.count):
            members = masked.groups.labels == group
            assert len(np.unique(masked.data[name][members])) == 1


def test_the_key_attributes_are_noted() -> None:
    release = discreet.protect(ordinary(), "ama", seed=1)
    assert any("key attributes" in note for note in release.notes)
    assert release.claims[0].measured is not None
    assert release.claims[0].measured >= 5


def test_a_part_of_the_quasi_identifiers_is_not_claimed() -> None:
    data = ordinary()
    assert AMA(columns=data.quasi_identifiers[1:]).protect(data, Context()).claims == ()


@pytest.mark.parametrize("columns", [["height"], ["height", "town"]])
def test_up_to_two_columns_are_all_key(columns: list[str]) -> None:
    data = ordinary()
    ama = AMA(k=3, columns=columns).protect(data, Context())
    mdav = Microaggregation(partition=MDAV(k=3), columns=columns).protect(data, Context())
    assert ama.groups is not None
    assert ama.groups.detail["key attributes"] == tuple(columns)
    for name in columns:
        assert ama.data.column(name).same_as(mdav.data.column(name))


def test_it_loses_more_than_mdav_on_all_and_less_than_chance(data_files: Path) -> None:
    data = discreet.read(data_files / "casc_census.csv")
    data = discreet.read(
        data_files / "casc_census.csv",
        roles=dict.fromkeys(data.schema.names, "quasi-identifier"),
    )
    from discreet.microdata.embedding import Embedding

    points = Embedding.fit(data, data.quasi_identifiers).points(data)
    losses = []
    for attributes in ("all", "key"):
        groups = MDAV(k=3, attributes=attributes).groups(data, data.quasi_identifiers, Context())
        losses.append(sse_share(points, groups.labels))
    chance = sse_share(points, np.random.default_rng(0).permutation(groups.labels))
    assert losses[0] < losses[1] < chance
