"""Microaggregation by groups of attributes, individual ranking, and the dominance rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Claim, DataError, IndividualRanking, Microaggregation, Microdata, UsageError
from discreet.contracts import Context, Groups, Pairing, Randomness
from discreet.contracts.registry import build, entries, find
from discreet.microaggregation.dominance import without_dominance
from discreet.microaggregation.partition import MDAV, OptimalUnivariate, Ranking
from discreet.testing.tables import ordinary

LAW = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
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
    data = ordinary([discreet.Kind.CONTINUOUS])
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


def test_individual_ranking_is_ranking_one_at_a_time() -> None:
    data = table()
    for method, partition in (
        (IndividualRanking(k=4), OptimalUnivariate(k=4)),
        (IndividualRanking(k=4, optimal=False), Ranking(k=4)),
    ):
        masked = method.protect(data, Context())
        each = Microaggregation(partition, attributes_at_a_time=1).protect(data, Context())
        assert same(masked.data, each.data)
        assert masked.claims == ()
    fixed = IndividualRanking(k=4, optimal=False).protect(data, Context()).data
    for name in NAMES:
        values = np.sort(data[name])
        means = [values[i : i + 4].mean() for i in range(0, 24, 4)]
        expected = np.repeat([*means, values[24:].mean()], [4] * 6 + [6])
        np.testing.assert_allclose(np.sort(fixed[name]), expected, rtol=1e-14)


def test_individual_ranking_of_one_quasi_identifier_is_k_anonymous() -> None:
    release = discreet.protect(table(names=("a",)), IndividualRanking(k=4), seed=1)
    assert [claim.bound for claim in release.claims] == [4]


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


def largest_share(values: Any, labels: Any) -> float:
    shares = []
    for group in set(labels.tolist()):
        members = values[labels == group]
        shares.append(members.max() / members.sum() if members.sum() else 0.0)
    return float(max(shares))


@LAW
@given(
    st.integers(6, 60),
    st.integers(2, 5),
    st.sampled_from([0.15, 0.3, 0.5, 0.9, 1.0]),
    st.integers(0, 2**32 - 1),
)
def test_after_merging_nobody_dominates(n: int, k: int, share: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = {"x": rng.lognormal(0, 1.5, n), "y": rng.integers(0, 3, n).astype(float)}
    data = discreet.read(columns, dict.fromkeys(columns, "quasi-identifier"))
    before = MDAV(k=k).groups(data, ["x", "y"], Context())
    alone = any(data[c].max() > share * data[c].sum() * (1 + 1e-9) for c in columns)
    if alone:
        with pytest.raises(DataError, match=r"cannot be kept: .* groups break it, and in column"):
            without_dominance(data, ["x", "y"], before, share)
        return
    after, _ = without_dominance(data, ["x", "y"], before, share)
    assert after.sizes.min() >= k
    assert sorted(set(after.labels.tolist())) == list(range(after.count))
    for name in columns:
        assert largest_share(data[name], after.labels) <= share * (1 + 1e-9)
    # Merged groups are unions: no group is cut, and one that kept the rule alone may stay.
    for group in range(before.count):
        assert len(set(after.labels[before.labels == group].tolist())) == 1


def test_groups_that_keep_the_rule_stay_as_they_are() -> None:
    data = discreet.read({"x": [5.0, 5.0, 5.0, 9.0, 9.0, 9.0]})
    groups = Groups(np.array([1, 1, 1, 0, 0, 0]), least_size=3)
    after, said = without_dominance(data, ["x"], groups, 1 / 3)
    assert after.labels.tolist() == groups.labels.tolist()
    assert "0 of 2 groups broke it, and 2 groups are left" in said


def test_missing_values_contribute_nothing_and_zeros_dominate_nobody() -> None:
    data = discreet.read({"x": [0.0, 0.0, None, 4.0, 4.0, 1.0]})
    groups = Groups(np.array([0, 0, 0, 1, 1, 1]), least_size=3)
    assert without_dominance(data, ["x"], groups, 0.5)[0].count == 2
    assert without_dominance(data, ["x"], groups, 0.45)[0].count == 2
    with pytest.raises(DataError, match="top-code"):
        without_dominance(data, ["x"], groups, 0.4)


@pytest.mark.parametrize("scale", [1e-130, 1e130])
def test_shares_do_not_depend_on_the_unit(scale: float) -> None:
    values = np.array([1.0, 1.0, 1.0, 9.0, 2.0, 2.0, 2.0, 2.0, 5.0])
    groups = Groups(np.arange(9) // 3, least_size=3)
    data = discreet.read({"x": values * scale})
    plain = discreet.read({"x": values})
    found = without_dominance(data, ["x"], groups, 0.6)[0].labels
    assert found.tolist() == without_dominance(plain, ["x"], groups, 0.6)[0].labels.tolist()


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
