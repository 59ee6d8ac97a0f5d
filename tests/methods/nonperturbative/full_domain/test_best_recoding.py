"""The best node: found by the search, confirmed by looking at all nodes."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.methods.nonperturbative.full_domain.automatic import automatic
from discreet.methods.nonperturbative.full_domain.best_recoding import best_recoding
from discreet.methods.nonperturbative.full_domain.combinations import Combinations
from discreet.methods.nonperturbative.full_domain.conditions import Conditions, Judge
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import Levels, from_hierarchy
from discreet.microdata import Microdata
from discreet.microdata.hierarchy import Hierarchy

ADULT = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
ADULT += ["salary-class"]


def exhaustive(columns: list[Levels], data: Microdata, allowance: int, **bounds: Any) -> float:
    """The least loss of all nodes, each judged from the released table alone."""
    least = np.inf
    total = len(data) * len(columns)
    for node in product(*(range(c.height + 1) for c in columns)):
        released = data.replace(c.recoded(n) for c, n in zip(columns, node, strict=True))
        fails = _failing(released, columns, bounds)
        if fails.any():
            # The smallest of the other classes join the suppressed one until it will do.
            keys = [tuple(released[c.column.name][i] for c in columns) for i in range(len(data))]
            order = sorted(
                {k for k, f in zip(keys, fails, strict=True) if not f},
                key=lambda k: (keys.count(k), keys.index(k)),
            )
            while not _meets(data, fails, bounds) and order:
                fails = fails | np.array([key == order[0] for key in keys])
                del order[0]
            if fails.sum() > allowance or not _meets(data, fails, bounds):
                continue
        loss = sum(
            float(np.where(fails, 1.0, c.loss[n][c.values]).sum())
            for c, n in zip(columns, node, strict=True)
        )
        least = min(least, loss / total)
    return least


def _failing(released: Microdata, columns: list[Levels], bounds: Any) -> Any:
    names = [c.column.name for c in columns]
    rows = list(zip(*(released[n].tolist() for n in names), strict=True))
    verdict = {}
    for row in set(rows):
        members = np.array([r == row for r in rows])
        verdict[row] = not _meets(released, members, bounds)
    return np.array([verdict[row] for row in rows])


def _meets(data: Microdata, members: Any, bounds: Any) -> bool:
    ill = data["ill"]
    here = ill[members]
    if len(here) < bounds["k"]:
        return False
    if bounds.get("l") is not None and len(set(here.tolist())) < bounds["l"]:
        return False
    if bounds.get("t") is not None:
        p, q = (np.bincount(x, minlength=4) / len(x) for x in (here, ill))
        return bool(np.abs(p - q).sum() / 2 <= bounds["t"] + 1e-12)
    return True


def people(seed: int, rows: int = 40) -> Microdata:
    rng = np.random.default_rng(seed)
    return discreet.read(
        {
            "age": rng.integers(20, 60, rows).tolist(),
            "town": [["Ayle", "Bron", "Cull", None][i] for i in rng.integers(0, 4, rows)],
            "grade": rng.integers(0, 4, rows).tolist(),
            "ill": [["a", "b", "c", "d"][i] for i in np.minimum(rng.geometric(0.5, rows) - 1, 3)],
        },
        roles={"ill": "confidential"},
        kinds={"grade": [0, 1, 2, 3]},
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("allowance", [0, 2, 6])
@pytest.mark.parametrize(
    "bounds", [{"k": 3}, {"k": 3, "l": 2}, {"k": 2, "t": 0.3}, {"k": 2, "l": 2, "t": 0.4}]
)
def test_the_search_finds_what_looking_at_all_nodes_finds(
    seed: int, allowance: int, bounds: dict[str, Any]
) -> None:
    data = people(seed)
    columns = [automatic(data.column(n), 10 if n == "age" else None) for n in ("age", "town")]
    columns.append(automatic(data.column("grade")))
    found = best_recoding(columns, Conditions(data, **bounds), allowance, Context())
    least = exhaustive(columns, data, allowance, **bounds)
    assert found is not None
    assert found.loss == pytest.approx(least, abs=1e-12)
    assert found.judged <= found.nodes
    assert found.suppressed.sum() <= allowance


def adult(folder: Path, names: list[str]) -> tuple[Microdata, list[Levels]]:
    data = discreet.read(folder / "adult_arx_30162.csv", roles={"occupation": "confidential"})
    files = folder / "adult_hierarchies"
    return data, [
        from_hierarchy(data.column(n), Hierarchy.from_file(files / f"adult_hierarchy_{n}.csv"))
        for n in names
    ]


@pytest.mark.parametrize("share", [0.0, 0.05])
@pytest.mark.parametrize("l", [None, 4])
def test_adult_with_fewer_attributes_is_optimal(
    data_files: Path,
    share: float,
    l: int | None,  # noqa: E741
) -> None:
    data, columns = adult(data_files, ["sex", "age", "race", "marital-status", "education"])
    conditions = Conditions(data, 5, l)
    allowance = int(share * len(data))
    found = best_recoding(columns, conditions, allowance, Context())
    crowd = Combinations(columns)
    judge = Judge(crowd, conditions, allowance)
    verdicts = [judge(node) for node in product(*(range(c.height + 1) for c in columns))]
    assert found is not None
    assert found.loss == min(v.loss for v in verdicts if v.loss is not None)
    assert found.judged < len(verdicts) / 3


def test_adult_with_all_attributes(reference_data: Path) -> None:
    data, columns = adult(reference_data, ADULT)
    none = best_recoding(columns, Conditions(data, 5), 0, Context())
    some = best_recoding(columns, Conditions(data, 5), 1508, Context())
    assert none is not None
    assert some is not None
    assert none.node == (0, 4, 1, 2, 3, 2, 0, 0)
    assert none.loss == pytest.approx(0.625)
    assert some.node == (0, 3, 0, 0, 2, 1, 1, 0)
    assert some.suppressed.sum() == 1346
    assert some.loss == pytest.approx(0.178339, abs=1e-6)


def test_a_suppressed_class_smaller_than_k_takes_in_the_smallest_class() -> None:
    data = discreet.read({"sex": ["f"] * 5 + ["m"] * 4 + ["x"]})
    [column] = [automatic(data.column("sex"))]
    column = column.restricted([0])
    found = best_recoding([column], Conditions(data, 3), 5, Context())
    assert found is not None
    assert found.suppressed.tolist() == [False] * 5 + [True] * 5
    assert best_recoding([column], Conditions(data, 3), 4, Context()) is None


def test_a_column_in_which_all_agree_is_left_as_it_is() -> None:
    data = discreet.read(
        {"age": [21, 22, 38, 39], "sex": ["f"] * 4, "pay": [7] * 4},
        roles=dict.fromkeys(["age", "sex", "pay"], "quasi-identifier"),
    )
    table = discreet.GlobalRecoding(k=2).protect(data, Context()).data
    assert table.column("sex").same_as(data.column("sex"))
    assert table.column("pay").same_as(data.column("pay"))


def test_all_records_may_be_suppressed() -> None:
    data = people(9)
    columns = [automatic(data.column("age")).restricted([0])]
    conditions = Conditions(data, 30, l=2, t=0.3)
    found = best_recoding(columns, conditions, len(data), Context())
    assert found is not None
    assert found.suppressed.all()
    assert found.loss == pytest.approx(1.0)
