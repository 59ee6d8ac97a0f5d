"""Interval disclosure against loops over every value, width and kind of interval."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Pairing
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.microaggregation.partition import MDAV
from discreet.publishing.record import pairing_from
from tests.few_models import FEW

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
ID: Any = build("measure", "interval-disclosure")
QI = "quasi-identifier"


def ages(values: Sequence[float | None]) -> discreet.Microdata:
    return discreet.read({"age": np.array(values, dtype=float)}, roles={"age": QI})


def slow_disclosure(
    original: list[float | None], released: list[float | None], widest: int
) -> tuple[float, float]:
    """The shares of values disclosed by rank and by standard deviation."""
    present = sorted(v for v in released if v is not None)
    n, deviation = len(released), float(np.std(present, ddof=1)) if len(present) > 1 else 0.0
    by_rank, by_sd, values = 0, 0, 0
    for before, after in zip(original, released, strict=True):
        if before is None:
            continue
        values += widest
        if after is None:
            continue
        for p in range(1, widest + 1):
            places = n * p // 100
            first = present.index(after)
            last = first + present.count(after) - 1
            low = present[max(first - places, 0)]
            high = present[min(last + places, len(present) - 1)]
            by_rank += low <= before <= high
            by_sd += abs(before - after) <= p / 100 * deviation
    return by_rank / values, by_sd / values


def test_a_small_table_by_hand() -> None:
    # A hundred records, so that p % of them is p places.
    original = [float(i) for i in range(100)]
    released = original.copy()
    released[50] = 53.5  # by rank from p = 4 on: below it stand 53, 52, 51 and 49
    released[0] = 200.0  # beyond all others: ten places below it is 90
    score = ID.score(ages(original), ages(released), Context(), Pairing.same_order(100))
    by_rank = score.detail["by width"]["rank"]
    assert list(by_rank.values()) == pytest.approx([0.98] * 3 + [0.99] * 7)
    deviation = np.std(released, ddof=1)
    first = int(np.ceil(100 * 3.5 / deviation))
    assert score.detail["sd"] == pytest.approx((98 + (11 - first) / 10) / 100)
    assert score.per_record[0] == 0
    assert score.per_record[1] == 1
    assert score.value == pytest.approx((score.detail["rank"] + score.detail["sd"]) / 2)
    assert score.value == pytest.approx(score.per_record.mean())


numbers = st.none() | st.integers(0, 30).map(float)


@LAW
@given(
    st.lists(st.tuples(numbers, numbers), min_size=1, max_size=60),
    st.integers(1, 40),
)
def test_the_parts_are_those_of_the_loops(
    rows: list[tuple[float | None, float | None]], widest: int
) -> None:
    original, released = [a for a, _ in rows], [b for _, b in rows]
    measure: Any = build("measure", {"interval-disclosure": {"widest": widest}})
    pairing = Pairing.same_order(len(rows))
    if all(v is None for v in original):
        with pytest.raises(NotApplicable, match="no original value"):
            measure.score(ages(original), ages(released), Context(), pairing)
        return
    score = measure.score(ages(original), ages(released), Context(), pairing)
    rank, sd = slow_disclosure(original, released, widest)
    assert score.detail["rank"] == pytest.approx(rank)
    assert score.detail["sd"] == pytest.approx(sd)
    assert score.value == pytest.approx((rank + sd) / 2)


def test_ordinal_columns_count_by_their_places() -> None:
    grades = ["low", "middle", "high"]
    kinds: Any = {"grade": grades}
    original = discreet.read({"grade": grades * 40}, roles={"grade": QI}, kinds=kinds)
    moved = ["middle", "middle", "high"] * 40
    released = discreet.read({"grade": moved}, roles={"grade": QI}, kinds=kinds)
    score = ID.score(original, released, Context(), Pairing.same_order(120))
    # "low" became "middle": a third of the values is not inside any interval.
    assert score.detail["rank"] == pytest.approx(2 / 3)
    assert score.detail["sd"] == pytest.approx(2 / 3)


def test_the_pairing_leads_to_the_original() -> None:
    original, released = ages([10, 20, 30, 40]), ages([40, 10])
    right = ID.score(original, released, Context(), Pairing(np.array([3, 0])))
    wrong = ID.score(original, released, Context(), Pairing(np.array([0, 3])))
    assert (right.value, wrong.value) == (1.0, 0.0)


def test_by_column_and_per_record() -> None:
    roles = {"a": QI, "b": QI}
    original = discreet.read({"a": [1.0, 2.0, 3.0], "b": [1.0, 5.0, None]}, roles=roles)
    released = discreet.read({"a": [1.0, 2.0, 3.0], "b": [9.0, 5.0, 7.0]}, roles=roles)
    score = ID.score(original, released, Context(), Pairing.same_order(3))
    assert score.detail["by column"] == {"a": 1.0, "b": 0.5}
    assert score.detail["values"] == score.value == pytest.approx(4 / 5)
    # Of three records two have all their values inside; what is missing is not counted against.
    assert score.detail["records"] == pytest.approx(2 / 3)
    assert "of records with all their values inside 66.7%" in score.note
    assert score.per_record.tolist() == [0.5, 1.0, 1.0]
    assert score.value == pytest.approx(4 / 5)


def test_a_label_discloses_what_its_width_allows() -> None:
    # Ten labels of ten records, each a tenth of the values wide, for 100 whole numbers.
    values = list(range(100))
    tens = discreet.read(
        {"age": [f"{v // 10 * 10}–{v // 10 * 10 + 9}" for v in values]}, roles={"age": QI}
    )
    score = ID.score(ages(values), tens, Context(), Pairing.same_order(100))
    # The half-width 4.5 is p % of a deviation of 28.9 from p = 16 on; ten records are at most
    # 2p + 1 of them from p = 5 on.
    assert score.detail["sd"] == 0
    assert score.detail["by width"]["rank"]["4 %"] == 0
    assert score.detail["by width"]["rank"]["5 %"] == 1
    wide: Any = build("measure", {"interval-disclosure": {"widest": 20}})
    shares = wide.score(ages(values), tens, Context(), Pairing.same_order(100)).detail["by width"][
        "sd"
    ]
    assert (shares["15 %"], shares["16 %"]) == (0, 1)


def test_a_release_that_says_nothing_discloses_nothing() -> None:
    stars = discreet.read({"age": ["*"] * 3}, roles={"age": QI})
    assert ID.score(ages([1, 2, 3]), stars, Context(), Pairing.same_order(3)).value == 0


def test_reasons_for_not_applying() -> None:
    data = ages([1, 2])
    with pytest.raises(NotApplicable, match="came from"):
        ID.score(data, data, Context(), None)
    towns = discreet.read({"town": ["a", "b"]}, roles={"town": QI})
    with pytest.raises(NotApplicable, match="continuous or ordinal"):
        ID.score(towns, towns, Context(), Pairing.same_order(2))
    none = np.zeros(0, dtype=np.int64)
    with pytest.raises(NotApplicable, match="no records"):
        ID.score(data, data.take(none), Context(), Pairing(none))


def test_disclosure_falls_with_k_on_real_data(data_files: Path) -> None:
    path = data_files / "casc_census.csv"
    data = discreet.read(path, roles=dict.fromkeys(discreet.read(path).schema.names, QI))
    shares = [1.0]
    for k in (3, 10, 50):
        release = discreet.protect(data, discreet.Microaggregation(MDAV(k=k)), seed=1)
        shares.append(ID.score(data, release.data, Context(), release.pairing).value)
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] > 0


@pytest.mark.parametrize(
    ("name", "options"), [("hybrid-micro", {}), ("local-synthesis", FEW), ("condensation", {})]
)
def test_records_drawn_within_groups_have_no_original_of_their_own(
    name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    rng = np.random.default_rng(1)
    data = discreet.read(
        {"age": rng.normal(50, 9, 60), "pay": rng.normal(size=60)},
        roles={"age": QI, "pay": QI},
    )
    whole = discreet.protect(data, {name: {"k": 20, **options}}, seed=1)
    with pytest.raises(NotApplicable, match="drawn within groups"):
        ID.score(data, whole.data, Context(), whole.pairing)
    # Read back from the private record it is still known.
    whole.write(tmp_path / "out", assessment=discreet.assess(data, whole, ["k-anonymity"]))
    kept = pairing_from(None, tmp_path / "out/release.csv", 60)
    assert kept is not None
    with pytest.raises(NotApplicable, match="drawn within groups"):
        ID.score(data, whole.data, Context(), kept)
    # A column that is not treated stays with its record, which then has an original.
    part = discreet.protect(data, {name: {"k": 20, "columns": ["age"], **options}}, seed=1)
    assert ID.score(data, part.data, Context(), part.pairing).detail["by column"]["pay"] == 1


def test_group_means_stand_for_the_values_of_their_own_records() -> None:
    data = ages([float(i) for i in range(12)])
    release = discreet.protect(data, discreet.Microaggregation(MDAV(k=3)), seed=1)
    assert 0 < ID.score(data, release.data, Context(), release.pairing).value < 1
