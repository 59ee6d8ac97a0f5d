"""Local recoding: each group of records is recoded no further than it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.contracts import Context
from discreet.methods.nonperturbative.full_domain.best_recoding import best_recoding
from discreet.methods.nonperturbative.local_recoding import LocalRecoding
from discreet.microdata.equivalence import class_sizes
from tests.methods.nonperturbative.recoding import ADULT, adult, people


def test_left_over_is_a_share_of_the_records_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[tuple[int, int]] = []

    def watched(
        part: Any, met: Any, allowance: int, context: Context, times: Any, taken: int
    ) -> Any:
        assert taken < 10_000, "households side by side have so many columns that it would not end"
        found = best_recoding(part, met, allowance, context, times, taken)
        left = 0 if found is None else int(times[found.suppressed].sum())
        assert left <= 0.2 * times.sum()
        rounds.append((int(times.sum()), left))
        return found

    monkeypatch.setattr("discreet.methods.nonperturbative.full_domain.local.best_recoding", watched)
    data = people()
    LocalRecoding(k=3, left_over=0.2).protect(data, Context())
    assert rounds[0][0] == len(data)
    assert [records for records, _ in rounds[1:]] == [left for _, left in rounds[:-1]]


def test_adult_recoded_locally_keeps_more(reference_data: Path) -> None:
    data, files = adult(reference_data)
    masked = LocalRecoding(k=5, hierarchies=files).protect(data, Context())
    assert class_sizes(masked.data, ADULT).min() >= 5
    assert not any(masked.data.column(n).missing.any() for n in ADULT)
    assert float(masked.notes[0].split(":")[1].split("%")[0]) < 4  # global recoding: 17.83 %


def test_local_recoding_leaves_a_column_that_needs_nothing() -> None:
    data = discreet.read(
        {"age": [20, 20, 21, 22], "sex": ["f", "f", "m", "m"]},
        roles={"age": "quasi-identifier", "sex": "quasi-identifier"},
    )
    masked = LocalRecoding(k=2, widths={"age": 5}).protect(data, Context())
    assert masked.data.column("sex") is data.column("sex")
    assert masked.data.schema["age"].categories == ("20", "20–24")
