from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.contracts import Better, Context, Pairing, Randomness, Score
from discreet.errors import NotApplicable
from discreet.measures.risk import strongest_linkage
from discreet.measures.risk.strongest_linkage import StrongestLinkage

QI = "quasi-identifier"


def numbers(path: Path) -> discreet.Microdata:
    data = discreet.read(path)
    names = [attribute.name for attribute in data.schema if attribute.continuous]
    return discreet.read(path, roles=dict.fromkeys(names, QI))


def strongest(data: discreet.Microdata, method: discreet.Method, knows: bool = True) -> Score:
    release = discreet.protect(data, method, seed=1)
    return StrongestLinkage(method_knowledge=knows).score(
        data, release.data, Context(Randomness(1)), release.pairing
    )


def test_rank_swapping_of_census_hides_nobody(reference_data: Path) -> None:
    """Nin, Herranz & Torra (2008): windows of ranks, intersected; published within three points."""
    data = numbers(reference_data / "casc_census.csv")
    for p, linked in ((10, 0.998), (15, 0.99), (20, 0.94)):
        score = strongest(data, discreet.RankSwapping(p=p))
        assert score.value == pytest.approx(linked, abs=0.03)
        assert score.detail["winner"] == "rank-window-linkage"


def test_attribute_groups_of_census_hide_nobody(data_files: Path) -> None:
    data = numbers(data_files / "casc_census.csv")
    mdav = discreet.partition.MDAV(k=10)
    apart = strongest(data, discreet.Microaggregation(mdav, attributes_at_a_time=3))
    assert apart.value >= 0.996
    together = strongest(data, discreet.Microaggregation(discreet.partition.MDAV(k=5)))
    # Each group of k has one right link on average; chance moves that by little.
    assert together.value <= 0.2 + 3 * (0.2 * 0.8 / len(data)) ** 0.5


def invented(rows: int = 300) -> discreet.Microdata:
    draw = np.random.default_rng(7)
    common = draw.normal(size=rows)
    values = {f"x{c}": common + draw.normal(size=rows) for c in range(6)}
    return discreet.read(values, roles=dict.fromkeys(values, QI))


def test_the_knowing_intruder_undoes_rank_swapping() -> None:
    data = invented()
    knowing = strongest(data, discreet.RankSwapping(p=15))
    ignorant = strongest(data, discreet.RankSwapping(p=15), knows=False)
    assert knowing.value > ignorant.value + 0.2
    assert "rank-window-linkage" not in ignorant.detail["success"]
    # Both stand side by side; who asks about the ignorant one alone has no other.
    assert knowing.ignorant == pytest.approx(ignorant.value, abs=0.05)
    assert "without knowing the method" in knowing.note
    assert ignorant.ignorant is None


def test_the_knowing_intruder_sees_through_correlated_noise() -> None:
    score = strongest(invented(), discreet.AdditiveNoise(alpha=0.3))
    assert score.detail["success"]["difference-linkage"] > (
        score.detail["success"]["nearest-linkage"] + 0.1
    )


def test_microaggregation_of_all_columns_keeps_its_bound() -> None:
    score = strongest(invented(), discreet.Microaggregation(discreet.partition.MDAV(k=5)))
    assert score.value <= 0.2 + 3 * (0.2 * 0.8 / 300) ** 0.5


def test_an_estimate_is_not_above_what_any_attack_can_reach() -> None:
    """Balanced chances of a sample linked 6 % of the records of groups of 50."""
    data = invented(4_000)
    release = discreet.protect(data, discreet.Microaggregation(discreet.partition.MDAV(k=50)), 1)
    score = StrongestLinkage().score(data, release.data, Context(Randomness(1)), release.pairing)
    assert release.pairing is not None
    assert release.pairing.groups is not None
    groups = len(set(release.pairing.groups.labels.tolist()))
    assert score.interval is not None
    assert score.value <= score.interval[1] <= groups / 4_000
    assert max(score.detail["success"].values()) <= groups / 4_000
    assert score.value > 0.3 * groups / 4_000, "each group has one right link on average"


def test_a_claim_can_rest_on_it() -> None:
    data = invented()
    with pytest.raises(discreet.ClaimError, match="strongest-linkage"):
        discreet.protect(data, discreet.RankSwapping(p=10), claims={"strongest-linkage": 0.05})
    mdav = discreet.Microaggregation(discreet.partition.MDAV(k=30))
    release = discreet.protect(data, mdav, seed=2, claims={"strongest-linkage": 0.2})
    assert any(claim.measure == "strongest-linkage" for claim in release.claims)


def test_without_the_method_it_says_who_did_not_try() -> None:
    data = invented(60)
    copy = data.take(np.arange(60))
    score = StrongestLinkage().score(data, copy, Context(), Pairing.same_order(60))
    assert "knows the method" in score.note


def test_synthetic_records_are_nobodys() -> None:
    with pytest.raises(NotApplicable):
        StrongestLinkage().score(invented(30), invented(30), Context(), None)


def test_an_unprotected_file_confuses_only_those_who_are_alike() -> None:
    data = discreet.read({"age": [20, 20, 40, 60]}, roles={"age": "quasi-identifier"})
    score = StrongestLinkage().score(data, data, Context(), Pairing.same_order(4))
    assert score.value == 0.75
    assert score.per_record is not None
    assert score.per_record.tolist() == [0.5, 0.5, 1.0, 1.0]


def test_of_a_large_file_no_more_is_tried_once_nearly_everybody_is_linked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = invented(60)
    copy = data.take(np.arange(60))
    whole = StrongestLinkage().score(data, copy, Context(), Pairing.same_order(60))
    monkeypatch.setattr(strongest_linkage, "ENOUGH_PEOPLE", 50)
    short = StrongestLinkage().score(data, copy, Context(), Pairing.same_order(60))
    assert len(whole.detail["success"]) > len(short.detail["success"]) == 1
    assert short.value == whole.value == 1.0
    assert all("already" in reason for reason in short.detail["left out"].values())


def test_the_luckiest_attack_is_no_skill_but_a_claim_is_held_to_it() -> None:
    draw = np.random.default_rng(3)
    values = []
    for seed in range(6):
        tables = ({c: draw.normal(size=50) for c in "abc"} for _ in range(2))
        data, other = (discreet.read(t, roles=dict.fromkeys("abc", QI)) for t in tables)
        score = StrongestLinkage().score(
            data, other, Context(Randomness(seed)), Pairing.same_order(50)
        )
        most = max(score.detail["success"].values())
        assert score.at_worst(StrongestLinkage.spec.better) == most
        assert score.per_record is not None
        assert score.per_record.mean() == pytest.approx(score.value)
        values.append((score.value, most))
    value, most = np.mean(values, axis=0)
    assert value < 0.02 + 2 * np.std(values, axis=0)[0] / 6**0.5 < most


def test_what_is_more_than_luck_is_the_largest_success_and_exact() -> None:
    score = strongest(invented(), discreet.Microaggregation(discreet.partition.MDAV(k=10)))
    assert score.value == max(score.detail["success"].values())
    assert score.interval is None


def test_a_risk_that_is_large_enough_is_not_looked_at_further() -> None:
    data = invented()
    release = discreet.protect(data, discreet.RankSwapping(p=15), seed=1)

    def scored(enough: float | None) -> Score:
        context = replace(Context(Randomness(1)), enough=enough)
        return StrongestLinkage().score(data, release.data, context, release.pairing)

    whole, not_enough, some = scored(None), scored(0.99), scored(0.05)
    assert not_enough.detail == whole.detail, "the order of the attacks does not matter"
    assert list(not_enough.detail["success"]) == list(whole.detail["success"])
    assert not_enough.at_worst(Better.LOWER) == whole.at_worst(Better.LOWER) <= 0.99
    assert not not_enough.at_least
    assert some.at_least
    assert list(some.detail["success"]) == ["nearest-linkage"]
    assert 0.05 < some.at_worst(Better.LOWER) <= whole.at_worst(Better.LOWER)
    why = some.detail["left out"]["rank-window-linkage"]
    assert why == "nearest-linkage links more than enough already"
