"""Claims: how they are told, and bounds that are no numbers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from discreet.contracts.claim import Claim, claim_bound
from discreet.errors import UsageError


def test_a_claim_tells_what_was_measured_once_it_was() -> None:
    assert repr(Claim("t-closeness", 0.25)) == "Claim(t-closeness: 0.25 claimed)"
    measured = Claim("k-anonymity", 5, 7)
    assert repr(measured) == "Claim(k-anonymity: 5 claimed, 7 measured)"
    assert measured != Claim("k-anonymity", 5)


@pytest.mark.parametrize("bound", [5, 5.0, np.int8(5), np.float32(5), Fraction(5)])
def test_any_number_can_be_a_bound(bound: Any) -> None:
    found = claim_bound("k-anonymity", bound)
    assert found == 5
    assert type(found) is float


@pytest.mark.parametrize("bound", [True, "5", None, math.nan, math.inf, 10**400, [5], 5j])
def test_what_is_no_number_is_refused_by_the_name_of_the_measure(bound: Any) -> None:
    with pytest.raises(UsageError, match="the bound of the claim k-anonymity must be a number"):
        claim_bound("k-anonymity", bound)
