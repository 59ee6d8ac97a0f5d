"""Household k-anonymity: counted by hand, by two roads, and claimed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.analysis import verify
from discreet.contracts import Context
from discreet.errors import ClaimError, NotApplicable
from discreet.measures.risk.household_k_anonymity import HouseholdKAnonymity
from discreet.measures.risk.k_anonymity import KAnonymity

QI = "quasi-identifier"
ROLES = {"hid": "household", "sex": QI, "age": QI}


def score(data: discreet.Microdata) -> float:
    return HouseholdKAnonymity().score(data, data, Context()).value


def couples(homes: int = 6) -> discreet.Microdata:
    """Households of a woman of 30 and a man of 40, the woman first in every second one."""
    sex = ["f", "m", "m", "f"] * (homes // 2)
    age = [30, 40, 40, 30] * (homes // 2)
    return discreet.read({"hid": np.arange(2 * homes) // 2, "sex": sex, "age": age}, roles=ROLES)


def test_the_order_of_the_members_is_nothing() -> None:
    assert score(couples()) == 6


def test_a_household_of_its_own_kind_is_alone_whatever_its_records_look_like() -> None:
    data = discreet.read(
        {"hid": [1, 1, 2, 2, 3, 3, 3], "sex": list("fmfmffm"), "age": [30] * 7}, roles=ROLES
    )
    assert KAnonymity().score(data, data, Context()).value == 3
    assert score(data) == 1


def test_without_households_or_quasi_identifiers_it_does_not_apply() -> None:
    for roles in ({"age": QI}, {"hid": "household"}):
        data = discreet.read({"hid": [1, 1], "age": [30, 30]}, roles=roles)
        with pytest.raises(NotApplicable):
            score(data)


def test_it_is_claimed_measured_and_counted_again(tmp_path: Path) -> None:
    data = couples()
    noted = discreet.protect(
        data, {"global-recoding": {"k": 2}}, claims={"household-k-anonymity": 6}
    )
    assert ("household-k-anonymity", 6.0) in [(c.measure, c.measured) for c in noted.claims]
    found = verify(noted.write(tmp_path / "out"))
    assert found.holds
    assert (
        Counter(f.measure for f in found.figures if f.counted is not None)["household-k-anonymity"]
        == 2
    )
    with pytest.raises(ClaimError, match="household-k-anonymity is claimed to be at least 7"):
        discreet.protect(data, {"global-recoding": {"k": 2}}, claims={"household-k-anonymity": 7})
