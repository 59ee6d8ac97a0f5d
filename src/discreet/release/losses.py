"""Losses: how far each column, and each pair of columns, is from what it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discreet.contracts import Better, Side

if TYPE_CHECKING:
    from discreet.release.assessment import Row


@dataclass(frozen=True)
class Loss:
    """How much of a column, or of a pair of columns, was lost: 0 is nothing, 1 is all."""

    names: tuple[str, ...]
    share: float

    def __str__(self) -> str:
        return f"{' × '.join(self.names)} {100 * self.share:.3g} %"


@dataclass(frozen=True)
class Losses:
    """The losses by one measure, given by its name and title, the worst first."""

    measure: str
    title: str
    worst: tuple[Loss, ...]


def losses(rows: Sequence[Row], size: int) -> Losses | None:
    """Return the losses of single columns (size 1) or of pairs (size 2); None if not measured.

    They come from the first measure of utility that has them as shares.

    >>> import discreet
    >>> data = discreet.read({"a": [1, 1, 2, 2], "b": ["x", "y", "x", "y"]})
    >>> other = discreet.read({"a": [1, 1, 2, 2], "b": ["x", "y", "y", "y"]})
    >>> lost = losses(discreet.assess(data, other, ["marginals", "pairs"]).rows, 1)
    >>> lost.measure, [str(loss) for loss in lost.worst]
    ('marginals', ['b 25 %', 'a 0 %'])
    """
    for row in rows:
        spec = row.spec
        if row.after is None or spec.side is not Side.UTILITY or not spec.is_share:
            continue
        parts = {names: part for names, part in row.after.parts.items() if len(names) == size}
        if parts and spec.better is Better.LOWER:
            worst = sorted(parts.items(), key=lambda part: -part[1])
            return Losses(spec.name, spec.title, tuple(Loss(*part) for part in worst))
    return None
