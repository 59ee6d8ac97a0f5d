"""Fixture: the examples of what chooses a mixture choose among few, and a forest has few trees.

Otherwise the best of hundreds of models is looked for in every table of every contract check; which
one it is makes no difference there. The choice itself is tested in `tests/models/mixture`.
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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(synthesis, "example", lambda: synthesis(**FEW))
        patch.setattr(mixture, "example", lambda: mixture(**FEW))
        patch.setattr(forest, "example", lambda: forest(trees=3))
        yield
