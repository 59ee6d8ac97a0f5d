"""The state of a large file after some steps: what holds for it, and its groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.contracts import Claim
from discreet.scaling.store import Store


@dataclass(frozen=True, eq=False)
class Stepped:
    """The state after some steps: the store, and what holds for it.

    `labels` is the file of group labels; `alike` are the columns that make the groups where there
    is none. `drawn` and `drawn_columns` are those of `Groups`. `new` says that the step drew
    all records.
    """

    store: Store
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    labels: str = ""
    alike: tuple[str, ...] = ()
    least_size: int = 1
    detail: Mapping[str, Any] = field(default_factory=dict)
    drawn: bool = False
    drawn_columns: frozenset[str] = frozenset()
    new: bool = False


def group_labels(state: Stepped, first: int, last: int) -> Any:
    """Return the group labels of some rows; None where no step grouped records."""
    if not state.labels:
        return None
    path = state.store.folder / state.labels
    return np.fromfile(path, np.int64, last - first, offset=first * 8)
