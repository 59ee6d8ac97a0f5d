"""The nearest records by blocks, against a comparison of all."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Context
from discreet.measures.linkage import nearest_records
from discreet.measures.linkage.nearest_records import nearest_among, nearest_other


@pytest.mark.parametrize(("width", "few"), [(2, 2e7), (30, 2e7), (2, 0), (15, 0)])
def test_the_search_finds_what_comparing_all_finds(
    width: int, few: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest_records, "FEW_PAIRS", few)
    rng = np.random.default_rng(4)
    points, others = rng.normal(0, 1, (70, width)), rng.normal(0, 1, (90, width))
    others[5] = others[6]
    apart = np.sqrt(((points[:, None] - others[None]) ** 2).sum(axis=2))
    index, distance = nearest_among(points, others, Context())
    assert (index == apart.argmin(axis=1)).all()
    assert distance == pytest.approx(apart.min(axis=1))
    inner = np.sqrt(((others[:, None] - others[None]) ** 2).sum(axis=2))
    np.fill_diagonal(inner, np.inf)
    rows = np.arange(0, 90, 3)
    assert nearest_other(others, np.arange(90), Context()) == pytest.approx(inner.min(axis=1))
    assert nearest_other(others, rows, Context()) == pytest.approx(inner.min(axis=1)[rows])


def test_a_tree_finds_the_same_in_any_number_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_records, "FEW_PAIRS", 0)
    rng = np.random.default_rng(5)
    points, others = (rng.integers(0, 4, (n, 3)).astype(np.float64) for n in (300, 500))
    index, _ = nearest_among(points, others, Context())
    monkeypatch.setattr(nearest_records, "BLOCK", 7)
    assert (nearest_among(points, others, Context())[0] == index).all()
    apart = ((points[:, None] - others[None]) ** 2).sum(axis=2)
    assert (index == apart.argmin(axis=1)).all(), "of several as near, the first"
