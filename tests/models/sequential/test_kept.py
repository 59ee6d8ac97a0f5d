"""Models that are kept: what is drawn from them later."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import UsageError
from tests.models.sequential.people import people


def test_the_same_seed_draws_the_same_records_and_another_does_not() -> None:
    model = discreet.SequentialRegression().fitted(people(), Context(Randomness(1)))
    one, same, other = (model.draw(50, Context(Randomness(seed))) for seed in (5, 5, 6))
    assert all(np.array_equal(one[n], same[n], equal_nan=True) for n in one.schema.names)
    assert not np.array_equal(one["pay"], other["pay"], equal_nan=True)


def test_draws_follow_the_file_at_any_size() -> None:
    data = people(800)
    model = discreet.CartSynthesis(everything=True).fitted(data, Context(Randomness(1)))
    made = model.draw(5000, Context(Randomness(2)))
    assert len(made) == 5000
    assert made.schema.names == ("age", "sex", "pay", "code")
    old, new = data["pay"], made["pay"]
    assert np.isnan(new).mean() == pytest.approx(np.isnan(old).mean(), abs=0.03)
    assert np.nanmedian(new) == pytest.approx(np.nanmedian(old), rel=0.1)
    by_sex = [np.nanmean(table["pay"][table["sex"] == 0]) for table in (data, made)]
    assert by_sex[1] == pytest.approx(by_sex[0], rel=0.1)


def test_rules_hold_in_what_is_drawn_later() -> None:
    method = discreet.CartSynthesis(everything=True, rules=["if age < 30 then pay < 1500"])
    made = method.fitted(people(), Context(Randomness(1))).draw(3000, Context(Randomness(2)))
    young = made["age"] < 30
    assert young.any()
    assert not (made["pay"][young] >= 1500).any()


def test_what_cannot_be_kept_is_refused() -> None:
    with pytest.raises(UsageError, match="keeps its models only with everything"):
        discreet.CartSynthesis().fitted(people(), Context())
    homes = {"home": np.arange(120) // 2, "age": np.arange(120) % 31}
    data = discreet.read(homes, roles={"home": "household"})
    with pytest.raises(UsageError, match="these form households"):
        discreet.SequentialRegression().fitted(data, Context())
