"""Strata: a step is run in parts, and the parts are put together."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError
from discreet.microdata.equivalence import class_sizes, classes
from discreet.release.strata import in_pooled_strata, in_strata

QI = "quasi-identifier"


def people(rows: int = 60) -> discreet.Microdata:
    rng = np.random.default_rng(1)
    return discreet.read(
        {
            "age": rng.integers(0, 90, rows).astype(float),
            "town": np.array(["Ayle", "Bron", "Cull"])[rng.integers(0, 3, rows)],
        },
        roles={"age": QI, "town": "other"},
    )


def mdav(k: int, replacement: str = "centroid") -> discreet.Microaggregation:
    return discreet.Microaggregation({"mdav": {"k": k}}, replacement)


def test_each_stratum_is_treated_by_itself_and_k_holds_with_it() -> None:
    data = people()
    strata = classes(data, ["town"])
    masked = in_strata(mdav(3), data, strata, Context())
    assert class_sizes(masked.data, ["age", "town"]).min() >= 3
    assert [(c.measure, c.bound) for c in masked.claims] == [("k-anonymity", 3.0)]
    assert masked.groups is not None
    assert masked.groups.sizes.min() >= 3
    for stratum in range(3):
        rows = np.flatnonzero(strata == stratum)
        alone = mdav(3).protect(data.take(rows), Context()).data["age"]
        assert np.array_equal(masked.data["age"][rows], alone)


def test_labels_of_several_strata_share_a_scale_and_say_what_they_stand_for() -> None:
    data = people()
    masked = in_strata(mdav(3, "range"), data, classes(data, ["town"]), Context())
    column = masked.data.column("age")
    decoding = column.attribute.decoding
    assert decoding is not None
    assert len(decoding) == len(column.attribute.categories)
    low, high = decoding.hulls
    assert (low[column.values] <= data["age"]).all()
    assert (data["age"] <= high[column.values]).all()


def test_strata_have_random_numbers_of_their_own() -> None:
    data = discreet.read({"age": [30.0] * 40}, roles={"age": QI})
    varied = data.replace([data.column("age").with_values(np.tile(np.arange(20.0), 2))])
    noise = in_strata(
        discreet.AdditiveNoise(), varied, np.repeat([0, 1], 20), Context(Randomness(1))
    ).data["age"]
    assert not np.array_equal(noise[:20], noise[20:])


def test_small_strata_are_pooled() -> None:
    data = people(23)
    strata = np.repeat([0, 1, 2, 3], [10, 10, 2, 1])
    masked, rare = in_pooled_strata(mdav(3), data, strata, Context())
    assert rare.tolist() == [False] * 20 + [True] * 3
    assert len(set(masked.data["age"][20:])) == 1


def test_where_the_small_ones_are_too_few_the_next_join_them() -> None:
    data = people(12)
    strata = np.repeat([0, 1, 2], [6, 5, 1])
    masked, rare = in_pooled_strata(mdav(4), data, strata, Context())
    assert rare.tolist() == [False] * 6 + [True] * 6
    assert class_sizes(masked.data, ["age"]).min() >= 4


def test_too_few_records_are_refused_as_ever() -> None:
    with pytest.raises(DataError, match="needs at least 5 records"):
        in_pooled_strata(mdav(5), people(4), np.array([0, 0, 1, 1]), Context())


def test_new_records_come_one_stratum_after_the_other() -> None:
    data = people()
    labels = classes(data, ["town"])
    masked = in_strata(discreet.Bootstrap(columns=["age"]), data, labels, Context())
    assert masked.origin is not None
    assert len(masked.data) == len(data)
    assert np.array_equal(masked.data["town"], np.sort(data["town"]))


@pytest.mark.parametrize("partition", ["mdav", "vmdav", "mst"])
def test_all_strata_at_once_are_what_they_are_one_by_one(partition: str) -> None:
    data = people(80)
    step = discreet.Microaggregation({partition: {"k": 3, "scaling": "none"}})
    strata = classes(data, ["town"])
    at_once = step.protect_within(data, strata, Context())
    assert at_once is not None
    for stratum in range(3):
        rows = np.flatnonzero(strata == stratum)
        alone = step.protect(data.take(rows), Context()).data["age"]
        assert np.array_equal(at_once.data["age"][rows], alone)
    assert at_once.claims == step.protect(data, Context()).claims
    assert at_once.groups is not None
    assert not set(at_once.groups.labels[strata == 0]) & set(at_once.groups.labels[strata == 1])


@pytest.mark.parametrize(
    "step",
    [
        discreet.Microaggregation({"mdav": {"k": 3, "blocks": 10}}),
        discreet.Microaggregation({"mdav": {"k": 3}}, dominance=0.9),
        discreet.Microaggregation("mondrian"),
        discreet.AdditiveNoise(),
    ],
)
def test_what_takes_more_than_groups_is_run_in_one_stratum_after_the_other(
    step: discreet.Method,
) -> None:
    data = people()
    assert step.protect_within(data, classes(data, ["town"]), Context()) is None
