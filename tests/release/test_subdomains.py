"""Utility within subdomains that the user names."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Pairing

ROLES = {"age": "quasi-identifier", "town": "other"}


def _pair() -> tuple[discreet.Microdata, discreet.Microdata]:
    original = discreet.read({"age": [20, 40, 30, 50], "town": ["A", "A", "B", "B"]}, roles=ROLES)
    # Town A is unchanged, the mean of town B goes from 40 to 50.
    released = discreet.read({"age": [60, 20, 40, 40], "town": ["B", "A", "B", "A"]}, roles=ROLES)
    return original, released


@pytest.mark.parametrize("pairing", [None, Pairing(np.array([3, 0, 2, 1]))])
def test_each_subdomain_is_measured_on_its_own(pairing: Pairing | None) -> None:
    original, released = _pair()
    found = discreet.assess(original, released, ["abim", "k-anonymity"], pairing=pairing, by="town")
    assert found.subdomains["A"].utility["abim"].value == pytest.approx(0)
    assert found.subdomains["B"].utility["abim"].value == pytest.approx(0.25)
    assert found.utility["abim"].value == pytest.approx(5 / 35)
    assert "k-anonymity" not in found.subdomains["A"].risk
    assert "within A" in repr(found)


def test_paired_measures_follow_the_pairing_within_subdomains() -> None:
    original, released = _pair()
    pairing = Pairing(np.array([3, 0, 2, 1]))
    found = discreet.assess(original, released, ["sse-sst"], pairing=pairing, by="town")
    assert found.subdomains["A"].utility["sse-sst"].value == 0
    # Records 30 → 40 and 50 → 60 in town B: 200 over a total of 200.
    assert found.subdomains["B"].utility["sse-sst"].value == pytest.approx(1)


def test_a_continuous_column_has_no_subdomains() -> None:
    original, released = _pair()
    with pytest.raises(discreet.UsageError, match="'age' is continuous"):
        discreet.assess(original, released, by="age")
