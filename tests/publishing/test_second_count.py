"""The second count agrees with the measures, which count by other code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.publishing import second_count
from discreet.publishing.cell_meanings import Writing
from discreet.publishing.released_cells import Cells, NotCountable, ReleasedColumn
from discreet.publishing.second_count import COUNTS, counted

ROLES = {"q": "quasi-identifier", "r": "quasi-identifier", "s": "confidential"}
STAGES = ["low", "middle", "high", "never"]


def cells_of(table: pa.Table, kinds: dict[str, str]) -> Cells:
    return Cells(
        table,
        [
            ReleasedColumn(
                name, ROLES[name], Writing(kinds[name], STAGES if kinds[name] == "ordinal" else ())
            )
            for name in table.column_names
        ],
    )


rows = st.lists(
    st.tuples(
        st.sampled_from([None, 1.0, 2.0, 3.5]),
        st.sampled_from([None, "a", "A", "b "]),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=40,
)
confidential: dict[str, list[Any]] = {
    "continuous": [None, -1.5, 0.0, 1e17, 2.25, 3.0],
    "ordinal": [None, *STAGES[:3], "low", "high"],
    "nominal": [None, "flu", "Flu ", "fl\u200bu", "cold", "1.50", "\uff11.5"],
}
MEASURES: list[dict[str, Any]] = [
    {"k-anonymity": {}},
    {"l-diversity": {}},
    {"l-diversity": {"variant": "entropy"}},
    {"l-diversity": {"variant": "recursive", "c": 1.5}},
    {"t-closeness": {}},
    {"sample-uniqueness": {}},
    {"average-group-size": {}},
    {"prosecutor-risk": {}},
    {"prosecutor-risk": {"summary": "average"}},
    {"prosecutor-risk": {"summary": "above", "threshold": 0.3}},
]


@pytest.mark.parametrize("kind", list(confidential))
@settings(deadline=None, max_examples=60)
@given(rows=rows)
def test_two_counts_of_every_figure_agree(kind: str, rows: list[tuple[Any, Any, int]]) -> None:
    kinds = {"q": "continuous", "r": "nominal", "s": kind}
    table = pa.table(
        {
            "q": pa.array([row[0] for row in rows], pa.float64()),
            "r": pa.array([row[1] for row in rows], pa.string()),
            "s": pa.array(
                [confidential[kind][row[2]] for row in rows],
                pa.float64() if kind == "continuous" else pa.string(),
            ),
        }
    )
    data = discreet.read(table, roles=ROLES, kinds={"s": STAGES} if kind == "ordinal" else None)
    for recipe in MEASURES:
        measure = build("measure", recipe)
        by_measure = measure.score(data, data, Context()).value  # type: ignore[attr-defined]
        (name, parameters), *_ = recipe.items()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(second_count, "AT_ONCE", 7)
            again = counted(cells_of(table, kinds), name, parameters)
        assert again == pytest.approx(by_measure, rel=1e-9, abs=1e-9), recipe


def test_every_count_is_of_a_measure_that_can_be_read_off_a_release() -> None:
    from discreet.contracts import Better, MeasureSpec
    from discreet.contracts.registry import find

    for name, count in COUNTS.items():
        spec = find("measure", name).spec
        assert isinstance(spec, MeasureSpec)
        assert spec.of_release
        assert count.at_least == (spec.better is Better.HIGHER)


def test_what_is_told_apart_on_paper_is_told_apart() -> None:
    odd = np.array([0x7FF8000000000001], np.uint64).view(np.float64)[0]
    table = pa.table({"q": [0.0, -0.0, float("nan"), odd, None, 1.0]})
    cells = cells_of(table, {"q": "continuous"})
    assert counted(cells, "sample-uniqueness", {}) == 1.0


def test_what_cannot_be_counted_says_why() -> None:
    table = pa.table({"s": [1, 2]})
    cells = cells_of(table, {"s": "continuous"})
    with pytest.raises(NotCountable, match="no released column is a quasi-identifier"):
        counted(cells, "k-anonymity", {})
    with pytest.raises(NotCountable, match="does not count it"):
        counted(cells, "distance-linkage", {})
    with pytest.raises(NotCountable, match="unknown"):
        counted(cells, "k-anonymity", {"depth": 3})
    with pytest.raises(NotCountable, match="matches anything"):
        counted(cells, "k-anonymity", {"missing_matches": "anything"})
    known = cells_of(pa.table({"q": [1, 1]}), {"q": "continuous"})
    with pytest.raises(NotCountable, match="no released column is confidential"):
        counted(known, "l-diversity", {})
