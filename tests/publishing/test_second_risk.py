"""The risks of rare records, counted a second time."""

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
from discreet.publishing.cell_meanings import Writing
from discreet.publishing.released_cells import Cells, NotCountable, ReleasedColumn
from discreet.publishing.second_count import counted

ROLES = {
    "a": "quasi-identifier",
    "b": "quasi-identifier",
    "c": "quasi-identifier",
    "w": "weight",
    "h": "household",
}
RECIPES: list[dict[str, Any]] = [
    {"individual-risk": {}},
    {"household-risk": {}},
    {"household-k-anonymity": {}},
    {"special-uniques": {}},
    {"special-uniques": {"most": 2, "fraction": 0.2}},
]
rows = st.lists(
    st.tuples(
        st.sampled_from([None, 1, 2]),
        st.sampled_from(["x", "y", None]),
        st.integers(0, 3),
        st.sampled_from([0.5, 1.0, 8.0, 1e6]),
        st.sampled_from([None, 1, 2, 3]),
    ),
    min_size=1,
    max_size=40,
)


def cells_of(table: pa.Table, unit: bool | None = None) -> Cells:
    """Return the cells; `unit` says whether claims count households."""
    return Cells(
        table,
        [
            ReleasedColumn(n, ROLES[n], Writing("nominal"), unit if n == "h" else None)
            for n in table.schema.names
        ],
    )


@pytest.mark.parametrize("unit", [None, "record"])
@pytest.mark.parametrize("weighted", [True, False])
@settings(deadline=None, max_examples=60)
@given(rows=rows)
def test_two_counts_of_every_figure_agree(
    weighted: bool, unit: str | None, rows: list[tuple[Any, ...]]
) -> None:
    table = pa.table(dict(zip("abcwh", map(list, zip(*rows, strict=True)), strict=True)))
    kinds = (pa.float64(), pa.string(), pa.int64(), pa.float64(), pa.int64())
    table = table.cast(pa.schema(list(zip("abcwh", kinds, strict=True))))
    table = table if weighted else table.drop_columns(["w"])
    roles = {name: ROLES[name] for name in table.column_names}
    data = discreet.read(table, roles=roles, unit=unit)
    for recipe in RECIPES:
        measure: Any = build("measure", recipe)
        (name, parameters), *_ = recipe.items()
        assert counted(cells_of(table, unit is None), name, parameters) == pytest.approx(
            measure.score(data, data, Context()).value, rel=1e-9, abs=1e-12
        ), recipe


def test_risks_are_of_persons_unless_an_early_release_says_otherwise() -> None:
    table = pa.table({"a": [1, 1, 1, 2], "h": [7, 7, 8, 9]})
    cells = cells_of(table, True)
    assert counted(cells, "individual-risk", {}) == 2 / 4
    early = Cells(table, list(cells.columns.values()), risks_of_units=True)
    assert counted(early, "individual-risk", {}) == (3 / 2 + 1) / 4


def test_two_counts_of_special_uniques_agree_where_persons_have_several_records() -> None:
    rng = np.random.default_rng(4)
    person = np.arange(40) // 3
    shared = {name: rng.integers(0, 4, 14)[person] for name in "ab"}
    table = pa.table(shared | {"c": rng.integers(0, 2, 40), "h": person})
    roles = {**ROLES, "h": "person"}
    data = discreet.read(table, roles={name: roles[name] for name in "abch"})
    columns = [ReleasedColumn(name, roles[name], Writing("nominal")) for name in "abch"]
    measure: Any = build("measure", "special-uniques")
    value = measure.score(data, data, Context()).value
    assert counted(Cells(table, columns), "special-uniques", {}) == pytest.approx(value)
    assert counted(cells_of(table), "special-uniques", {}) != pytest.approx(value)


def test_weights_written_as_text() -> None:
    table = pa.table({"a": ["30", "30", "41"], "w": ["60,5", "50", "8"]})
    columns = [
        ReleasedColumn("a", "quasi-identifier", Writing("continuous", decimal=",")),
        ReleasedColumn("w", "weight", Writing("continuous", decimal=",")),
    ]
    as_text = counted(Cells(table, columns), "individual-risk", {})
    numbers = pa.table({"a": [30, 30, 41], "w": [60.5, 50, 8]})
    assert as_text == counted(cells_of(numbers), "individual-risk", {})


@pytest.mark.parametrize("weights", [["1", None], ["1", "0"], ["1", "many"]])
def test_weights_that_are_none(weights: list[str | None]) -> None:
    table = pa.table({"a": ["1", "2"], "w": weights})
    with pytest.raises(NotCountable, match=r"weights|numbers"):
        counted(cells_of(table), "individual-risk", {})


def test_rare_records_of_large_weight() -> None:
    table = pa.table({"a": np.arange(3), "w": [1e9, 1e5, 1.0]})
    found = counted(cells_of(table), "individual-risk", {})
    # f = 1: −p log(p) / (1 − p), and 1 for a record that stands for itself alone.
    p = np.array([1e-9, 1e-5])
    assert found == pytest.approx((np.sum(-p * np.log(p) / (1 - p)) + 1) / 3, rel=1e-12)
