"""Weighted totals by hand, and their standard errors."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.errors import UsageError
from discreet.measures.analyses.total import Total

PAY = {"pay": [10.0, 20.0, None, 30.0], "sex": ["f", "m", "f", "f"], "w": [1.0, 2.0, 5.0, 3.0]}


def test_totals_by_domain_by_hand() -> None:
    found = Total(("pay",), ("sex",)).figures(discreet.read(PAY, roles={"w": "weight"}))
    assert found.labels == ("total of pay (sex = f)", "total of pay (sex = m)")
    assert found.estimates.tolist() == [100.0, 40.0]


def test_domains_add_up_to_the_file_also_without_weights() -> None:
    data = discreet.read({name: PAY[name] for name in ("pay", "sex")})
    whole = Total(("pay",)).figures(data)
    assert whole.labels == ("total of pay",)
    assert whole.estimates[0] == Total(("pay",), ("sex",)).figures(data).estimates.sum() == 60.0


def test_the_error_is_that_of_a_sample_with_replacement() -> None:
    data = discreet.read(PAY, roles={"w": "weight"})
    parts = np.array([10.0, 40.0, 0.0, 90.0])
    error = np.sqrt(4 / 3 * ((parts - parts.mean()) ** 2).sum())
    assert Total(("pay",)).figures(data).errors == pytest.approx([error])


def test_a_column_that_is_not_there_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'pay'"):
        Total(("pya",)).columns(discreet.read(PAY))
