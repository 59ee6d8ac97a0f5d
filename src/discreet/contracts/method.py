"""Method: what a user calls to protect a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.claim import Claim
from discreet.contracts.context import Context
from discreet.contracts.ordering import InOrder, OfColumns, Reordered
from discreet.contracts.parameters import Columns, Component, param
from discreet.contracts.partition import Groups
from discreet.contracts.passed_over import PassedOver
from discreet.contracts.passes import Fitted, Passes
from discreet.contracts.spec import Needs
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, Role, unknown_column
from discreet.microdata.labels import KnownLabels

NO_ORIGIN = -1
"""The origin of a released record that does not come from a single record of the input."""


@dataclass(frozen=True, eq=False)
class Masked:
    """The outcome of a method: the protected table, and what happened along the way.

    `origin` is set by a method that releases other rows than it received (a sample, synthetic
    records): for each row of `data` the row of the input that it came from, or `NO_ORIGIN`.
    `groups` are in the order of the input either way. `chosen` are the steps (mostly one, the
    method itself) with all that was chosen from the data stated as parameters, so that they do the
    same to other data; a method that makes its choice for each file anew leaves it empty.
    """

    data: Microdata
    groups: Groups | None = None
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    origin: NDArray[np.int64] | None = None
    chosen: tuple[Method, ...] = ()


UNSAID = "what it learns of the file"
"""What a method finds anew that says nothing about it."""

GROUPING = {"k-anonymity", "probabilistic-k-anonymity"}
"""What a method guarantees that makes groups of k records."""


class Grain(StrEnum):
    """What a method decides about one by one, which says how it is to treat households.

    `VALUE`: equal values of a column are released alike, whosever they are. `SUPPRESSION`: so they
    are, or a record is suppressed. `RECORD`: anything else that could be done to other records
    too. `FILE`: other records are released than went in, or it is made for these very records.
    """

    VALUE = "value"
    SUPPRESSION = "suppression"
    RECORD = "record"
    FILE = "file"


class Method(Component):
    """Protects a table without touching its input."""

    family: ClassVar[str] = "method"

    by: Columns = param(
        default=None,
        kw_only=True,
        help="the columns whose combinations of values are strata: as a step, the method is run in "
        "each by itself",
    )
    in_blocks: int | None = param(
        default=None,
        kw_only=True,
        help="as a step, a file of more records than this is cut along the treated columns into "
        "blocks of like records, at most so many in each, and the method is run in each by itself: "
        "faster, for files of any size; what a method draws or ranks by the spread of the file "
        "changes less in a block, which has less",
        at_least=2,
    )

    usual_block: ClassVar[int] = 20_000
    """Records of a block where a file is too large for the method and the plan states none."""

    @property
    def grain(self) -> Grain:
        """What the method decides about one by one, as its parameters are set."""
        return Grain.RECORD

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the protected table, its rows in the order of the input, or their `origin`."""
        raise TypeError(f"{type(self).__name__} does not say how to protect")

    @property
    def needs(self) -> Needs:
        """What the method needs of a file larger than memory, as its parameters are set.

        What makes groups of k can make them in blocks: groups of a block are groups of the file.
        """
        spec = self.spec
        unsaid = spec.needs is Needs.FILE and not spec.whole_because
        return Needs.BLOCKS if self._grouping and unsaid else spec.needs

    @property
    def whole_because(self) -> str:
        """Why the method, as its parameters are set, needs the whole file at once, if it does."""
        if self.spec.whole_because:
            return self.spec.whole_because
        if self.grain is Grain.FILE:
            return "since it releases other records than it is given"
        return "since what it does to a record depends on all others"

    @property
    def anew(self) -> str:
        """What the method, as its parameters are set, finds in each file anew; empty if nothing.

        A frozen plan does the same to every file but for this.
        """
        if self.spec.anew is not None:
            return self.spec.anew
        if self.grain is Grain.FILE:
            return "the records that it draws"
        if self._grouping:
            return "groups of records"
        return "" if self.grain is Grain.VALUE else UNSAID

    @property
    def _grouping(self) -> bool:
        return bool(GROUPING & set(self.spec.guarantees)) and self.grain is Grain.RECORD

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Return how any rows of a file are treated, for a method that needs rows or counts."""
        raise TypeError(f"{type(self).__name__} does not say how to treat a file in passes")

    def ordered(self, head: Microdata) -> OfColumns:
        """Return the columns that are treated in their order, for a method that needs order."""
        raise TypeError(f"{type(self).__name__} does not say which columns it treats in order")

    def ties(self, name: str, context: Context) -> np.random.Generator | None:
        """Return what puts equal values of a column in a random order; None for that of the file.

        A lot is drawn for each known value, in the order of the file, and nothing before it.
        """
        return None

    def in_order(
        self, column: InOrder, generator: np.random.Generator | None, context: Context
    ) -> Reordered:
        """Return what becomes of a column in order, with the generator of its ties."""
        raise TypeError(f"{type(self).__name__} does not say how to treat a column in order")

    def passed_over(self, data: Microdata, context: Context) -> PassedOver | None:
        """Return the finer recodings that the method would have preferred to the one it chose.

        None where nothing about confidential values follows from the choice.
        """
        return None

    def labels(self, data: Microdata) -> dict[str, KnownLabels]:
        """Return what labels of this method stand for, by the columns of the data that it treats.

        Only those that cannot be read from their text need to be listed: the names that a hierarchy
        or a user gives to sets of values.
        """
        return {}

    def treated(
        self, data: Microdata, columns: Columns, confidential: bool = False
    ) -> tuple[str, ...]:
        """Return the columns to treat: those named, or all quasi-identifiers.

        With `confidential`, the confidential columns are treated together with them.
        A column of a kind that the method cannot treat is refused, never passed over: the user
        would believe it protected.
        """
        owner = type(self).__name__
        names: Sequence[str] = data.quasi_identifiers if columns is None else columns
        if confidential:
            names = (*names, *data.having(Role.CONFIDENTIAL))
        if not names:
            raise UsageError(
                f"{owner} has no column to treat: give at least one column the role "
                "quasi-identifier, or name the columns with columns=[…]"
            )
        for name in names:
            if name not in data.schema:
                raise UsageError(unknown_column(name, data.schema.names, asked_by=owner))
            attribute = data.schema[name]
            if attribute.kind not in self.spec.kinds:
                raise DataError(
                    f"{owner} treats {' and '.join(self.spec.kinds)} columns, but '{name}' is "
                    f"{attribute.kind}; name the columns to treat with columns=[…] and give "
                    f"'{name}' to {_methods_for(attribute.kind)}"
                )
            self.refuse_infinite(data, [name])
        return tuple(dict.fromkeys(names))

    def refuse_infinite(self, rows: Microdata, names: Sequence[str], first: int = 0) -> None:
        """Refuse infinite values in the rows of a table from number `first` on."""
        for name in names:
            infinite = np.isinf(rows[name]) if rows.schema[name].continuous else np.zeros(0, bool)
            if infinite.any():
                raise DataError(
                    f"{type(self).__name__} needs finite values, but column '{name}' is infinite "
                    f"in row {first + int(np.argmax(infinite)) + 1}; make it missing or correct it"
                )


def _methods_for(kind: str) -> str:
    from discreet.contracts.registry import entries

    able = [e.spec.name for e in entries("method") if kind in e.spec.kinds]
    return "a method that can treat it, such as " + ", ".join(able) if able else "another tool"
