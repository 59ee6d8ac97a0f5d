"""Hierarchical t-closeness: the authors' example, their recursion, and transport by a programme."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import DataError, UsageError
from discreet.microdata.hierarchy import Hierarchy

ROLES = {"zip": "quasi-identifier", "ill": "confidential"}
ILLNESSES = {
    "gastric ulcer": ("stomach", "digestive"),
    "gastritis": ("stomach", "digestive"),
    "stomach cancer": ("stomach", "digestive"),
    "colitis": ("colon", "digestive"),
    "flu": ("lungs", "respiratory"),
    "pneumonia": ("lungs", "respiratory"),
    "bronchitis": ("airways", "respiratory"),
}


def measured(place: Path, zips: list[str], ill: Sequence[str | None], given: bool = True) -> float:
    file = place / "ill.csv"
    file.write_text("\n".join(";".join((a, *b)) for a, b in ILLNESSES.items()), encoding="utf-8")
    recipe = {"hierarchical-t-closeness": {"hierarchies": [f"ill={file}"]} if given else {}}
    data = discreet.read({"zip": zips, "ill": list(ill)}, roles=ROLES)
    measure: discreet.contracts.Measure = build("measure", recipe)  # type: ignore[assignment]
    return measure.score(data, data, Context()).value


def test_a_class_of_one_organ_is_a_level_away_from_its_neighbours(tmp_path: Path) -> None:
    """Half of each class moves: from ulcer to colitis, whose common label is at level 2 of 3."""
    ill = ["gastric ulcer", "gastric ulcer", "colitis", "colitis"]
    assert measured(tmp_path, list("aabb"), ill) == pytest.approx(0.5 * 2 / 3)


def test_other_organs_of_another_system_are_farther(tmp_path: Path) -> None:
    ill = ["gastric ulcer", "gastritis", "flu", "pneumonia"]
    assert measured(tmp_path, list("aabb"), ill) == pytest.approx(0.5)


def test_a_missing_value_is_a_whole_step_away(tmp_path: Path) -> None:
    assert measured(tmp_path, list("ab"), ["flu", None]) == pytest.approx(0.5)


def test_without_a_hierarchy_it_is_t_closeness(tmp_path: Path) -> None:
    ill = ["flu", "flu", "flu", "colitis"]
    assert measured(tmp_path, list("aabb"), ill, given=False) == pytest.approx(0.25)


def by_the_authors_sum(hierarchy: Hierarchy, surplus: dict[str, float]) -> float:
    """Σ over the labels of level/height · min(pos, neg), by descent."""
    cost = 0.0

    def extra(node: discreet.microdata.hierarchy.Node) -> float:
        nonlocal cost
        below = [extra(child) for child in hierarchy.children(node)]
        if not below:
            return surplus.get(node.label, 0.0)
        more, less = sum(e for e in below if e > 0), -sum(e for e in below if e < 0)
        cost += node.level / hierarchy.height * min(more, less)
        return sum(below)

    extra(hierarchy.root)
    return cost


def by_transport(hierarchy: Hierarchy, p: np.ndarray, q: np.ndarray) -> float:
    """The cheapest way of moving p to q, as a linear programme."""
    m = len(p)
    codes = hierarchy.codes
    way = np.array([[(codes[:, i] != codes[:, j]).sum() for j in range(m)] for i in range(m)])
    rows = [np.kron(np.eye(m)[i], np.ones(m)) for i in range(m)]
    columns = [np.kron(np.ones(m), np.eye(m)[j]) for j in range(m)]
    found = linprog(
        (way / hierarchy.height).ravel(), A_eq=np.array([*rows, *columns]), b_eq=[*p, *q]
    )
    assert found.fun is not None
    return float(found.fun)


@pytest.mark.parametrize("seed", range(3))
def test_beside_the_sum_of_the_paper_and_the_cheapest_transport(tmp_path: Path, seed: int) -> None:
    draw = np.random.default_rng(seed)
    names = list(ILLNESSES)
    zips, ill = draw.choice(list("abc"), 40).tolist(), draw.choice(names, 40).tolist()
    hierarchy = Hierarchy([(a, *b) for a, b in ILLNESSES.items()])
    q = np.array([ill.count(name) for name in names]) / 40
    sums, transports = [], []
    for where in set(zips):
        mine = [i for i, other in zip(ill, zips, strict=True) if other == where]
        p = np.array([mine.count(name) for name in names]) / len(mine)
        sums.append(by_the_authors_sum(hierarchy, dict(zip(names, p - q, strict=True))))
        transports.append(by_transport(hierarchy, p, q))
    value = measured(tmp_path, zips, ill)
    assert value == pytest.approx(max(sums))
    assert value == pytest.approx(max(transports))


def test_the_hierarchy_must_fit_the_column(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="must hold every value"):
        measured(tmp_path, list("ab"), ["flu", "gout"])
    measure = build("measure", {"hierarchical-t-closeness": {"hierarchies": ["ilness=x.csv"]}})
    data = discreet.read({"zip": ["a"], "ill": ["flu"]}, roles=ROLES)
    with pytest.raises(UsageError, match="ilness"):
        measure.score(data, data, Context())  # type: ignore[attr-defined]
