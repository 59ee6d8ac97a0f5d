"""Knowledge: what an intruder knows about the people, if not everything, or not exactly."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.attack import Target
from discreet.contracts.context import Context
from discreet.errors import UsageError
from discreet.microdata import Column, Microdata, Role, unknown_column


@dataclass(frozen=True)
class Knowledge:
    """What the intruder knows before the release; by default the worst case.

    `columns` are known, all quasi-identifiers if not given. Numbers are off by `error` standard
    deviations, and that share of the categories is wrong. A `share` of the people is known; nothing
    is known about the others. `method` says whether the method and its parameters are known, which
    the intruder then uses as if the known values were exact.

    >>> import discreet
    >>> from discreet.contracts import Pairing, Target
    >>> data = discreet.read({"age": [20, 40, 60, 80]}, roles={"age": "quasi-identifier"})
    >>> target = Target(data, data, Pairing.same_order(4))
    >>> half = Knowledge(share=0.5).of(target, Context())
    >>> int(half.original.column("age").missing.sum()), str(Knowledge(share=0.5))
    (2, 'all quasi-identifiers for 50 % of the people')
    """

    columns: tuple[str, ...] | None = None
    error: float = 0.0
    share: float = 1.0
    method: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.error <= 1:
            raise UsageError(f"the error must be between 0 and 1, but {self.error:g} was given")
        if not 0 < self.share <= 1:
            raise UsageError(
                f"the share of the people must be above 0 and at most 1, but {self.share:g} was "
                "given"
            )

    def __str__(self) -> str:
        """Return the knowledge in words."""
        words = "all quasi-identifiers" if self.columns is None else ", ".join(self.columns)
        if self.error:
            words += f" with an error of {self.error:g}"
        return f"{words} for {100 * self.share:.3g} % of the people"

    def of(self, target: Target, context: Context) -> Target:
        """Return the target as an intruder with this knowledge sees it."""
        names = self._names(target.original)
        pairing = target.pairing
        if pairing is not None and not self.method:
            pairing = replace(pairing, imitate=None, steps=())
        generator = context.generator("knowledge")
        people = len(target.original)
        unknown = np.sort(generator.permutation(people)[round(self.share * people) :])
        original = self._seen(target.original, names, unknown, generator)
        control = target.control
        if control is not None:
            control = self._seen(control, names, unknown[:0], generator)
        return replace(target, original=original, pairing=pairing, control=control)

    def _names(self, original: Microdata) -> tuple[str, ...]:
        for name in self.columns or ():
            if name not in original.schema:
                raise UsageError(
                    unknown_column(name, original.schema.names, asked_by="what the intruder knows")
                )
        return original.quasi_identifiers if self.columns is None else self.columns

    def _seen(
        self,
        table: Microdata,
        names: tuple[str, ...],
        unknown: NDArray[np.int64],
        generator: np.random.Generator,
    ) -> Microdata:
        """Return a table of people whose quasi-identifiers are what is known about them."""
        roles = dict.fromkeys(table.quasi_identifiers, Role.OTHER)
        roles |= dict.fromkeys(names, Role.QUASI_IDENTIFIER)
        table = table.with_attributes(
            replace(table.schema[name], role=role) for name, role in roles.items()
        )
        return table.replace(
            _with_gaps(_in_error(table.column(name), self.error, generator), unknown)
            for name in names
        )


def _in_error(column: Column, error: float, generator: np.random.Generator) -> Column:
    if not error or column.missing.all():
        return column
    if column.attribute.continuous:
        spread = float(column.values[~column.missing].std())
        noise = generator.normal(0.0, error * spread, len(column.values))
        return column.with_values(column.values + noise)
    wrong = generator.random(len(column.values)) < error
    others = generator.permutation(column.values)
    return column.with_values(np.where(wrong, others, column.values))


def _with_gaps(column: Column, rows: NDArray[np.int64]) -> Column:
    if not len(rows):
        return column
    values = column.values.copy()
    values[rows] = np.nan if column.attribute.continuous else -1
    return column.with_values(values)
