"""What is taken for a direct identifier, and what is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.release.identifying import identifier_reason
from discreet.release.profile import Profile

ROWS = 400
RANDOM = np.random.default_rng(7)


def reason(name: str, values: Any) -> str:
    return identifier_reason(Profile.of(discreet.read({name: list(values)}), name))


def different(low: int, high: int) -> list[int]:
    return [int(v) for v in RANDOM.choice(high - low, ROWS, replace=False) + low]


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("v1", different(10**14, 10**15), "a different number of 15 digits"),
        ("v1", different(100_000, 999_999), "a different number of 6 digits"),
        ("v1", list(range(1000, 1000 + 3 * ROWS, 3)), "as if they had been assigned"),
        ("Case_No", [i // 2 for i in range(ROWS)], "'caseno'"),
        ("record_no", [i // 2 for i in range(ROWS)], "'recordno'"),
        ("Fallnummer", [i // 2 for i in range(ROWS)], "'fallnummer'"),
        ("v1", [f"+49 30 {i:06}" for i in range(ROWS)], "telephone numbers"),
        ("patient_id", [f"{i:010}" for i in range(ROWS)], "'patientid'"),
        ("v1", [f"DE{i:020}" for i in range(ROWS)], "account numbers"),
        ("v1", [f"10.0.{i // 200}.{i % 200}" for i in range(ROWS)], "addresses of computers"),
        ("v1", [f"Mr {i} came late and went home" for i in range(ROWS)], "free text"),
        ("v1", [f"A{i}" for i in [*range(ROWS - 5), *range(5)]], "nearly every record"),
    ],
)
def test_identifiers(name: str, values: Any, words: str) -> None:
    assert words in reason(name, values)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("telephone", ["yes", "no"] * 200),
        ("email", [0, 1] * 200),
        ("v1", RANDOM.lognormal(10, 1, ROWS).round(2)),
        ("v1", RANDOM.lognormal(10, 1, ROWS).round()),
        ("expenses", 10 * RANDOM.permutation(ROWS)),
        ("name_of_town", [f"town {i % 20}" for i in range(ROWS)]),
        ("paid", RANDOM.normal(100, 20, ROWS).round()),
    ],
)
def test_no_identifiers(name: str, values: Any) -> None:
    assert reason(name, values) == ""
