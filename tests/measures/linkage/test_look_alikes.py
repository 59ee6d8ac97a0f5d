"""The nearest released records of people, beside a search through all of them."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.measures.linkage import look_alikes as module
from discreet.measures.linkage.cells import Cells, cells
from discreet.measures.linkage.look_alikes import look_alikes

PEOPLE, RECORDS = 17, 41


def compared() -> list[Cells]:
    """Coarse numbers and towns, so that several records are equally near; one town is gone."""
    draw = np.random.default_rng(3)
    roles = dict.fromkeys(["age", "pay", "town"], "quasi-identifier")
    tables = [
        discreet.read(
            {"age": draw.integers(0, 4, n), "pay": draw.integers(0, 3, n) / 2,
             "town": [("a", "b", None)[t] for t in draw.integers(0, 3, n)]},
            roles=roles,
        )
        for n in (PEOPLE, RECORDS)
    ]  # fmt: skip
    return cells(tables[0], tables[1], list(roles), None)


@pytest.mark.parametrize("at_a_time", [100, 5, 1])
def test_all_that_are_equally_near_are_found(
    at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PEOPLE", at_a_time)
    monkeypatch.setattr(module, "CACHED_CELLS", 60)
    columns, people = compared(), np.array([16, 0, 4, 4, 9, 11])
    every = np.arange(RECORDS)
    apart = sum(column.gaps(every, people).astype(float) ** 2 for column in columns)
    assert isinstance(apart, np.ndarray)
    seen = []
    for found in look_alikes(columns, people, RECORDS, PEOPLE):
        assert found.least == pytest.approx(apart.min(axis=0)[found.places])
        for place, rows in found:
            near = apart[:, place] <= apart[:, place].min() + 1e-6
            assert rows.tolist() == np.flatnonzero(near).tolist()
            seen.append(place)
    assert seen == list(range(len(people)))


def test_only_some_of_the_records_are_looked_at() -> None:
    among = np.array([3, 8, 30])
    [found] = look_alikes(compared(), np.arange(4), among, PEOPLE)
    assert all(set(rows.tolist()) <= {3, 8, 30} for _, rows in found)
