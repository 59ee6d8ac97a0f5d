from __future__ import annotations

from discreet.contracts.accounting import Access, Account, Accounting, Neighbours, Spent


def mechanism(epsilon: float, neighbours: Neighbours = Neighbours.CHANGE) -> Account:
    spent = Spent(epsilon, 1e-7, neighbours, frozenset(["age"]))
    return Account("step 1", Access.MECHANISM, spent=spent)


def test_what_is_spent_adds_up_over_steps_and_copies_in_decimals() -> None:
    run = Accounting((mechanism(0.1), mechanism(0.2)), frozenset(["age"]), copies=3)
    assert run.epsilon == 0.9
    assert run.delta == 6e-7
    assert run.objections(["age"]) == []


def test_a_step_outside_the_accounting_speaks_first() -> None:
    outside = Account("step 2", Access.OUTSIDE, "step 2 reads the data")
    run = Accounting((mechanism(1), outside), frozenset(), against=("calibrate",))
    assert run.objections(["age"]) == ["step 2 reads the data", "calibrate"]


def test_a_column_that_no_mechanism_made_is_named() -> None:
    run = Accounting((mechanism(1),), frozenset(["age"]))
    [said] = run.objections(["age", "town"])
    assert "'town' would be released without noise" in said


def test_different_neighbours_do_not_add_up() -> None:
    run = Accounting((mechanism(1), mechanism(1, Neighbours.PRESENCE)), frozenset(["age"]))
    [said] = run.objections(["age"])
    assert "does not add up" in said


def test_without_a_mechanism_there_is_nothing_to_claim() -> None:
    assert "no step" in Accounting(()).objections(["age"])[0]


def test_what_is_stated_in_public_has_no_reason_that_names_columns() -> None:
    outside = Account("step 2", Access.OUTSIDE, "because of 'town'")
    stated = Accounting((mechanism(0.5), outside), copies=2).plain()
    assert stated["epsilon"] == 1.0
    assert stated["steps"][0] == {
        "step": "step 1",
        "reads the data as": "differentially private mechanism",
        "epsilon": 0.5,
        "delta": 1e-7,
    }
    assert stated["steps"][1] == {"step": "step 2", "reads the data as": "outside the accounting"}
