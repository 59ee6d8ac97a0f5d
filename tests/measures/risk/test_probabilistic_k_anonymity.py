"""Probabilistic k-anonymity is the least size of the private groups, and needs them."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Pairing
from discreet.errors import ClaimError, NotApplicable
from discreet.measures.risk.probabilistic_k_anonymity import ProbabilisticKAnonymity

DATA = discreet.read(
    {"age": [30, 34, 41, 45, 49], "sex": ["f", "f", "m", "m", "m"]},
    roles={"age": "quasi-identifier", "sex": "quasi-identifier"},
)
MOVED = DATA.replace([DATA.column("age").with_values(DATA["age"] + 1)])
BY_SEX = Groups(np.array([0, 0, 1, 1, 1]), least_size=2)


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


def test_records_that_were_left_out_hide_nobody() -> None:
    kept = np.array([0, 1, 2])
    assert score(MOVED.take(kept), Pairing(kept, BY_SEX)) == 1


@pytest.mark.parametrize("pairing", [None, Pairing.same_order(5)])
def test_without_groups_there_is_no_such_figure(pairing: Pairing | None) -> None:
    with pytest.raises(NotApplicable, match="needs the groups that the method made"):
        score(MOVED, pairing)


def test_an_untouched_column_that_tells_records_apart_rules_it_out() -> None:
    with pytest.raises(NotApplicable, match="'age' was released as it was"):
        score(DATA, Pairing(np.arange(5), BY_SEX))
    with pytest.raises(NotApplicable, match="'sex' was released as it was"):
        score(MOVED, Pairing(np.arange(5), Groups(np.zeros(5, dtype=np.int64))))


def test_records_of_no_group_rule_it_out() -> None:
    left_out = Groups(np.array([0, 0, 1, 1, -1]))
    with pytest.raises(NotApplicable, match="in no group"):
        score(MOVED, Pairing(np.arange(5), left_out))


def test_the_gate_measures_the_claim_of_a_perturbed_release(patients: discreet.Microdata) -> None:
    names = [n for n in patients.quasi_identifiers if patients.schema[n].continuous]
    data = patients.drop([n for n in patients.quasi_identifiers if n not in names])
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
    assert "another step" in row.left_out
    # A later step that only touches what the groups cover leaves them as they are.
    rounded = [synthesis, {"rounding": {"columns": ["age"], "base": 1}}]
    covered = discreet.protect(data.drop(["town"]), rounded, seed=1)
    found = discreet.assess(data.drop(["town"]), covered, ["probabilistic-k-anonymity"])
    assert found.risk["probabilistic-k-anonymity"].value >= 10
