"""What discreet raises: each error states the rule, what was received, where, and the way out.

There are two families, which the command line tells apart: a wrong instruction (`UsageError`) exits
with status 2, unusable data or a release that may not be made (`DataError`) with status 1.
No message quotes a value of a record: rows are named by number, columns by name.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "ClaimError", "DataError", "DiscreetError", "NotApplicable", "TooFewRecords", "UnknownColumn",
    "UsageError",
    "nearest",
]  # fmt: skip


class DiscreetError(Exception):
    """The parent of every error that discreet raises on purpose.

    A message is one line, whatever the names and values of a plan are that it quotes.

    >>> print(UsageError("there is no column 'pay\\nroll'"))
    there is no column 'pay roll'
    """

    exit_code = 1

    def __str__(self) -> str:
        return " ".join(part.strip() for part in super().__str__().splitlines())


class UsageError(DiscreetError):
    """The instruction is wrong: an unknown name, a parameter out of range, a broken plan."""

    exit_code = 2


class UnknownColumn(UsageError):
    """A column is named that the data do not have."""


class DataError(DiscreetError):
    """The data or the place to write to cannot be used as asked."""


class TooFewRecords(DataError):
    """What a step promises cannot be reached with as few records as these."""


class ClaimError(DataError):
    """A claim about the release is false when measured, so nothing is released."""


class NotApplicable(Exception):
    """A measure has no meaning for these data; the text says why."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name most like `name`, or an empty string.

    >>> nearest("mdva", ["mdav", "mst"])
    "; did you mean 'mdav'?"
    >>> nearest("zzz", ["mdav", "mst"])
    ''
    """
    lowered = {candidate.lower(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.5)
    return f"; did you mean '{lowered[matches[0]]}'?" if matches else ""
