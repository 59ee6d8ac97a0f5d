"""Microaggregation by groups of attributes, individual ranking, and the dominance rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Claim, DataError, IndividualRanking, Microaggregation, Microdata, UsageError
from discreet.contracts import Context, Pairing, Randomness
from discreet.contracts.registry import build, entries, find
from discreet.microaggregation.partition import MDAV
from discreet.microdata.levels import with_unit
from discreet.testing.tables import ordinary

NAMES = ("a", "b", "c", "d", "e")


def table(rows: int = 30, names: tuple[str, ...] = NAMES) -> Microdata:
    rng = np.random.default_rng(4)
    columns = {name: rng.lognormal(size=rows) for name in names}
    return discreet.read(columns, dict.fromkeys(names, "quasi-identifier"))


def same(one: Microdata, other: Microdata, names: tuple[str, ...] = NAMES) -> bool:
    return all(one.column(name).same_as(other.column(name)) for name in names)


def one_by_one(data: Microdata, together: list[list[str]], k: int = 3) -> Microdata:
    """The slow twin: each group of attributes by a call of its own."""
    for names in together:
        data = Microaggregation(MDAV(k=k), columns=names).protect(data, Context()).data
    return data


@pytest.mark.parametrize(
    ("at_a_time", "together"),
    [
        (1, [["a"], ["b"], ["c"], ["d"], ["e"]]),
        (2, [["a", "b"], ["c", "d"], ["e"]]),
        (3, [["a", "b", "c"], ["d", "e"]]),
    ],
)
def test_columns_are_cut_in_their_order(at_a_time: int, together: list[list[str]]) -> None:
    data = table()
    masked = Microaggregation(MDAV(k=3), attributes_at_a_time=at_a_time).protect(data, Context())
    assert same(masked.data, one_by_one(data, together))
    assert masked.groups is None
    assert masked.claims == ()
    assert f"{len(together)} groups of attributes" in masked.notes[0]
    assert "no k-anonymity" in masked.notes[0]


@pytest.mark.parametrize("at_a_time", [5, 6, 100])
def test_all_at_a_time_is_the_default(at_a_time: int) -> None:
    data = table()
    whole = Microaggregation(MDAV(k=3)).protect(data, Context())
    masked = Microaggregation(MDAV(k=3), attributes_at_a_time=at_a_time).protect(data, Context())
    assert same(masked.data, whole.data)
    assert masked.claims == whole.claims == (Claim("k-anonymity", 3),)
    assert masked.groups is not None
    assert masked.notes == ()


def test_groups_of_attributes_by_name() -> None:
    data = table()
    method = Microaggregation(MDAV(k=3), attribute_groups=["c+a", "e", " b + d "])
    masked = method.protect(data, Context())
    assert same(masked.data, one_by_one(data, [["c", "a"], ["e"], ["b", "d"]]))


def test_a_plan_holds_them() -> None:
    method = Microaggregation(attribute_groups=["a+b", "c"], dominance=0.5)
    assert build("method", method.recipe()) == method


def test_a_name_with_a_plus_is_found_as_a_whole() -> None:
    names = ("x", "x+y", "y", "++")
    data = table(names=names)
    given = Microaggregation(MDAV(k=3), attribute_groups=["y+x+y", "+++x"])
    masked = given.protect(data, Context()).data
    assert same(masked, one_by_one(data, [["y", "x+y"], ["++", "x"]]), names)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["a+b", "c+d"], "'e' is in none; add it to one, or a group of its own"),
        (["a+b", "c+d+e+a"], "'a' is in 2; name it once"),
        (["a+a", "b+c+d+e"], "'a' is in 2"),
        (["a+bb", "c+d+e"], "names 'bb', which is not a treated column; did you mean 'b'"),
        (["a+b+c+d+e", ""], "names '', which is not a treated column"),
        ([], "'a' is in none"),
    ],
)
def test_each_column_is_in_exactly_one_group(given: list[str], message: str) -> None:
    with pytest.raises(UsageError) as error:
        Microaggregation(attribute_groups=given).protect(table(), Context())
    assert message in str(error.value)


def test_both_ways_at_once_are_refused() -> None:
    method = Microaggregation(attributes_at_a_time=2, attribute_groups=["a+b+c+d+e"])
    with pytest.raises(UsageError, match="either attributes_at_a_time or attribute_groups"):
        method.protect(table(), Context())


def test_k_anonymity_is_claimed_if_one_group_has_all_quasi_identifiers() -> None:
    data = with_unit(ordinary([discreet.Kind.CONTINUOUS]), "record")
    names = [*data.quasi_identifiers, "diagnosis"]
    method = Microaggregation(
        MDAV(k=4), columns=names, attribute_groups=["height+income", "diagnosis"]
    )
    release = discreet.protect(data, method, seed=1)
    assert [claim.measure for claim in release.claims] == ["k-anonymity"]
    assert release.groups is None
    cut = Microaggregation(MDAV(k=4), attributes_at_a_time=1)
    assert discreet.protect(data, cut, seed=1).claims == ()


@pytest.mark.parametrize("replacement", [e.spec.name for e in entries("replacement")])
@pytest.mark.parametrize("partition", [e.spec.name for e in entries("partition")])
def test_partitions_and_replacements_combine(partition: str, replacement: str) -> None:
    one = find("partition", partition).example()
    other = find("replacement", replacement).example()
    data = ordinary([kind for kind in one.spec.kinds if kind in other.spec.kinds])
    method = Microaggregation(one, other, attributes_at_a_time=2)
    first = method.protect(data, Context(Randomness(1))).data
    again = method.protect(data, Context(Randomness(1))).data
    assert same(first, again, data.schema.names)


def census(folder: Path) -> Microdata:
    data = discreet.read(folder / "casc_census.csv")
    return data.with_attributes(
        [discreet.microdata.Attribute(a.name, discreet.Role.QUASI_IDENTIFIER) for a in data.schema]
    )


def test_losses_on_census(reference_data: Path) -> None:
    data = census(reference_data)
    measure: Any = build("measure", "sse-sst")

    def percent(method: Any) -> float:
        masked = method.protect(data, Context())
        pairing = Pairing.same_order(len(data))
        return float(100 * measure.score(data, masked.data, Context(), pairing).value)

    whole = percent(Microaggregation(MDAV(k=3)))
    by_threes = percent(Microaggregation(MDAV(k=3), attributes_at_a_time=3))
    fixed = percent(IndividualRanking(k=3, optimal=False))
    optimal = percent(IndividualRanking(k=3))
    assert round(whole, 4) == 5.6922
    assert by_threes == pytest.approx(1.0747, abs=5e-5)
    assert fixed == pytest.approx(0.1073, abs=5e-5)
    assert optimal == pytest.approx(0.1029, abs=5e-5)
    assert percent(Microaggregation(MDAV(k=3), dominance=0.5)) > whole


def test_the_rule_in_a_release() -> None:
    data = table()
    method = Microaggregation(MDAV(k=3), dominance=0.4)
    release = discreet.protect(data, method, seed=1)
    assert release.groups is not None
    assert release.groups.sizes.min() >= 3
    assert [claim.bound for claim in release.claims] == [3]
    assert any("dominance rule of 40 %" in note for note in release.notes)


def test_the_rule_needs_a_column_of_magnitudes() -> None:
    data = discreet.read(
        {"x": np.arange(12.0) - 6, "town": list("abcd") * 3, "pay": np.arange(12.0) + 20},
        dict.fromkeys(["x", "town"], "quasi-identifier"),
    )
    with pytest.raises(DataError, match="none among 'x', 'town'; leave out dominance"):
        Microaggregation(dominance=0.5).protect(data, Context())
    method = Microaggregation(columns=["x", "town", "pay"], attributes_at_a_time=1, dominance=0.5)
    assert "in pay" in method.protect(data, Context()).notes[-1]
