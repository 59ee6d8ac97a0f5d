"""The group of a record among its nearest, with ties followed to their end."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Context, Groups
from discreet.measures.linkage.within_groups import group_among_nearest


def test_a_tie_of_many_places_is_followed_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.measures.linkage.within_groups.CELLS", 100)
    angles = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    groups = Groups(np.arange(200) % 4)
    found = group_among_nearest(
        circle, np.zeros((5, 2)), groups, np.array([0, 1, 2, 3, 0]), 2, Context()
    )
    assert found == pytest.approx(np.full(5, 2 / 200))
