"""The nearest records by blocks, against a comparison of all."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Context
from discreet.measures.linkage.nearest_records import nearest_among, nearest_other


@pytest.mark.parametrize("width", [2, 30])
def test_the_search_finds_what_comparing_all_finds(width: int) -> None:
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
