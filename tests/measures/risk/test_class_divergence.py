"""X² of eq. 13 by hand, by an obvious twin, and by lot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Groups, Pairing
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
QI = "quasi-identifier"
X2: Any = build("measure", "class-divergence")


def read(age: list[Any], ill: list[Any]) -> discreet.Microdata:
    return discreet.read(
        {"age": age, "ill": ill},
        roles={"age": QI, "ill": "confidential"},
        kinds={"ill": "nominal"},
    )


def test_figure_1_of_the_paper() -> None:
    # One group of circles and two of squares, as many of each: F = 1/3, 2/3.
    data = read([1, 1, 1, 2, 2, 2, 3, 3, 3], list("cccssssss"))
    score = X2.score(data, data, Context())
    # Circles: (3 − 1)²/1 + (0 − 2)²/2 = 6; squares: (0 − 1)²/1 + (3 − 2)²/2 = 1.5.
    assert score.per_record.tolist() == [6.0] * 3 + [1.5] * 6
    assert score.value == 3.0


def test_groups_like_the_whole_have_none() -> None:
    data = read([1, 1, 1, 2, 2, 2], list("cssscs"))
    assert X2.score(data, data, Context()).value == pytest.approx(0, abs=1e-12)


@LAW
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([*"abcd", None])), min_size=1, max_size=40
    )
)
def test_the_twin_agrees(rows: list[tuple[int, str | None]]) -> None:
    ages, ills = [a for a, _ in rows], [b for _, b in rows]
    total = 0.0
    for age in set(ages):
        mine = [b for a, b in rows if a == age]
        for ill in set(ills):
            expected = len(mine) * ills.count(ill) / len(rows)
            total += (mine.count(ill) - expected) ** 2 / expected
    data = read(ages, ills)
    own = Pairing(np.arange(len(rows)), Groups(np.array(ages)))
    value = X2.score(data, data, Context(), own).value
    assert value == pytest.approx(total / len(set(ages)), abs=1e-9)


def test_the_groups_of_the_method_follow_the_pairing() -> None:
    data = read([1, 2, 3, 4], list("aabb"))
    order = np.array([3, 1, 2, 0])
    groups = Groups(np.array([7, 7, 9, 9]))
    score = X2.score(data, data.take(order), Context(), Pairing(order, groups))
    assert score.value == 2.0
    assert score.detail["groups"] == 2
    assert "method" in score.note
    mixed = Pairing(order, Groups(np.array([0, 1, 0, 1])))
    assert X2.score(data, data.take(order), Context(), mixed).value == 0


def test_groups_drawn_by_lot_have_what_is_expected_of_them() -> None:
    rng = np.random.default_rng(4)
    ills = rng.choice(["a", "b", "c"], 300, p=[0.2, 0.3, 0.5]).tolist()
    values = []
    for _ in range(60):
        data = read((rng.permutation(300) // 6).tolist(), ills)
        score = X2.score(data, data, Context())
        values.append(score.value)
        expected = score.detail["expected if groups were drawn at random"]["ill"]
    assert expected == pytest.approx(2 * (300 - 6) / 299)
    assert np.mean(values) == pytest.approx(expected, rel=0.03)


def test_numbers_are_cut_at_their_quantiles() -> None:
    data = discreet.read(
        {"age": [1, 1, 2, 2], "pay": [10.0, 20.0, 30.0, 40.0]},
        roles={"age": QI, "pay": "confidential"},
    )
    assert X2.score(data, data, Context()).value == 2.0
    four = build("measure", {"class-divergence": {"classes": 4}})
    # Two of four classes with 1 where ½ is expected, two with 0.
    assert four.score(data, data, Context()).value == pytest.approx(2.0)  # type: ignore[attr-defined]


def test_without_confidential_columns_it_does_not_apply() -> None:
    data = discreet.read({"age": [1, 2]}, roles={"age": QI})
    with pytest.raises(NotApplicable, match="confidential"):
        X2.score(data, data, Context())


def test_records_that_are_alone_have_nothing_to_compare() -> None:
    data = discreet.read(
        {"age": [20, 30, 40, 50], "ill": ["y", "n", "y", "n"]},
        roles={"age": "quasi-identifier", "ill": "confidential"},
    )
    with pytest.raises(NotApplicable, match="formed no groups"):
        X2.score(data, data, Context())
