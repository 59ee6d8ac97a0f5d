"""What attacks find: exposure, its worst cases, and their order."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Attack, Exposed, Findings, Narrowed


@pytest.mark.parametrize(
    ("spread", "exposure"), [(None, 0.0), (0.0, 1.0), (0.25, 0.75), (1.0, 0.0), (1.5, 0.0)]
)
def test_exposure_is_a_share_even_where_the_spread_grew(
    spread: float | None, exposure: float
) -> None:
    assert Narrowed("pay", 5, spread=spread).exposure == exposure


def test_a_set_is_as_exposed_as_its_worst_column() -> None:
    narrowed = (Narrowed("pay", 5, spread=0.9), Narrowed("ill", 5, spread=0.2))
    assert Exposed(("age is 31",), np.array([0]), narrowed).exposure == pytest.approx(0.8)
    assert Exposed(("age is 31",), np.array([0]), ()).exposure == 0.0


def test_the_most_exposed_come_first_and_of_equals_the_first_of_the_file() -> None:
    found = Findings({}, np.array([0.5, 0.9, 0.5, 0.9, 0.1]), {})
    assert found.most_exposed(4).tolist() == [1, 3, 0, 2]
    assert found.most_exposed(99).tolist() == [1, 3, 0, 2, 4]


def test_an_attack_that_says_nothing_is_a_mistake_of_its_author() -> None:
    with pytest.raises(TypeError, match="Attack does not say how to attack"):
        Attack().run(discreet.read({"age": [1]}), seed=1)
