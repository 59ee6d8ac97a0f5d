"""Fixture: examples of components that search for the best of many search among few.

Otherwise every table of every contract check would be searched for the best of hundreds of
mixtures, or of millions of choices of cells; which one it is makes no difference there. The choices
themselves are tested in `tests/models/mixture` and `tests/kernels/test_local_suppression.py`. A
forest has few trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from discreet.contracts.registry import find

FEW: dict[str, Any] = {"families": "diagonal", "most_clusters": 3}


@pytest.fixture(scope="session", autouse=True)
def few_models() -> Iterator[None]:
    synthesis: Any = find("method", "local-synthesis")
    mixture: Any = find("partition", "gaussian-mixture")
    forest: Any = find("method", "forest-synthesis")
    suppression: Any = find("method", "local-suppression")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(synthesis, "example", lambda: synthesis(**FEW))
        patch.setattr(mixture, "example", lambda: mixture(**FEW))
        patch.setattr(forest, "example", lambda: forest(trees=3))
        patch.setattr(suppression, "example", lambda: suppression(steps=5_000))
        yield
