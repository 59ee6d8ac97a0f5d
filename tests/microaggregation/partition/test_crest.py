"""CREST and Partial CREST: real data, the edges of what occurs, and what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Pairing
from discreet.errors import DataError, UsageError
from discreet.measures.risk.class_divergence import ClassDivergence
from discreet.microaggregation.class_restriction import ClassRestricted
from discreet.microaggregation.partition.crest import CREST
from discreet.microaggregation.partition.mst import MST
from discreet.microaggregation.partition.partial_crest import PartialCREST
from discreet.microdata import Microdata

BOTH = pytest.mark.parametrize("partition", [CREST, PartialCREST])
Partitions = type[ClassRestricted]


def table(ill: list[Any], ages: list[Any] | None = None, **more: list[Any]) -> Microdata:
    if ages is None:
        ages = np.random.default_rng(len(ill)).normal(40, 9, len(ill)).round(1).tolist()
    return discreet.read(
        {"age": ages, "ill": ill, **more},
        roles={"age": "quasi-identifier", **dict.fromkeys(["ill", *more], "confidential")},
    )


@BOTH
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_groups_have_k_records_and_depend_on_the_data_alone(
    partition: Partitions, data: st.DataObject
) -> None:
    ages = data.draw(st.lists(st.integers(0, 9), min_size=6, max_size=40))
    ill = data.draw(st.lists(st.sampled_from("abc"), min_size=len(ages), max_size=len(ages)))
    k = data.draw(st.integers(2, 6))
    people = table(ill, ages)
    groups = partition(k=k).groups(people, ["age"], Context())
    assert groups.sizes.min() >= k == groups.least_size
    assert groups.labels[0] == 0
    again = partition(k=k).groups(people, ["age"], Context())
    assert np.array_equal(groups.labels, again.labels)


@BOTH
def test_unbalanced_classes(partition: Partitions) -> None:
    people = table(["rare"] + ["common"] * 1000)
    groups = partition(k=5).groups(people, ["age"], Context())
    assert groups.sizes.min() >= 5
    assert groups.detail["least class count"] == 1
    assert groups.detail["warning"].startswith(f"in 1 of {groups.count} groups a class has one ")


@BOTH
def test_a_class_with_one_record_is_said(partition: Partitions) -> None:
    people = table(["a"] * 10 + ["b"] * 9 + ["c"])
    said = partition(k=4).groups(people, ["age"], Context()).detail
    assert (said["classes"], said["least class count"]) == (3, 1)
    assert "a larger k makes that rarer" in said["warning"]


@BOTH
def test_no_warning_where_no_class_stands_alone(partition: Partitions) -> None:
    people = table(["a", "a", "b", "b"], [20, 20, 20, 20])
    said = partition(k=4).groups(people, ["age"], Context()).detail
    assert said["least class count"] == 2
    assert not {"warning", "note"} & set(said)


@BOTH
def test_more_classes_than_k(partition: Partitions) -> None:
    people = table([f"c{i % 7}" for i in range(70)])
    groups = partition(k=3).groups(people, ["age"], Context())
    assert groups.sizes.min() >= 3
    assert groups.detail["note"].startswith("there are 7 classes, more than the 3 records")


def test_one_class_only_cuts_the_longest_edges() -> None:
    """Without divergence the ratio is 0 everywhere, and the longest edge comes first."""
    ages = np.random.default_rng(3).normal(size=120).tolist()
    people = table(["a"] * 120, ages)
    plain = MST(k=4, scaling="range", split=False).groups(people, ["age"], Context())
    for partition in (CREST, PartialCREST):
        groups = partition(k=4).groups(people, ["age"], Context())
        assert np.array_equal(groups.labels, plain.labels)
        assert groups.detail["note"] == (
            "all records are of one class, so the classes restrict nothing"
        )


@BOTH
def test_a_missing_class_is_a_class_of_its_own(partition: Partitions) -> None:
    ages = np.random.default_rng(5).normal(size=60).tolist()
    ill = [("a", "b", None)[i % 3] for i in range(60)]
    named = [value or "nothing" for value in ill]
    groups = partition(k=3).groups(table(ill, ages), ["age"], Context())
    assert groups.detail["classes"] == 3
    same = partition(k=3).groups(table(named, ages), ["age"], Context())
    assert np.array_equal(groups.labels, same.labels)


@BOTH
def test_several_confidential_columns_are_one_compound_class(partition: Partitions) -> None:
    rng = np.random.default_rng(6)
    ages = rng.normal(size=80).tolist()
    one, two = (["yes" if v < 0.4 else "no" for v in rng.random(80)] for _ in range(2))
    both = [a + b for a, b in zip(one, two, strict=True)]
    groups = partition(k=4).groups(table(one, ages, mad=two), ["age"], Context())
    compound = partition(k=4).groups(table(both, ages), ["age"], Context())
    assert groups.detail["classes"] == 4
    assert np.array_equal(groups.labels, compound.labels)
    single = partition(k=4, confidential=("mad",)).groups(
        table(one, ages, mad=two), ["age"], Context()
    )
    assert single.detail["classes"] == 2


@BOTH
def test_no_confidential_column(partition: Partitions) -> None:
    people = discreet.read({"age": [1, 2, 3]}, roles={"age": "quasi-identifier"})
    with pytest.raises(
        UsageError, match=r"needs a confidential column .* parameter 'confidential'"
    ):
        partition(k=2).groups(people, ["age"], Context())


@BOTH
def test_a_continuous_confidential_column_is_refused_or_cut_as_asked(
    partition: Partitions,
) -> None:
    rng = np.random.default_rng(7)
    pay = rng.lognormal(8, 1, 60)
    people = table(pay.tolist())
    with pytest.raises(UsageError, match="'ill' is continuous; cut it at its quantiles with the "):
        partition(k=3).groups(people, ["age"], Context())
    cut = partition(k=3, classes=2).groups(people, ["age"], Context())
    halves = table(["high" if v > np.sort(pay)[29] else "low" for v in pay])
    same = partition(k=3).groups(halves, ["age"], Context())
    assert cut.detail["classes"] == 2
    assert cut.labels.tolist() == same.labels.tolist()


@BOTH
def test_refusals(partition: Partitions) -> None:
    people = table(["a", "b", "a"])
    with pytest.raises(DataError, match=f"{partition.__name__} with k = 4 needs at least 4 rec"):
        partition(k=4).groups(people, ["age"], Context())
    with pytest.raises(UsageError, match="needs at least one column to group by"):
        partition(k=2).groups(people, [], Context())
    with pytest.raises(UsageError, match="cannot group by 'ill' and spread its classes"):
        partition(k=2).groups(people, ["age", "ill"], Context())


def test_parameters_out_of_range() -> None:
    for wrong in ({"k": 1}, {"alpha": 1.1}, {"alpha": -0.1}, {"b": 1}, {"classes": 1}):
        with pytest.raises(UsageError, match="must be"):
            CREST(**wrong)


@BOTH
def test_all_records_equal(partition: Partitions) -> None:
    """No length tells them apart, and the groups are all as good."""
    people = table(list("ab" * 10), [30] * 20)
    groups = partition(k=2).groups(people, ["age"], Context())
    assert groups.sizes.min() >= 2
    assert groups.detail["SSE/SST"] == 0.0


@BOTH
def test_duplicates_and_missing_values(partition: Partitions) -> None:
    rng = np.random.default_rng(8)
    ages = [None if i % 9 == 4 else v for i, v in enumerate(rng.integers(20, 40, 90).tolist())]
    people = table([("a", "b")[i] for i in rng.integers(0, 2, 90)], ages)
    groups = partition(k=4).groups(people, ["age"], Context())
    assert groups.sizes.min() >= 4


@BOTH
def test_the_order_of_values_scale_and_centre_do_not_matter(partition: Partitions) -> None:
    rng = np.random.default_rng(9)
    ages = rng.integers(0, 64, 70).astype(float)
    ill = [("a", "b")[i] for i in rng.integers(0, 2, 70)]
    one = partition(k=3).groups(table(ill, ages.tolist()), ["age"], Context())
    other = partition(k=3).groups(table(ill, (1000 - 8 * ages).tolist()), ["age"], Context())
    assert np.array_equal(one.labels, other.labels)


def test_an_automatic_b_keeps_the_groups_with_the_lower_divergence() -> None:
    """Of b = 10 and b = k; each wins on some of these files, and up to k = 10 they are one."""
    kept = set()
    for seed in range(8):
        rng = np.random.default_rng(seed)
        ages = rng.normal(size=150)
        people = table(np.where(ages + rng.normal(size=150) > 0, "a", "b").tolist(), ages.tolist())
        tried = [CREST(k=25, b=b).groups(people, ["age"], Context()) for b in (10, 25)]
        best = min(tried, key=lambda groups: float(groups.detail["X²"]))
        found = CREST(k=25).groups(people, ["age"], Context())
        assert np.array_equal(found.labels, best.labels)
        kept.add(found.detail["b"])
    assert kept == {10, 25}
    assert CREST(k=7).groups(people, ["age"], Context()).detail["b"] == 7


def test_the_divergence_in_the_details_is_that_of_the_measure() -> None:
    people = table([("a", "b", None)[i % 3] for i in range(60)])
    groups = CREST(k=5).groups(people, ["age"], Context())
    pairing = Pairing(np.arange(60), groups)
    score = ClassDivergence().score(people, people, Context(), pairing)
    assert groups.detail["X²"] == pytest.approx(score.value)


def test_the_distance_as_printed_is_a_smaller_alpha_of_the_scaled_one() -> None:
    """Over J instead of √J: α = ½ becomes 1 / (1 + √J); with one column nothing changes."""
    rng = np.random.default_rng(11)
    columns = {name: rng.random(90).tolist() for name in "abcd"}
    roles = {**dict.fromkeys(columns, "quasi-identifier"), "ill": "confidential"}
    ill = [("a", "b")[i] for i in rng.integers(0, 2, 90)]
    people = discreet.read({**columns, "ill": ill}, roles=roles)
    for names, same in ((list("abcd"), 1 / 3), (["a"], 0.5)):
        printed = CREST(k=4).groups(people, names, Context())
        scaled = CREST(k=4, alpha=same, distance="scaled").groups(people, names, Context())
        half = CREST(k=4, distance="scaled").groups(people, names, Context())
        assert np.array_equal(printed.labels, scaled.labels)
        assert np.array_equal(printed.labels, half.labels) == (len(names) == 1)


def medicare(folder: Path) -> Microdata:
    data = discreet.read(folder / "medicare_nmes1988.csv")
    chronic = np.minimum(data["chronic"], 2).astype(int)
    frame = {a.name: data.column(a.name) for a in data.schema if a.name != "chronic"}
    columns: dict[str, list[Any]] = {}
    for name, column in frame.items():
        if column.attribute.continuous:
            columns[name] = column.values.tolist()
        else:
            columns[name] = [column.attribute.categories[i] for i in column.values]
    columns["chronic"] = [("none", "one", "more")[i] for i in chronic]
    roles = {**dict.fromkeys(frame, "quasi-identifier"), "chronic": "confidential"}
    return discreet.read(columns, roles=roles)


def test_medicare_mixes_classes_better_than_partial_and_plain(reference_data: Path) -> None:
    """Table 1: at the same k the divergence of full is below that of Partial CREST."""
    data = medicare(reference_data)
    shares = np.bincount(data["chronic"]) / len(data)
    assert sorted(shares.round(3)) == [0.233, 0.34, 0.427]
    said = {
        partition: partition(k=5).groups(data, data.quasi_identifiers, Context()).detail
        for partition in (CREST, PartialCREST)
    }
    full, partial = (said[partition]["weighted JSD"] for partition in (CREST, PartialCREST))
    assert full < 0.75 * partial
