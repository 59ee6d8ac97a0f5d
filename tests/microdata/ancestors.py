"""The lowest common ancestor of categories, level by level, for slow twins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discreet.microdata.hierarchy import Hierarchy, Node


def common_ancestor(hierarchy: Hierarchy, values: Iterable[Any]) -> Node:
    """Return the lowest node that all values lie under."""
    categories = list(values)
    for level in range(hierarchy.height + 1):
        labels = set(hierarchy.level(categories, level))
        if len(labels) == 1:
            return Node(level, str(labels.pop()))
    raise AssertionError("the top level has one label")
