"""Conditions on the classes of a recoding, and when no recoding can meet them."""

from __future__ import annotations

import pytest

import discreet
from discreet.errors import UsageError
from discreet.methods.nonperturbative.full_domain.automatic import automatic
from discreet.methods.nonperturbative.full_domain.combinations import Combinations
from discreet.methods.nonperturbative.full_domain.conditions import Conditions, Judge
from discreet.methods.nonperturbative.full_domain.lattice import Verdict


def test_l_without_a_confidential_column_is_refused() -> None:
    data = discreet.read({"sex": ["f", "m"]})
    with pytest.raises(UsageError, match="needs a column with the role confidential"):
        Conditions(data, 2, l=2, owner="GlobalRecoding")


def test_t_closeness_is_hopeless_only_without_suppression() -> None:
    data = discreet.read(
        {"sex": ["f", "f", "m", "m"], "ill": ["a", "a", "b", "b"]}, roles={"ill": "confidential"}
    )
    crowd = Combinations([automatic(data.column("sex"))])
    assert Judge(crowd, Conditions(data, 2, t=0.2), 0)((0,)) == Verdict(None, hopeless=True)
    assert Judge(crowd, Conditions(data, 2, t=0.2), 3)((0,)) == Verdict(None, hopeless=False)
