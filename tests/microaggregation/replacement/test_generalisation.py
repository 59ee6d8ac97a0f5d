"""Generalisation by hierarchies, against the hierarchy's own common ancestor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, Kind, UsageError
from discreet.contracts import Context, Groups
from discreet.microaggregation.replacement import Generalisation
from discreet.microaggregation.replacement.generalisation import generalised
from discreet.microdata.hierarchy import Hierarchy
from tests.microdata.ancestors import common_ancestor

LAW = settings(max_examples=150, deadline=None, derandomize=True, database=None)
TOWNS = Hierarchy.from_tree(
    {"north": {"coast": ["Ayle", "Bron"], "hills": ["Cull"]}, "south": {"plain": ["Dorn", "Ebb"]}}
)


@pytest.fixture
def towns_file(tmp_path: Path) -> Path:
    path = tmp_path / "towns.csv"
    path.write_text("Ayle;coast\nBron;coast\nCull;hills\nDorn;hills\n")
    return path


def texts(column: Any) -> list[str | None]:
    return [None if c < 0 else column.attribute.categories[c] for c in column.values]


@LAW
@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.sampled_from(TOWNS.categories)), st.integers(0, 4)),
        min_size=1,
        max_size=25,
    )
)
def test_labels_are_least_common_ancestors(drawn: list[tuple[str | None, int]]) -> None:
    numbers = sorted({g for _, g in drawn})
    labels = [numbers.index(g) for _, g in drawn]
    data = discreet.read(pa.table({"town": pa.array([v for v, _ in drawn], pa.string())}))
    column = generalised(data.column("town"), Groups(np.array(labels)), TOWNS)
    assert column.attribute.kind is Kind.NOMINAL
    expected: list[str | None] = []
    for label in labels:
        group = [v for (v, _), g in zip(drawn, labels, strict=True) if g == label]
        present = [v for v in group if v is not None]
        if not present:
            expected.append(None)
            continue
        text = common_ancestor(TOWNS, present).label
        expected.append(f"{{{text}, missing}}" if None in group else text)
    assert texts(column) == expected


def test_columns_without_a_hierarchy_get_ranges(towns_file: Path) -> None:
    data = discreet.read({"age": [20, 35, 40, 40], "town": ["Ayle", "Bron", "Cull", "Ayle"],
                          "job": ["a", "b", "c", "c"]})  # fmt: skip
    method = Generalisation(hierarchies=[f"town={towns_file}"])
    columns = method.replace(data, data.schema.names, Groups(np.array([0, 0, 1, 1])), Context())
    assert [texts(c)[::2] for c in columns] == [["[20–35]", "40"], ["coast", "*"], ["{a, b}", "c"]]


def test_numbers_with_a_hierarchy_keep_their_extremes_back(tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("\n".join(f"{a},{a // 10 * 10}–{a // 10 * 10 + 9},*" for a in range(20, 50)))
    data = discreet.read({"age": [21, 28, 33, 45]})
    method = Generalisation(hierarchies=[f"age={path}"])
    (column,) = method.replace(data, ["age"], Groups(np.array([0, 0, 1, 1])), Context())
    assert texts(column) == ["20–29", "20–29", "*", "*"]


def test_a_value_outside_the_hierarchy_is_refused_without_quoting_it(towns_file: Path) -> None:
    data = discreet.read({"town": ["Ayle", "Secret"]})
    method = Generalisation(hierarchies=[f"town={towns_file}"])
    with pytest.raises(DataError, match="1 is not among its 4 categories") as found:
        method.replace(data, ["town"], Groups(np.array([0, 0])), Context())
    assert "Secret" not in str(found.value)
    with pytest.raises(UsageError, match="did you mean 'town'"):
        Generalisation(hierarchies=[f"twon={towns_file}"]).replace(
            data, ["town"], Groups(np.array([0, 0])), Context()
        )


def test_a_plan_can_hold_it(towns_file: Path) -> None:
    data = discreet.read(
        {"age": [20, 35, 40, 41], "town": ["Ayle", "Bron", "Cull", "Dorn"]},
        roles={"age": "quasi-identifier", "town": "quasi-identifier"},
    )
    files = [f"town={towns_file}"]
    method = {
        "microaggregation": {
            "partition": {"mondrian": {"k": 2, "hierarchies": files}},
            "replacement": {"generalisation": {"hierarchies": files}},
        }
    }
    release = discreet.protect(data, method, shuffle=False)
    frame = release.data.frame().to_pydict() if hasattr(release.data.frame(), "to_pydict") else {}
    assert frame == {
        "age": ["[20–35]"] * 2 + ["[40–41]"] * 2,
        "town": ["coast"] * 2 + ["hills"] * 2,
    }
