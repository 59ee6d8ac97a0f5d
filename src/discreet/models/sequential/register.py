"""The register of a population: background attributes that are known for everybody in it.

In Rubin's scheme some attributes are known for the whole population, the others only for a sample
of it. The file is that sample. A synthetic release is a sample of the population too, with the
other attributes imputed for its persons (Raghunathan, Reiter & Rubin 2003).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import MISSING_CODE, Column, Kind, Microdata, Role, unknown_column
from discreet.microdata.dates import unit_of
from discreet.microdata.hierarchy import text_of
from discreet.models.sequential.assembly import modelled

Rows = NDArray[np.int64]

NOBODY = -1
LARGEST_WHOLE = 2.0**53
"""Beyond this not every whole number is representable, and two persons might get one number."""


@dataclass(frozen=True, eq=False)
class Register:
    """The persons of a population, with background attributes in the categories of a file.

    `records` has for each person the record of the file about them, or −1. `linked` says
    whether that is known at all: whether the register has the file's identifiers.

    >>> import discreet
    >>> data = discreet.read({"id": ["a", "b"], "sex": ["f", "m"], "pay": [1.0, 2.0]},
    ...                      roles={"id": "identifier"})
    >>> register = Register.of({"id": ["c", "b"], "sex": ["m", "m"]}, data)
    >>> register.background, register.records, register.strangers
    (('sex',), array([-1,  1]), array([0]))
    """

    columns: tuple[Column, ...]
    records: Rows
    linked: bool

    @classmethod
    def of(cls, frame: Any, data: Microdata, background: Sequence[str] | None = None) -> Register:
        """Take a frame, or microdata, as the register of the population that `data` sample.

        Background attributes are those named, or all columns of the file that the register has,
        except confidential ones: background attributes are released as they are.
        """
        from discreet.io.frames import column_names, from_native

        if isinstance(frame, Microdata):
            frame = frame.frame()
        identifiers = data.having(Role.IDENTIFIER)
        register_columns = list(frame) if isinstance(frame, Mapping) else column_names(frame)
        for name in background or ():
            if name not in register_columns:
                asked_by = "the list of background attributes of the register"
                raise UsageError(
                    unknown_column(
                        name, register_columns, asked_by=asked_by, asked=background or ()
                    )
                )
        released = set(modelled(data)) - set(data.having(Role.CONFIDENTIAL))
        wanted = released & set(register_columns) if background is None else set(background)
        names = [name for name in modelled(data) if name in wanted]
        if not names:
            raise UsageError(
                "the register must have at least one background attribute under the name that it "
                "has in the file, but it has none"
            )
        named = [name for name in identifiers if name in register_columns]
        kinds = {
            name: Kind.CONTINUOUS if data.schema[name].continuous else Kind.NOMINAL
            for name in [*names, *named]
        }
        try:
            register = from_native(frame, kinds=kinds)
        except DataError as error:
            raise DataError(f"the register cannot be used: {error}") from None
        if not len(register):
            raise DataError("the register has no persons to draw from")
        columns = tuple(_as_in_file(register, data, name) for name in names)
        if not named:
            return cls(columns, np.full(len(register), NOBODY), linked=False)
        return cls(columns, _linked(register, data, named), linked=True)

    @property
    def background(self) -> tuple[str, ...]:
        """The names of the background attributes."""
        return tuple(column.name for column in self.columns)

    @property
    def strangers(self) -> Rows:
        """The persons about whom the file has, or may have, no record."""
        return np.flatnonzero(self.records == NOBODY)

    def __len__(self) -> int:
        return len(self.records)

    def of_persons(self, persons: Rows) -> list[Column]:
        """Return the background attributes of these persons."""
        return [Column(c.attribute, c.values[persons]) for c in self.columns]


def _as_in_file(register: Microdata, data: Microdata, name: str) -> Column:
    """Return a column of the register with the codes, or in the unit, that the file has."""
    column, attribute = register.column(name), data.schema[name]
    if attribute.continuous:
        if unit_of(register, name) != unit_of(data, name):
            raise DataError(
                f"column '{name}' must be of one type in the file and in the register, but only "
                "one of them holds dates of that type; convert one of the two"
            )
        if np.isinf(column.values).any():
            raise DataError(
                f"the register must hold finite values, but column '{name}' is infinite in row "
                f"{int(np.argmax(np.isinf(column.values))) + 1}; make it missing or correct it"
            )
        return Column(attribute, column.values)
    place = {text_of(category): code for code, category in enumerate(attribute.categories)}
    codes = [place.get(text_of(category)) for category in column.attribute.categories]
    unknown = np.flatnonzero([code is None for code in codes])
    if len(unknown):
        persons = int(np.isin(column.values, unknown).sum())
        raise DataError(
            f"column '{name}' of the register has {len(unknown)} categories ({persons} persons) "
            "that no record of the file has, so that nothing can be imputed for these persons; "
            "join them with other categories in both, or leave these persons out of the register"
        )
    translation = np.array([*(code for code in codes if code is not None), MISSING_CODE])
    return Column(attribute, translation[column.values])


def _linked(register: Microdata, data: Microdata, identifiers: Sequence[str]) -> Rows:
    """Return the record of the file about each person of the register."""
    file_keys, register_keys = _keys(data, identifiers), _keys(register, identifiers)
    for keys, whose in ((file_keys, "the file"), (register_keys, "the register")):
        present = [key for key in keys if key is not None]
        if len(set(present)) < len(present):
            raise DataError(
                f"the identifiers that {whose} shares with the other ({', '.join(identifiers)}) "
                "must be unique to each person, but two have the same; drop them from the register "
                "if they do not identify persons"
            )
    records = {key: record for record, key in enumerate(file_keys) if key is not None}
    return np.array(
        [NOBODY if key is None else records.get(key, NOBODY) for key in register_keys],
        dtype=np.int64,
    )


def _keys(data: Microdata, identifiers: Sequence[str]) -> list[tuple[str, ...] | None]:
    """Return what identifies each record; None where a part of it is missing."""
    parts = []
    for name in identifiers:
        column = data.column(name)
        if column.attribute.continuous:
            if (np.abs(column.values[~column.missing]) >= LARGEST_WHOLE).any():
                raise DataError(
                    f"the identifier '{name}' has numbers too large to be distinguished; read it "
                    "as nominal"
                )
            texts = [text_of(value) for value in column.values.tolist()]
        else:
            known = [text_of(category) for category in column.attribute.categories]
            texts = [known[code] for code in column.values.tolist()]
        parts.append([None if m else t for t, m in zip(texts, column.missing, strict=True)])
    whole = zip(*parts, strict=True)
    return [
        None if None in key else tuple(part for part in key if part is not None) for key in whole
    ]
