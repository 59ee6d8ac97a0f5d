"""Probabilistic k-anonymity is the least size of the private groups, and needs them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Pairing
from discreet.errors import ClaimError, NotApplicable
from discreet.measures.risk.probabilistic_k_anonymity import ProbabilisticKAnonymity
from discreet.microdata import Role
from discreet.publishing.record import pairing_from

DATA = discreet.read(
    {"age": [30, 34, 41, 45, 49], "sex": ["f", "f", "m", "m", "m"]},
    roles={"age": "quasi-identifier", "sex": "quasi-identifier"},
)
MOVED = DATA.replace([DATA.column("age").with_values(DATA["age"] + 1)])
BY_SEX = Groups(np.array([0, 0, 1, 1, 1]), least_size=2, drawn_columns=frozenset(["age"]))


def score(released: discreet.Microdata, pairing: Pairing | None) -> float:
    return ProbabilisticKAnonymity().score(DATA, released, Context(), pairing).value


def test_it_is_the_least_group_size_in_any_order() -> None:
    order = np.array([3, 0, 4, 1, 2])
    assert score(MOVED, Pairing(np.arange(5), BY_SEX)) == 2
    found = ProbabilisticKAnonymity().score(
        DATA, MOVED.take(order), Context(), Pairing(order, BY_SEX)
    )
    assert found.value == 2
    assert found.per_record is not None
    assert found.per_record.tolist() == [3, 2, 3, 2, 3]


@pytest.mark.parametrize("labels", [[0, 0, 1, 1, 1], [0, 1, 0, 1, 0], [0, 0, 0, 0, 0]])
def test_no_intruder_is_surer_in_all_worlds(labels: list[int]) -> None:
    """Values were drawn within groups, so that all ways to hand them out are equally likely."""
    worlds = [
        world
        for world in permutations(range(5))
        if all(labels[i] == labels[j] for i, j in enumerate(world))
    ]
    surest = max(Counter(world[i] for world in worlds).most_common(1)[0][1] for i in range(5))
    groups = Groups(np.array(labels), drawn_columns=frozenset(["age", "sex"]))
    assert score(MOVED, Pairing(np.arange(5), groups)) == len(worlds) / surest


def test_records_that_were_left_out_hide_nobody() -> None:
    kept = np.array([0, 1, 2])
    assert score(MOVED.take(kept), Pairing(kept, BY_SEX)) == 1


@pytest.mark.parametrize("pairing", [None, Pairing.same_order(5)])
def test_without_groups_there_is_no_such_figure(pairing: Pairing | None) -> None:
    with pytest.raises(NotApplicable, match="needs the groups that the method formed"):
        score(MOVED, pairing)


def test_a_column_that_was_not_drawn_and_differs_within_a_group_rules_it_out() -> None:
    with pytest.raises(NotApplicable, match="'age' was not drawn within the groups"):
        score(MOVED, Pairing(np.arange(5), replace(BY_SEX, drawn_columns=frozenset())))
    one_group = replace(BY_SEX, labels=np.zeros(5, dtype=np.int64))
    way_out = r"'sex' was not .*; draw it together with the others \(columns: \[age, sex\]\)"
    with pytest.raises(NotApplicable, match=way_out):
        score(MOVED, Pairing(np.arange(5), one_group))


@pytest.mark.parametrize("role", [r for r in Role if r is not Role.IDENTIFIER])
def test_columns_of_every_role_count(role: Role) -> None:
    both = ["age", "more"]
    data = discreet.read(
        {"age": [30, 34, 41, 45], "more": [1, 2, 3, 4]}, {"age": "quasi-identifier", "more": role}
    )
    groups = Groups(np.array([0, 0, 1, 1]), drawn_columns=frozenset(["age"]))
    measure = ProbabilisticKAnonymity()
    with pytest.raises(NotApplicable, match="'more' was not drawn") as caught:
        measure.score(data, data, Context(), Pairing(np.arange(4), groups))
    can_be_drawn = role not in (Role.WEIGHT, Role.STRATUM, Role.HOUSEHOLD, Role.PERSON)
    assert ("columns: [age, more]" in str(caught.value)) == can_be_drawn
    drawn = replace(groups, drawn_columns=frozenset(both))
    assert measure.score(data, data, Context(), Pairing(np.arange(4), drawn)).value == 2


def test_rows_in_the_order_of_the_original_rule_it_out() -> None:
    with pytest.raises(NotApplicable, match="rows are in the order of the original"):
        score(MOVED, Pairing(np.arange(5), BY_SEX, in_order=True))


def test_it_is_missing_in_all_records_of_a_group_or_in_none() -> None:
    data = discreet.read({"age": [None, None, 41, 41]}, {"age": "quasi-identifier"})
    groups = Groups(np.array([0, 0, 1, 1]))
    measure = ProbabilisticKAnonymity()
    assert measure.score(data, data, Context(), Pairing(np.arange(4), groups)).value == 2
    across = replace(groups, labels=np.array([0, 1, 0, 1]))
    with pytest.raises(NotApplicable, match="'age' was not drawn"):
        measure.score(data, data, Context(), Pairing(np.arange(4), across))


def test_records_of_no_group_rule_it_out() -> None:
    left_out = Groups(np.array([0, 0, 1, 1, -1]))
    with pytest.raises(NotApplicable, match="in no group"):
        score(MOVED, Pairing(np.arange(5), left_out))


def test_the_gate_measures_the_claim_of_a_perturbed_release(patients: discreet.Microdata) -> None:
    names = [n for n in patients.quasi_identifiers if patients.schema[n].continuous]
    data = patients.drop([n for n in patients.schema.names if n not in names])
    method = discreet.Microaggregation({"mdav": {"k": 4}}, "microperturbation")
    release = discreet.protect(data, method, seed=1)
    [claim] = release.claims
    assert (claim.measure, claim.bound) == ("probabilistic-k-anonymity", 4)
    assert release.groups is not None
    assert claim.measured == release.groups.sizes.min() >= 4


def test_a_claim_beyond_the_groups_stops_the_release() -> None:
    method = discreet.Microaggregation({"mdav": {"k": 2}}, "microperturbation", ["age", "sex"])
    with pytest.raises(ClaimError, match="probabilistic-k-anonymity is claimed to be at least 4"):
        discreet.protect(DATA, method, seed=1, claims={"probabilistic-k-anonymity": 4})


@pytest.mark.parametrize("first", [True, False])
def test_columns_that_another_step_changed_rule_it_out(first: bool) -> None:
    rng = np.random.default_rng(3)
    town = rng.choice(list("abc"), 60).tolist()
    data = discreet.read(
        {"age": rng.normal(40, 9, 60), "pay": rng.normal(9, 2, 60), "town": town},
        roles=dict.fromkeys(("age", "pay", "town"), "quasi-identifier"),
    )
    synthesis = {"hybrid-micro": {"k": 10, "columns": ["age", "pay"]}}
    others = {"pram": {"columns": ["town"], "stay": 0.5}}
    steps = [others, synthesis] if first else [synthesis, others]
    release = discreet.protect(data, steps, seed=1)
    row = discreet.assess(data, release, ["probabilistic-k-anonymity"]).rows[0]
    assert row.left_out is not None
    assert "'town' was not drawn" in row.left_out
    # A later step that sees nothing but drawn columns has nothing of single records to work on.
    rounded = [synthesis, {"rounding": {"columns": ["age"], "base": 1}}]
    covered = discreet.protect(data.drop(["town"]), rounded, seed=1)
    found = discreet.assess(data.drop(["town"]), covered, ["probabilistic-k-anonymity"])
    assert found.risk["probabilistic-k-anonymity"].value >= 10


def test_a_method_that_promises_it_in_vain_says_why() -> None:
    release = discreet.protect(visits(), discreet.HybridMicro(k=10))
    assert release.claims == ()
    [note] = [n for n in release.notes if n.startswith("probabilistic-k-anonymity is not claimed")]
    assert "'pay' was not drawn within the groups" in note
    assert "columns: [age, height, pay]" in note
    with pytest.raises(ClaimError, match="'pay' was not drawn"):
        discreet.protect(visits(), discreet.HybridMicro(k=10), claims=CLAIM)


def test_it_is_claimed_where_the_confidential_column_is_synthetic_too() -> None:
    for method in (
        discreet.HybridMicro(k=10, confidential=True),
        discreet.HybridMicro(k=10, columns=["age", "height", "pay"]),
        discreet.Condensation(k=10, confidential=True),
        discreet.LocalSynthesis(k=10, confidential=True, clusters=2),
    ):
        [claim] = discreet.protect(visits(), method, claims=CLAIM).claims[:1]
        assert claim.measure == "probabilistic-k-anonymity"
        assert claim.measured is not None
        assert claim.measured >= 10


def test_it_is_not_claimed_of_rows_in_order() -> None:
    method = discreet.HybridMicro(k=10, confidential=True)
    release = discreet.protect(visits(), method, shuffle=False)
    assert release.claims == ()
    assert any("rows are in the order of the original" in note for note in release.notes)
    with pytest.raises(ClaimError, match="rows are in the order of the original"):
        discreet.protect(visits(), method, shuffle=False, claims=CLAIM)


def test_a_written_record_still_tells_it(tmp_path: Path) -> None:
    data = visits()
    release = discreet.protect(data, discreet.HybridMicro(k=10, confidential=True))
    folder = release.write(tmp_path / "out")
    pairing = pairing_from(None, folder / "release.csv", len(data))
    found = ProbabilisticKAnonymity().score(data, release.data, Context(), pairing)
    assert found.value == release.claims[0].measured
    in_order = discreet.protect(data, discreet.HybridMicro(k=10, confidential=True), shuffle=False)
    folder = in_order.write(tmp_path / "in order")
    pairing = pairing_from(None, folder / "release.csv", len(data))
    with pytest.raises(NotApplicable, match="rows are in the order"):
        ProbabilisticKAnonymity().score(data, in_order.data, Context(), pairing)


def test_what_is_moved_after_it_was_drawn_is_not_claimed_even_if_it_is_stated() -> None:
    data = visits().drop(["pay"])
    method = discreet.PostMaskingOptimisation({"hybrid-micro": {"k": 10}}, steps=3)
    assert discreet.protect(data, method).claims == ()
    with pytest.raises(ClaimError, match="'age', 'height' were not drawn"):
        discreet.protect(data, method, claims=CLAIM)


CLAIM = {"probabilistic-k-anonymity": 10}


def visits() -> discreet.Microdata:
    """Sixty records whose confidential column follows from the others nearly."""
    rng = np.random.default_rng(3)
    age, height = rng.normal(40, 9, 60), rng.normal(170, 8, 60)
    return discreet.read(
        {"age": age, "height": height, "pay": age + height + rng.normal(0, 1, 60)},
        {"age": "quasi-identifier", "height": "quasi-identifier", "pay": "confidential"},
    )


def test_lists_that_pass_through_may_tell_records_apart() -> None:
    import pyarrow as pa

    keys = {"a": [0.0, 1.0, 2.0] * 4, "b": [1.0, 5.0, 2.0, 7.0] * 3}
    table = pa.table({**keys, "visits": pa.array([[1], [1], [], []] * 3)})
    roles = dict.fromkeys(keys, "quasi-identifier") | {"visits": "other"}
    release = discreet.protect(table, discreet.HybridMicro(k=3), roles=roles, seed=1)
    assert not release.claims
    assert any("'visits' was not drawn" in note for note in release.notes)


def test_an_empty_text_in_all_records_tells_nobody_apart() -> None:
    keys = {"a": [0.0, 1.0, 2.0] * 4, "b": [1.0, 5.0, 2.0, 7.0] * 3}
    roles = dict.fromkeys(keys, "quasi-identifier") | {"remark": "other"}
    release = discreet.protect(
        {**keys, "remark": [""] * 12}, discreet.HybridMicro(k=3), roles=roles, seed=1
    )
    assert "probabilistic-k-anonymity" in {claim.measure for claim in release.claims}
