"""Method: what a user calls to protect a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.accounting import Accounting, Spent
from discreet.contracts.claim import Claim
from discreet.contracts.context import Context
from discreet.contracts.ordering import InOrder, OfColumns, Reordered
from discreet.contracts.parameters import Columns, Component, param
from discreet.contracts.partition import Groups
from discreet.contracts.passed_over import PassedOver
from discreet.contracts.passes import Fitted, Passes
from discreet.contracts.rearranging import Rearranged, Sortable
from discreet.contracts.spec import Needs
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, Role, unknown_column
from discreet.microdata.labels import KnownLabels

NO_ORIGIN = -1
"""The origin of a released record that does not come from a single record of the input."""


@dataclass(frozen=True, eq=False)
class Masked:
    """The outcome of a method: the protected table, and what happened along the way.

    `origin` is set by a method that releases different rows from those it received (a sample,
    synthetic records): for each row of `data`, the row of the input that it came from, or
    `NO_ORIGIN`. `groups` are in the order of the input either way. `chosen` are the steps (usually
    one, the method itself) with everything that was chosen from the data stated as parameters, so
    that they do the same to other data; a method that chooses afresh for each file leaves it empty.
    `spent` is what a differentially private mechanism may have revealed about a record; any other
    method leaves it out. `accounting` is that of all steps, where the outcome is that of a run.
    """

    data: Microdata
    groups: Groups | None = None
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    origin: NDArray[np.int64] | None = None
    chosen: tuple[Method, ...] = ()
    spent: Spent | None = None
    accounting: Accounting | None = None


UNSPECIFIED = "what it learns from the file"
"""What a method finds afresh in each file, if it does not say."""

GROUPING = {"k-anonymity", "probabilistic-k-anonymity"}
"""What a method that forms groups of k records guarantees."""


class Grain(StrEnum):
    """The unit that a method decides about, which determines how it treats households.

    `VALUE`: equal values of a column are released as equal, in every record. `SUPPRESSION`: the
    same, unless a record is suppressed. `RECORD`: anything else that could be applied to other
    records too. `FILE`: other records are released than went in, or the result holds for these very
    records only.
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
        help="the columns whose combinations of values are strata: as a step, the method is run "
        "in each separately",
    )
    in_blocks: int | None = param(
        default=None,
        kw_only=True,
        help="as a step, a file of more records than this is cut along the treated columns into "
        "blocks of similar records, at most this many in each, and the method is run in "
        "each separately: faster, for files of any size; a method that scales its changes "
        "by the spread of the file changes less, since a block has less spread",
        at_least=2,
    )

    usual_block: ClassVar[int] = 20_000
    """Records of a block if a file is too large for the method and the plan does not say."""

    undivided: ClassVar[str] = ""
    """Why the method may not be run in strata or blocks, and what to do instead, if it may not."""

    @property
    def quicker(self) -> Mapping[str, object]:
        """Parameters with which the method is much quicker, for users in a hurry; none by default.

        Where a method has some, a forecast says how long it would take with them.
        """
        return {}

    @property
    def grain(self) -> Grain:
        """The unit that the method decides about, with its parameters as set."""
        return Grain.RECORD

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the protected table, its rows in the order of the input, or their `origin`."""
        raise TypeError(f"{type(self).__name__} does not say how to protect")

    def protect_within(
        self, data: Microdata, strata: NDArray[np.int64], context: Context
    ) -> Masked | None:
        """Return the table with each stratum protected separately, all of them at once.

        `strata` numbers the stratum of each record from 0. None if a method can only be run in
        one after another, which takes long if there are many strata.
        """
        return None

    @property
    def needs(self) -> Needs:
        """What the method needs of a file larger than memory, with its parameters as set.

        A method that forms groups of k can form them in blocks: groups of a block are groups of the
        file.
        """
        spec = self.spec
        unexplained = spec.needs is Needs.FILE and not spec.whole_because
        return Needs.BLOCKS if self._grouping and unexplained else spec.needs

    @property
    def whole_because(self) -> str:
        """Why the method, with its parameters as set, needs the whole file at once, if it does."""
        if self.spec.whole_because:
            return self.spec.whole_because
        if self.grain is Grain.FILE:
            return "since it releases records other than those it is given"
        return "since what it does to a record depends on all others"

    @property
    def anew(self) -> str:
        """What the method, with its parameters as set, finds afresh in each file; empty if nothing.

        Apart from this, a frozen plan does the same to every file.
        """
        if self.spec.anew is not None:
            return self.spec.anew
        if self.grain is Grain.FILE:
            return "the records that it draws"
        if self._grouping:
            return "groups of records"
        return "" if self.grain is Grain.VALUE else UNSPECIFIED

    @property
    def _grouping(self) -> bool:
        return bool(GROUPING & set(self.spec.guarantees)) and self.grain is Grain.RECORD

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Return how any rows of a file are treated, if the method needs rows, counts or models."""
        raise TypeError(f"{type(self).__name__} does not say how to treat a file in passes")

    def ordered(self, head: Microdata) -> OfColumns:
        """Return the columns that are treated in their order, for a method that needs order."""
        raise TypeError(f"{type(self).__name__} does not say which columns it treats in order")

    def ties(self, name: str, context: Context) -> np.random.Generator | None:
        """Return the generator that puts equal values in a random order; None for the file's order.

        One number is drawn for each known value, in the order of the file, and nothing before that.
        """
        return None

    def in_order(
        self, column: InOrder, generator: np.random.Generator | None, context: Context
    ) -> Reordered:
        """Return the new values of a column in order, given the generator for its ties."""
        raise TypeError(f"{type(self).__name__} does not say how to treat a column in order")

    by_ranks: ClassVar[bool] = False
    """Whether a method that needs order treats its columns together, by `rearranged`."""

    def rearranged(self, file: Sortable, context: Context) -> Rearranged:
        """Return the file with columns that are treated together, by the ranks of their values."""
        raise TypeError(f"{type(self).__name__} does not say how to rearrange columns")

    def passed_over(self, data: Microdata, context: Context) -> PassedOver | None:
        """Return the finer recodings that the method would have preferred to the one it chose.

        None if the choice reveals nothing about confidential values.
        """
        return None

    def labels(self, data: Microdata) -> dict[str, KnownLabels]:
        """Return what the labels of this method stand for, for each treated column of the data.

        Only those that cannot be read from their text need to be listed: the names that a hierarchy
        or a user gives to sets of values.
        """
        return {}

    def treated(
        self, data: Microdata, columns: Columns, confidential: bool = False
    ) -> tuple[str, ...]:
        """Return the columns to treat: those named, or all quasi-identifiers.

        With `confidential`, the confidential columns are treated together with them. A column of a
        kind that the method cannot treat is refused, never skipped: the user would believe it
        protected.
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
        """Refuse infinite values in a piece of a file whose first row has the number `first`."""
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
