"""Distance linkage and linked-or-second on tables small enough to link by hand."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Pairing, Progress, Randomness
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.measures.linkage.distance import DRAWN
from discreet.measures.linkage.neighbours import Originals, own_among_nearest
from discreet.measures.linkage.sets import Placed
from discreet.measures.risk.distance_linkage import DistanceLinkage
from discreet.microaggregation.partition import MDAV

NEAREST: Any = build("measure", "distance-linkage")
SECOND: Any = build("measure", "linked-or-second")
BOTH = (NEAREST, SECOND)
QI = "quasi-identifier"


def ages(values: list[float | None]) -> discreet.Microdata:
    return discreet.read({"age": values}, roles={"age": QI})


def test_the_nearest_by_hand() -> None:
    original = ages([10, 20, 30, 40])
    # 11 → own; 26 → 30; 21 → 20; 19 → 20.
    score = NEAREST.score(original, ages([11, 26, 21, 19]), Context(), Pairing.same_order(4))
    assert score.per_record.tolist() == [1, 0, 0, 0]


def test_ties_count_one_over_their_number() -> None:
    original, released = ages([10, 20, 30, 40]), ages([15, 15, 35, 35])
    assert NEAREST.score(original, released, Context(), Pairing.same_order(4)).value == 0.5


@pytest.mark.parametrize("measure", [NEAREST, SECOND])
def test_an_unprotected_file_of_different_records_is_linked_whole(measure: Any) -> None:
    data = discreet.read(
        {"age": [10, 20, 30], "town": ["a", "a", "b"]}, roles={"age": QI, "town": QI}
    )
    score = measure.score(data, data, Context(), Pairing.same_order(3))
    assert score.value == 1.0
    assert score.per_record.tolist() == [1, 1, 1]


def test_an_unprotected_file_of_equal_records_is_linked_by_chance() -> None:
    data = ages([5, 5, 5, 5])
    assert NEAREST.score(data, data, Context(), Pairing.same_order(4)).value == 0.25
    assert SECOND.score(data, data, Context(), Pairing.same_order(4)).value == 0.5


def test_columns_are_standardised() -> None:
    # Income in cents would drown the town unless it is divided by its deviation (√(2/3)·10⁶).
    original = discreet.read(
        {"income": [1e6, 2e6, 3e6], "town": ["a", "b", "c"]}, roles={"income": QI, "town": QI}
    )
    released = discreet.read(
        {"income": [1.6e6, 2e6, 3e6], "town": ["a", "b", "c"]}, roles={"income": QI, "town": QI}
    )
    # To the own record (0.6/0.8165)² = 0.54; to the second (0.4/0.8165)² + 1 = 1.24.
    assert NEAREST.score(original, released, Context(), Pairing.same_order(3)).value == 1.0


def test_the_pairing_follows_shuffled_and_chosen_rows() -> None:
    original = ages([10, 20, 30, 40, 50])
    released = ages([49, 11])
    right = NEAREST.score(original, released, Context(), Pairing(np.array([4, 0])))
    wrong = NEAREST.score(original, released, Context(), Pairing(np.array([0, 4])))
    assert (right.value, wrong.value) == (1.0, 0.0)


def test_categories_are_compared_by_name_not_by_number() -> None:
    original = discreet.read({"town": ["a", "b", "c"]}, roles={"town": QI})
    released = discreet.read({"town": ["b", "c"]}, roles={"town": QI})
    score = NEAREST.score(original, released, Context(), Pairing(np.array([1, 2])))
    assert score.value == 1.0


def test_of_a_suppressed_value_nothing_is_known() -> None:
    original = ages([10, 20, 30])
    released = ages([None, 20, 30])
    score = NEAREST.score(original, released, Context(), Pairing.same_order(3))
    assert score.per_record == pytest.approx([1 / 3, 1, 1])
    second = SECOND.score(original, released, Context(), Pairing.same_order(3))
    assert second.per_record == pytest.approx([2 / 3, 1, 1])


def test_a_missing_value_is_a_category_where_nothing_was_suppressed() -> None:
    data = ages([10, None, 30])
    score = NEAREST.score(data, data, Context(), Pairing.same_order(3))
    assert score.per_record == pytest.approx([1, 1, 1])


def test_a_label_is_at_no_distance_from_what_it_stands_for() -> None:
    original = ages([10, 12, 20])
    bands = discreet.read({"age": ["10-19", "10-19", "20-29"]}, roles={"age": QI})
    score = NEAREST.score(original, bands, Context(), Pairing.same_order(3))
    assert score.per_record == pytest.approx([0.5, 0.5, 1])


def test_a_release_that_says_nothing_links_by_chance() -> None:
    original = ages([10, 20, 30, 40])
    stars = discreet.read({"age": ["*"] * 4}, roles={"age": QI})
    score = NEAREST.score(original, stars, Context(), Pairing.same_order(4))
    assert score.value == 0.25
    assert "says nothing about age" in score.note


def test_without_a_pairing_it_does_not_apply() -> None:
    original = ages([10, 20])
    with pytest.raises(NotApplicable):
        NEAREST.score(original, original, Context(), None)


def test_linkage_falls_with_k_on_real_data(data_files: Path) -> None:
    data = discreet.read(data_files / "casc_census.csv")
    roles = dict.fromkeys(data.schema.names, QI)
    data = discreet.read(data_files / "casc_census.csv", roles=roles)
    shares = []
    for k in (2, 10, 50):
        release = discreet.protect(data, discreet.Microaggregation(MDAV(k=k)), seed=1)
        shares.append(NEAREST.score(data, release.data, Context(), release.pairing).value)
    assert 1 > shares[0] > shares[1] > shares[2] > 1 / len(data)
    identity = NEAREST.score(data, data, Context(), Pairing.same_order(len(data))).value
    assert identity == 1.0, "no two records of Census are equal"


def _wide(rows: int, categories: int) -> tuple[discreet.Microdata, discreet.Microdata]:
    rng = np.random.default_rng(7)
    roles = {"a": "quasi-identifier", "b": "quasi-identifier", "c": "quasi-identifier"}
    columns: dict[str, Any] = {
        "a": rng.normal(size=rows).round(1),
        "b": [f"c{i}" for i in rng.integers(0, categories, rows)],
        "c": [None if i == 0 else f"d{i}" for i in rng.integers(0, 4, rows)],
    }
    original = discreet.read(columns, roles=roles)
    moved = {**columns, "a": columns["a"] + rng.normal(size=rows)}
    return original, discreet.read(moved, roles=roles)


def test_many_categories_give_what_their_coordinates_would() -> None:
    original, released = _wide(300, 90)
    rows = np.arange(300)
    coded = DistanceLinkage().score(original, released, Context(), Pairing(rows))
    placed = Placed.of(original, released, original.quasi_identifiers, rows, widest=10_000)
    by_points = own_among_nearest(placed.points, placed.boxes, rows, 1, Context())
    assert coded.per_record == pytest.approx(by_points)
    assert 0.05 < coded.value < 1


def test_both_measures_share_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    original, released = _wide(300, 9)
    searches: list[int] = []
    counted = Originals.nearer

    def nearer(self: Originals, *given: Any) -> Any:
        searches.append(1)
        return counted(self, *given)

    monkeypatch.setattr(Originals, "nearer", nearer)
    alone = [m.score(original, released, Context(), Pairing.same_order(300)) for m in BOTH]
    assert len(searches) == 2
    together = discreet.assess(
        original, released, ["linked-or-second", "distance-linkage"],
        pairing=Pairing.same_order(300),
    )  # fmt: skip
    assert len(searches) == 3
    assert together.risk["distance-linkage"].value == alone[0].value
    assert together.risk["linked-or-second"].value == alone[1].value


def test_a_sample_is_compared_where_all_would_take_too_long() -> None:
    original, released = _wide(4000, 90)
    pairing = Pairing.same_order(4000)
    exact = DistanceLinkage().score(original, released, Context(), pairing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("discreet.measures.linkage.distance.EXACT_RECORDS", 1_000)
        patch.setattr("discreet.measures.linkage.distance.PILOT", 1_000)
        patch.setattr("discreet.measures.linkage.distance.MOST_VISITS", 1)
        sampled = DistanceLinkage().score(original, released, Context(Randomness(3)), pairing)
        patch.setattr("discreet.measures.linkage.distance.MOST_VISITS", 10**9)
        patch.setattr("discreet.measures.linkage.distance.MOST_PAIRS", 1)
        patch.setattr("discreet.measures.linkage.neighbours.TREE_DIMENSIONS", 2)
        compared = DistanceLinkage().score(original, released, Context(Randomness(3)), pairing)
        patch.setattr("discreet.measures.linkage.neighbours.TREE_DIMENSIONS", 3)
        affordable = DistanceLinkage().score(original, released, Context(Randomness(3)), pairing)
    assert affordable.interval is None
    assert affordable.value == exact.value
    assert sampled.interval is not None
    assert sampled.interval == compared.interval, "the same sample, searched otherwise"
    assert sampled.detail["records compared"] == 1_000
    assert "1,000 released records" in sampled.note
    assert abs(sampled.value - exact.value) < 4 * (sampled.interval[1] - sampled.value) / 1.96


def slow_group_share(
    before: np.ndarray, after: np.ndarray, labels: np.ndarray, m: int
) -> list[float]:
    """Any original of the same group counts one over the size of the group as the own one."""
    spread = before.std(axis=0)
    shares = []
    for point, label in zip(after, labels, strict=True):
        distances = np.sqrt((((before - point) / spread) ** 2).sum(axis=1)).round(9)
        total = 0.0
        for other, distance in enumerate(distances):
            nearer, tied = (distances < distance).sum(), (distances == distance).sum()
            if labels[other] == label:
                total += min(max(m - nearer, 0), tied) / tied
        shares.append(total / (labels == label).sum())
    return shares


@pytest.mark.parametrize("name", ["distance-linkage", "linked-or-second"])
@pytest.mark.parametrize("ties", [False, True])
def test_any_original_of_the_group_stands_for_that_of_a_drawn_record(name: str, ties: bool) -> None:
    rng = np.random.default_rng(4)
    before = rng.normal(size=(60, 2))
    after = rng.normal(size=(60, 2))
    if ties:
        # Many originals alike, and released records amid them.
        before, after = before.round(0), after.round(0)
    labels = rng.integers(0, 3, 60)
    table = {"x": QI, "y": QI}
    original, released = (
        discreet.read({"x": v[:, 0], "y": v[:, 1]}, roles=table) for v in (before, after)
    )
    pairing = Pairing(np.arange(60), Groups(labels, drawn=True))
    measure: Any = build("measure", name)
    found = measure.score(original, released, Context(), pairing)
    m = 1 if name == "distance-linkage" else 2
    expected = slow_group_share(before, after, labels, m)
    assert found.per_record == pytest.approx(expected)
    assert found.value == pytest.approx(np.mean(expected))
    # Which record of its group a row is called after makes no difference.
    origin = np.empty(60, dtype=np.int64)
    for group in range(3):
        origin[labels == group] = rng.permutation(np.flatnonzero(labels == group))
    moved = Pairing(origin, pairing.groups)
    again = measure.score(original, released, Context(), moved)
    assert again.per_record == pytest.approx(expected)


def _groups_of(rows: int) -> Groups:
    return Groups(np.random.default_rng(3).integers(0, 4, rows), drawn=True)


@pytest.mark.parametrize("measure", [NEAREST, SECOND])
def test_a_drawn_record_among_many_categories_stands_for_its_group_too(measure: Any) -> None:
    original, released = _wide(300, 90)
    groups = _groups_of(300)
    pairing = Pairing(np.arange(300), groups)
    wide = measure.score(original, released, Context(), pairing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("discreet.measures.linkage.distance.TREE_DIMENSIONS", 10_000)
        by_points = measure.score(original, released, Context(), pairing)
    assert wide.note == by_points.note == DRAWN
    assert wide.per_record == pytest.approx(by_points.per_record)
    assert 0 < wide.value < 2 / groups.sizes.min()


def test_drawn_records_too_are_sampled_where_all_would_take_too_long() -> None:
    original, released = _wide(2000, 90)
    pairing = Pairing(np.arange(2000), _groups_of(2000))
    exact = NEAREST.score(original, released, Context(), pairing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("discreet.measures.linkage.distance.MOST_PAIRS", 1)
        sampled = NEAREST.score(original, released, Context(Randomness(3)), pairing)
    assert sampled.interval is not None
    assert DRAWN in sampled.note
    assert "1,000 released records" in sampled.note
    assert abs(sampled.value - exact.value) < 4 * (sampled.interval[1] - sampled.value) / 1.96


def test_originals_alike_take_no_room_of_their_own() -> None:
    rng = np.random.default_rng(1)
    original = ages(rng.integers(0, 2, 20_000).tolist())
    released = ages(rng.normal(0.5, 0.5, 20_000).tolist())
    groups = _groups_of(20_000)
    tracemalloc.start()
    found = NEAREST.score(original, released, Context(), Pairing(np.arange(20_000), groups))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.value == pytest.approx(1 / 20_000, rel=0.05), "half of a group, of half of all"
    assert peak < 20e6


@pytest.mark.parametrize("categories", [3, 90])
def test_linking_drawn_records_shows_its_progress(categories: int) -> None:
    told: list[tuple[str, float, float]] = []

    class Told(Progress):
        @contextmanager
        def task(self, label: str, total: float) -> Iterator[Callable[[float], None]]:
            done: list[float] = []
            yield done.append
            told.append((label, total, sum(done)))

    original, released = _wide(300, categories)
    pairing = Pairing(np.arange(300), _groups_of(300))
    NEAREST.score(original, released, Context(progress=Told()), pairing)
    assert told == [("linking records", 300, 300)]


def test_a_sample_in_which_nobody_is_linked_does_not_say_that_nobody_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for limit, number in (("EXACT_RECORDS", 1_000), ("PILOT", 1_000), ("MOST_VISITS", 1)):
        monkeypatch.setattr(f"discreet.measures.linkage.distance.{limit}", number)
    draw = np.random.default_rng(1)
    places = {name: draw.permutation(1_200) for name in "ab"}
    data = discreet.read(places, roles=dict.fromkeys(places, "quasi-identifier"))
    shifted = data.take((np.arange(1_200) + 1) % 1_200)
    score = DistanceLinkage().score(data, shifted, Context(), Pairing.same_order(1_200))
    assert score.value == 0
    assert score.interval is not None
    assert score.interval[1] == pytest.approx(0.0038, abs=0.0003)
