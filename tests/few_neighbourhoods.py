"""Fixture: the gain from linking one to one is estimated from a few small neighbourhoods.

The attacks on a file of thousands take most of the time of a release, and their results are tested
in `tests/measures/linkage`; tests of something else in such a release need not wait for them.
"""

from __future__ import annotations

import pytest

from discreet.measures.linkage import attempt, balancing


@pytest.fixture
def few_neighbourhoods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "NEIGHBOURHOODS", (4, 4))
    monkeypatch.setattr(balancing, "TRIED", (10, 10))
    monkeypatch.setattr(balancing, "SAMPLE", 200)
