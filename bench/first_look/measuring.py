"""How often suggestions agree with a steward's labels, and what is mistaken for what."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import discreet
from bench.data import reference_data
from bench.first_look.files import Labelled, LabelledFile, invented, listed


@dataclass(frozen=True)
class Outcome:
    """A labelled column and what was suggested for it."""

    column: Labelled
    role: str
    kind: str
    reason: str
    missing_codes: tuple[float | str, ...]

    @property
    def right_role(self) -> bool:
        """Whether the role is one that the steward would give."""
        return self.role in self.column.role.split("/")

    @property
    def right_kind(self) -> bool:
        """Whether the kind is one that the steward would give."""
        return self.kind in self.column.kind.split("/")

    @property
    def right_codes(self) -> bool:
        """Whether the codes for missing values are those of the column."""
        code = self.column.missing_code
        return self.missing_codes == ((float(code),) if code else ())


@dataclass(frozen=True)
class Agreement:
    """The shares of columns whose role and kind are those of the steward."""

    columns: int
    identifiers: float
    roles: float
    kinds: float
    missing_codes: float


LISTS = ("invented", "public", "fresh", "abroad", "later", "unseen", "untried")


def outcomes(lists: Sequence[str] = LISTS, with_reference: bool = True) -> list[Outcome]:
    """Describe the files of these lists and return what was suggested for each column."""
    suggestions: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in lists:
            for file, path in invented(name, Path(folder)):
                suggestions += _described(file, path)
    data = reference_data() if with_reference else None
    if data is not None:
        for file in listed("reference"):
            suggestions += _described(file, data / file.name)
    return suggestions


def _described(file: LabelledFile, path: Path) -> Iterable[Outcome]:
    suggested = {column.name: column for column in discreet.describe(path).columns}
    for column in file.columns:
        given = suggested[column.name]
        suggestion = given.role.value, given.kind.value, given.reason, given.missing_codes
        yield Outcome(column, *suggestion)


def agreement(suggestions: Sequence[Outcome]) -> Agreement:
    """Return how often suggestions are the steward's, and how many of the identifiers are found."""
    identifiers = [o for o in suggestions if o.column.role in ("identifier", "identifier/person")]
    return Agreement(
        len(suggestions),
        _share(o.right_role for o in identifiers),
        _share(o.right_role for o in suggestions),
        _share(o.right_kind for o in suggestions),
        _share(o.right_codes for o in suggestions),
    )


def _share(agrees: Iterable[bool]) -> float:
    answers = list(agrees)
    return sum(answers) / len(answers) if answers else 1.0


def confusion(suggestions: Sequence[Outcome], aspect: str) -> str:
    """Return the table of labels (rows) against suggestions (columns) of "role" or "kind"."""
    pairs = Counter((getattr(o.column, aspect), getattr(o, aspect)) for o in suggestions)
    words = sorted({word for pair in pairs for word in pair})
    width = max(len(word) for word in words)
    lines = [" " * width + "  " + "  ".join(words)]
    for label in words:
        cells = (f"{pairs[label, given] or '.':>{len(given)}}" for given in words)
        lines.append(f"{label:<{width}}  {'  '.join(cells)}")
    return "\n".join(lines)
