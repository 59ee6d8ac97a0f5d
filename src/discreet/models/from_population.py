"""Components that a register of the population can be given to, as a file or as a table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, ClassVar, Self

from discreet.contracts import Columns, Component
from discreet.contracts.parameters import RELATIVE
from discreet.errors import UsageError

ENTRY, IN_MEMORY = "population=", "a table in memory"
"""How the file of a register is named, and the placeholder where a table was given."""


class FromPopulation(Component):
    """A component with a parameter `register`, which names the file of a register.

    A plan holds only a path: for any other register the private record names no file.

    >>> import discreet
    >>> discreet.FullySynthetic().from_population("people.csv").register
    ('population=people.csv',)
    >>> discreet.FullySynthetic().from_population({"age": [31, 47]}).people()
    {'age': [31, 47]}
    """

    register: Columns
    _frame: ClassVar[Any] = None

    def from_population(self, register: Any) -> Self:
        """Return the component with this register: a path, a frame, a mapping or microdata."""
        given = self.values()
        if isinstance(register, str | os.PathLike):
            return type(self)(**given | {"register": (f"{ENTRY}{os.fspath(register)}",)})
        made = type(self)(**given | {"register": (f"{ENTRY}{IN_MEMORY}",)})
        object.__setattr__(made, "_frame", register)
        return made

    def people(self) -> Any:
        """Return the table of the register that was given, read from its file if it is one."""
        from discreet.io.files import read_table

        if self._frame is not None:
            return self._frame
        entries = self.register or ()
        if len(entries) != 1 or not entries[0].startswith(ENTRY):
            raise UsageError(
                f"the register of {type(self).__name__} must be one entry population=path, but "
                f"{list(entries)!r} was given"
            )
        path = Path(entries[0].removeprefix(ENTRY).strip())
        if not path.exists():
            raise UsageError(f"there is no register '{path}': {RELATIVE}")
        return read_table(path).table

    def files(self) -> list[str]:
        """Return the path of the register, if it is a file."""
        return [] if self._frame is not None else super().files()

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self._frame is getattr(other, "_frame", None)

    __hash__ = Component.__hash__
