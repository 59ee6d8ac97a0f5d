"""Released records beside a register, against a comparison of every record with every person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import DataError, UsageError
from discreet.measures.registered import Candidates

QI = "quasi-identifier"
ROLES = {"age": QI, "job": QI}


def allows(label: str | None, value: Any) -> bool:
    """Whether a released cell could be this value, by the words of the label."""
    if label is None:
        return True
    if "–" in label:
        low, high = label.split("–")
        return int(low) <= int(value) <= int(high)
    return str(value) in label.split("+")


def slow_counts(released: dict[str, list[Any]], register: dict[str, list[Any]]) -> list[int]:
    people = list(zip(register["age"], register["job"], strict=True))
    return [
        sum(allows(age, a) and allows(job, j) for a, j in people)
        for age, job in zip(released["age"], released["job"], strict=True)
    ]


ages = st.sampled_from(["20–29", "25–34", "30–39", "20–39", "31–31", None])
jobs = st.sampled_from(["nurse", "nurse+doctor", "judge", "doctor+judge", None])


@settings(deadline=None, max_examples=80, derandomize=True, database=None)
@given(st.lists(st.tuples(ages, jobs), min_size=2, max_size=12), st.integers(0, 1000))
def test_counts_are_those_of_all_pairs(rows: list[tuple[Any, Any]], seed: int) -> None:
    draw = np.random.default_rng(seed)
    people = 40
    register = {
        "age": draw.integers(18, 42, people).tolist(),
        "job": draw.choice(["nurse", "doctor", "judge", "pilot"], people).tolist(),
    }
    original = discreet.read(
        {
            "age": draw.integers(20, 40, len(rows)).tolist(),
            "job": draw.permutation((["nurse", "doctor", "judge"] * len(rows))[: len(rows)]),
        },
        roles=ROLES,
        kinds={"job": ["nurse", "doctor", "judge"]},
    )
    cells = {"age": [age for age, _ in rows], "job": [job for _, job in rows]}
    kept = {name: column for name, column in cells.items() if any(v is not None for v in column)}
    if not kept:
        return
    released = discreet.read(kept, roles=dict.fromkeys(kept, QI))
    candidates = Candidates.of(register, original, released, np.arange(len(rows)))
    assert candidates.counts[candidates.class_of].tolist() == slow_counts(cells, register)


def test_what_the_classes_give_each_person() -> None:
    original = discreet.read({"age": [21, 24, 35]}, roles={"age": QI})
    released = discreet.read({"age": ["20–29", "20–29", "24–39"]}, roles={"age": QI})
    candidates = Candidates.of({"age": [21, 24, 24, 35, 50]}, original, released, np.arange(3))
    shares = np.zeros(2)
    shares[candidates.class_of] = [2 / 3, 2 / 3, 1 / 3]
    sums, people = candidates.summed(shares)
    assert people.tolist() == [1, 2, 1, 1]
    assert sums.tolist() == pytest.approx([2 / 3, 1.0, 1 / 3, 0.0])


def test_missing_values_match_missing_ones_as_long_as_nothing_is_suppressed() -> None:
    original = discreet.read({"age": [21.0, None, 35.0]}, roles={"age": QI})
    register = {"age": [21.0, None, None, 35.0]}
    same = Candidates.of(register, original, original, np.arange(3))
    assert same.counts[same.class_of].tolist() == [1, 2, 1]
    hidden = discreet.read({"age": [21.0, None, None]}, roles={"age": QI})
    after = Candidates.of(register, original, hidden, np.arange(3))
    assert after.counts[after.class_of].tolist() == [1, 4, 4]


def test_a_register_has_columns_and_people() -> None:
    original = discreet.read({"age": [21, 24]}, roles={"age": QI})
    with pytest.raises(UsageError, match="at least one quasi-identifier"):
        Candidates.of({"sex": ["f"]}, original, original, None)
    with pytest.raises(DataError, match="must have people"):
        Candidates.of({"age": np.zeros(0)}, original, original, None)


@pytest.mark.parametrize("level", [1, 2])
def test_labels_cover_what_only_people_outside_of_the_file_have(tmp_path: Path, level: int) -> None:
    draw = np.random.default_rng(level)
    towns = [(f"t{i}", f"area {i // 2}", f"region {i // 4}") for i in range(12)]
    (tmp_path / "towns.csv").write_text("\n".join(";".join(row) for row in towns))
    people = draw.integers(0, 12, 80).tolist()
    inside = [i for i in people if i % 3][:20]
    data = discreet.read({"town": [f"t{i}" for i in inside]}, roles={"town": QI})
    file = f"town={tmp_path / 'towns.csv'}"
    step = {"global-recoding": {"k": None, "hierarchies": [file], "levels": {"town": level}}}
    release = discreet.protect(data, step, shuffle=False)
    k_map: Any = build("measure", "k-map")
    found = k_map.from_population({"town": [f"t{i}" for i in people]}).score(
        data, release.data, Context(), release.pairing
    )
    counts = [sum(towns[p][level] == towns[i][level] for p in people) for i in inside]
    assert found.per_record.tolist() == counts
