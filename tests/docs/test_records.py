"""The page of records: every set and k has a line, and no line contradicts itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.microaggregation.records import KS, PAGE, SETS, with_line

NOT_YET = "–"
LINES = [
    [cell.strip() for cell in line.strip("|\n ").split("|")]
    for line in Path(PAGE).read_text(encoding="utf-8").splitlines()
    if line.startswith(tuple(f"| {name} " for name in SETS.values()))
]


def test_every_set_and_k_has_a_line() -> None:
    assert [tuple(line[:2]) for line in LINES] == [
        (name, str(k)) for name in SETS.values() for k in KS
    ]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_no_loss_is_below_its_bound_nor_above_mdav(line: list[str]) -> None:
    _, _, mdav, *refined, bound, solved = line
    assert len(refined) == 3
    losses = [float(loss) for loss in refined if loss != NOT_YET]
    assert all(0 < loss < float(mdav) for loss in losses)
    assert solved in ("yes", "no", NOT_YET)
    assert bound == NOT_YET or 0 < float(bound) <= min(losses)


def test_a_line_replaces_that_of_the_same_set_and_k_only() -> None:
    page = "\n".join(f"| {name} | {k} | 1 |" for name in ("Census", "EIA") for k in (3, 10))
    changed = with_line(page + "\n", "| EIA | 10 | 2 |")
    assert changed == page.replace("| EIA | 10 | 1 |", "| EIA | 10 | 2 |") + "\n"
