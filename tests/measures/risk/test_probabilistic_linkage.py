"""Probabilistic linkage against a brute-force Fellegi–Sunter on a matrix of all pairs."""

from __future__ import annotations

from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Pairing, Randomness
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.measures.linkage import fellegi_sunter
from discreet.measures.risk import probabilistic_linkage
from discreet.microaggregation.partition import MDAV

LAW = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
PLD: Any = build("measure", "probabilistic-linkage")
QI = "quasi-identifier"


def table(columns: dict[str, list[Any]]) -> discreet.Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, QI))


def agreements(
    original: list[list[float]], released: list[list[float]], tolerance: list[float]
) -> list[list[tuple[bool, ...]]]:
    return [
        [tuple(abs(x - y) <= t for x, y, t in zip(a, b, tolerance, strict=True)) for b in original]
        for a in released
    ]


def slow_weights(patterns: list[list[tuple[bool, ...]]]) -> dict[tuple[bool, ...], float]:
    """EM over every single pair, with the known share of pairs of the same person."""
    pairs = [pattern for row in patterns for pattern in row]
    originals, columns = len(patterns[0]), len(pairs[0])
    same = min(1 / originals, 0.5)
    least, low = 0.5 / len(pairs), 0.5 / max(len(pairs) * same, 1)

    def within(x: float, bound: float) -> float:
        return min(max(x, bound), 1 - bound)

    m = [0.9] * columns
    u = [within(sum(p[c] for p in pairs) / len(pairs), least) for c in range(columns)]

    def weight(pattern: tuple[bool, ...]) -> float:
        return sum(
            log(m[c] / u[c]) if pattern[c] else log((1 - m[c]) / (1 - u[c])) for c in range(columns)
        )

    for _ in range(1000):
        chances = []
        for pattern in pairs:
            odds = exp(weight(pattern)) * same / (1 - same)
            chances.append(odds / (1 + odds))
        total = sum(chances)
        both = [sum(g for g, p in zip(chances, pairs, strict=True) if p[c]) for c in range(columns)]
        new_m = [within(both[c] / total, low) for c in range(columns)]
        agreeing = [within(sum(p[c] for p in pairs) / len(pairs), least) for c in range(columns)]
        new_u = [
            within((agreeing[c] * len(pairs) - both[c]) / (len(pairs) - total), least)
            for c in range(columns)
        ]
        change = max(abs(a - b) for a, b in zip(new_m + new_u, m + u, strict=True))
        m, u = new_m, new_u
        if change < 1e-10:
            break
    return {pattern: round(weight(pattern), 9) for pattern in set(pairs)}


def slow_linkage(
    original: list[list[float]],
    released: list[list[float]],
    tolerance: list[float],
    origin: list[int],
) -> list[float]:
    """Share out each weight in turn over the whole matrix of pairs."""
    patterns = agreements(original, released, tolerance)
    weights = slow_weights(patterns)
    r, s = [1.0] * len(released), [1.0] * len(original)
    linked = [0.0] * len(released)
    for level in sorted(set(weights.values()), reverse=True):
        tied = [
            (i, j)
            for i, row in enumerate(patterns)
            for j, pattern in enumerate(row)
            if weights[pattern] == level
        ]
        for _ in range(fellegi_sunter.PASSES):
            asked = [sum(s[j] for a, j in tied if a == i) for i in range(len(r))]
            offered = [sum(r[i] for i, b in tied if b == j) for j in range(len(s))]
            shares = {
                (i, j): r[i] * s[j] / max(asked[i], offered[j])
                for i, j in tied
                if max(asked[i], offered[j]) > 0
            }
            for (i, j), share in shares.items():
                r[i] -= share
                s[j] -= share
                if origin[i] == j:
                    linked[i] += share
            r, s = [max(x, 0.0) for x in r], [max(x, 0.0) for x in s]
    return linked


def test_a_table_linked_by_hand() -> None:
    original = table({"town": ["a", "b", "c", "c"], "sex": ["f", "m", "f", "m"]})
    # a-f and b-m agree whole with their own only; the last two have both become c-f.
    released = table({"town": ["a", "b", "c", "c"], "sex": ["f", "m", "f", "f"]})
    score = PLD.score(original, released, Context(), Pairing.same_order(4))
    # Both c-f agree whole with the third: half a chance each. What is left of the fourth original
    # agrees in town with what is left of the two: half of it each.
    assert score.per_record.tolist() == pytest.approx([1, 1, 0.5, 0.5])
    assert score.value == pytest.approx(0.75)
    assert score.detail["expected by chance"] == 0.25


def test_numbers_agree_within_the_tolerance() -> None:
    original = table({"x": [0.0, 10.0, 20.0, 30.0]})  # standard deviation 12.9
    released = table({"x": [1.2, 8.8, 21.4, 30.0]})
    linked = PLD.score(original, released, Context(), Pairing.same_order(4)).per_record
    assert linked[:2].tolist() == [1, 1]
    assert linked[3] == 1
    strict: Any = build("measure", {"probabilistic-linkage": {"tolerance": 0}})
    assert strict.score(original, released, Context(), Pairing.same_order(4)).per_record[3] == 1
    wide: Any = build("measure", {"probabilistic-linkage": {"tolerance": 10}})
    assert wide.score(original, released, Context(), Pairing.same_order(4)).value == 0.25


def test_equal_records_share_the_chance() -> None:
    data = table({"t": ["a"] * 4 + ["b"]})
    score = PLD.score(data, data, Context(), Pairing.same_order(5))
    assert score.per_record.tolist() == pytest.approx([0.25] * 4 + [1])


def test_one_to_one_leaves_no_original_for_the_second() -> None:
    original = table({"t": ["a", "b", "c"]})
    released = table({"t": ["a", "a", "a"]})
    score = PLD.score(original, released, Context(), Pairing.same_order(3))
    # Each has a third of the one that agrees, and shares the two others in what is left.
    assert score.per_record.tolist() == pytest.approx([1 / 3] * 3)


def test_a_missing_value_agrees_with_nothing() -> None:
    original = table({"x": [1.0, None, 3.0], "t": ["a", "b", None]})
    score = PLD.score(original, original, Context(), Pairing.same_order(3))
    patterns = agreements(
        [[1, 0], [float("nan"), 1], [3, float("nan")]],
        [[1, 0], [float("nan"), 1], [3, float("nan")]],
        [0.14, 0],
    )
    assert score.detail["patterns"] == len({p for row in patterns for p in row}) == 4
    assert score.value == 1.0


@LAW
@given(
    st.integers(1, 3).flatmap(
        lambda p: st.tuples(
            st.lists(st.lists(st.integers(0, 3), min_size=p, max_size=p), min_size=2, max_size=9),
            st.lists(st.lists(st.integers(0, 3), min_size=p, max_size=p), min_size=1, max_size=9),
        )
    ),
    st.sampled_from([20_000_000, 3, 0]),
    st.sampled_from([100_000, 0]),
    st.data(),
)
def test_the_linkage_is_that_of_all_pairs(
    files: tuple[list[list[float]], list[list[float]]], listed: int, few: int, data: Any
) -> None:
    original, released = files
    origin = data.draw(
        st.lists(st.integers(0, len(original) - 1), min_size=len(released), max_size=len(released))
    )
    names = [f"x{c}" for c in range(len(original[0]))]
    tables = [
        table({n: [float(row[c]) for row in rows] for c, n in enumerate(names)}) for rows in files
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fellegi_sunter, "LISTED_PAIRS", listed)  # list, cut into parts, scan
        patch.setattr(fellegi_sunter, "FEW_PAIRS", few)  # in one thread, in several
        found = PLD.score(*tables, Context(), Pairing(np.array(origin))).per_record
    tolerance = [0.1 * float(np.std(column, ddof=1)) for column in zip(*original, strict=True)]
    assert found == pytest.approx(slow_linkage(original, released, tolerance, origin), abs=1e-6)


def test_ties_are_near_the_mean_of_random_assignments() -> None:
    rng = np.random.default_rng(5)
    original = rng.normal(size=(60, 3))
    released = original + 0.1 * rng.normal(size=original.shape)
    names = ["a", "b", "c"]
    tables = [
        table({n: rows[:, c].tolist() for c, n in enumerate(names)})
        for rows in (original, released)
    ]
    found = PLD.score(*tables, Context(), Pairing.same_order(60)).value
    tolerance = (0.1 * original.std(axis=0, ddof=1)).tolist()
    patterns = agreements(original.tolist(), released.tolist(), tolerance)
    weights = slow_weights(patterns)
    flat = np.array([-weights[p] for row in patterns for p in row])
    drawn = []
    for _ in range(60):
        left, right, right_ones = set(range(60)), set(range(60)), 0
        for at in np.lexsort([rng.random(len(flat)), flat]).tolist():
            i, j = divmod(at, 60)
            if i in left and j in right:
                left.remove(i)
                right.remove(j)
                right_ones += i == j
        drawn.append(right_ones / 60)
    assert found == pytest.approx(np.mean(drawn), rel=0.1)


def test_many_records_are_sampled_and_the_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(400, 3))
    noisy = values + 0.05 * rng.normal(size=values.shape)
    tables = [
        table({n: rows[:, c].tolist() for c, n in enumerate("abc")}) for rows in (values, noisy)
    ]
    pairing = Pairing.same_order(400)
    whole = PLD.score(*tables, Context(), pairing)
    monkeypatch.setattr(probabilistic_linkage, "MOST_PAIRS", 400 * 200)
    part = PLD.score(*tables, Context(Randomness(1)), pairing)
    assert part.note == "200 released records, drawn at random, were linked"
    assert part.per_record is None
    assert part.interval[0] < part.value < part.interval[1]
    assert abs(part.value - whole.value) < 0.15


def test_with_many_columns_the_most_telling_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probabilistic_linkage, "MOST_COLUMNS", 2)
    data = table({"sex": list("fmfm"), "town": list("abcc"), "age": [1.0, 2.0, 3.0, 4.0]})
    score = PLD.score(data, data, Context(), Pairing.same_order(4))
    assert score.detail["columns"] == ["town", "age"]
    assert "without sex" in score.note
    assert score.value == 1.0


def test_reasons_for_not_applying() -> None:
    data = table({"x": [1.0, 2.0]})
    with pytest.raises(NotApplicable, match="came from"):
        PLD.score(data, data, Context(), None)
    none = np.zeros(0, dtype=np.int64)
    with pytest.raises(NotApplicable, match="no records"):
        PLD.score(data, data.take(none), Context(), Pairing(none))


def test_labels_of_no_known_form_link_by_chance() -> None:
    data = table({"x": [1.0, 2.0]})
    score = PLD.score(data, table({"x": ["low", "high"]}), Context(), Pairing.same_order(2))
    assert score.per_record.tolist() == [0.5, 0.5]


def test_a_label_agrees_with_all_that_it_stands_for() -> None:
    original = table({"x": [10, 12, 30, 31], "t": ["a", "b", "c", "d"]})
    released = table(
        {"x": ["10–19", "10–19", "30–39", None], "t": ["{a, b}", "{a, b}", "c", "{c, d}"]}
    )
    score = PLD.score(original, released, Context(), Pairing.same_order(4))
    assert score.per_record == pytest.approx([0.5, 0.5, 1, 1])


def test_linkage_falls_with_k_on_real_data(data_files: Path) -> None:
    path = data_files / "casc_tarragona.csv"
    roles = dict.fromkeys(discreet.read(path).schema.names, QI)
    data = discreet.read(path, roles=roles)
    shares = [PLD.score(data, data, Context(), Pairing.same_order(len(data))).value]
    for k in (3, 20):
        release = discreet.protect(data, discreet.Microaggregation(MDAV(k=k)), seed=1)
        shares.append(PLD.score(data, release.data, Context(), release.pairing).value)
    assert 1 >= shares[0] > shares[1] > shares[2] > 0
