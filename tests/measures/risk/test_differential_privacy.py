from __future__ import annotations

import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.accounting import Access, Account, Accounting, Neighbours, Spent
from discreet.errors import NotApplicable
from discreet.measures.risk.differential_privacy import DifferentialPrivacy

DATA = discreet.read({"age": [31, 47]})
AGE = frozenset(["age"])


def context(delta: float, private: frozenset[str] = AGE, copies: int = 1) -> Context:
    account = Account("a", Access.MECHANISM, spent=Spent(0.4, delta, Neighbours.CHANGE, AGE))
    return Context(accounting=Accounting((account, account), private, copies))


def test_it_is_the_sum_of_what_mechanisms_and_copies_spend() -> None:
    assert DifferentialPrivacy().score(DATA, DATA, context(0.0, copies=5)).value == 4.0


def test_a_delta_beyond_the_claimed_one_is_refused() -> None:
    with pytest.raises(NotApplicable, match="δ of 2e-06, but 0 is claimed"):
        DifferentialPrivacy().score(DATA, DATA, context(1e-6))
    assert DifferentialPrivacy(delta=2e-6).score(DATA, DATA, context(1e-6)).value == 0.8


def test_without_the_accounting_of_a_run_there_is_no_figure() -> None:
    with pytest.raises(NotApplicable, match="steps of a run"):
        DifferentialPrivacy().score(DATA, DATA, Context())


def test_a_column_without_noise_leaves_no_figure() -> None:
    with pytest.raises(NotApplicable, match="'age' would be released without noise"):
        DifferentialPrivacy().score(DATA, DATA, context(0.0, frozenset()))
