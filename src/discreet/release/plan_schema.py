"""What a plan expects of a file: which columns, of which type, with which categories.

A plan is written for one file and run on the next. What differs between the two is stopped, or left
out, before any step sees it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from discreet.errors import DataError
from discreet.microdata import Column, Microdata

TYPES = ("number", "text", "date", "truth")
"""The types that a plan may state; whole numbers and decimals are both numbers."""


@dataclass(frozen=True)
class Expectation:
    """The columns that a plan names, and what it says about their content.

    `types` and `categories` hold for the columns that state them. `strict` allows no other columns;
    otherwise columns that the plan does not name are left out, or kept with `keep_unnamed`.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 47], "shoe": [38, 42]})
    >>> Expectation(("age",)).met_by(data).schema.names
    ('age',)
    >>> Expectation(("age",), strict=True).met_by(data)
    Traceback (most recent call last):
    discreet.errors.DataError: the plan has 'schema: strict' and does not name the column 'shoe' ...
    """

    columns: Sequence[str]
    types: Mapping[str, str] = field(default_factory=dict)
    categories: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    strict: bool = False
    keep_unnamed: bool = False

    def met_by(self, data: Microdata) -> Microdata:
        """Return the data that the plan is about, or refuse data that it is not about."""
        if self.types:
            self.refuse_types(types_of(data))
        for name, allowed in self.categories.items():
            if name in data.schema:
                _require_categories(data.column(name), allowed)
        unnamed = self.unnamed(data.schema.names)
        if self.keep_unnamed:
            return data.with_attributes(replace(data.schema[n], declared=True) for n in unnamed)
        left_out = [name for name in unnamed if not data.schema[name].declared]
        return _noted(data.drop(left_out), left_out) if left_out else data

    def unnamed(self, names: Sequence[str]) -> list[str]:
        """Return the columns of a file that the plan does not name; a strict one allows none.

        >>> Expectation(("age",)).unnamed(["age", "shoe"])
        ['shoe']
        """
        others = [name for name in names if name not in set(self.columns)]
        if self.strict:
            self._refuse(others, [name for name in self.columns if name not in set(names)])
        return others

    def refuse_types(self, held: Mapping[str, str]) -> None:
        """Refuse columns of another type than stated."""
        for name, wanted in self.types.items():
            if held.get(name, wanted) != wanted:
                raise DataError(
                    f"the plan says 'type: {wanted}' for column '{name}', but the file holds "
                    f"{_WORDS[held[name]]} there; correct the file, or change the plan"
                )

    def refuse_categories(self, held: Mapping[str, Sequence[Any]]) -> None:
        """Refuse categories that are not allowed, when no row can be named."""
        for name, allowed in self.categories.items():
            new = {str(category) for category in held.get(name, ())} - set(map(str, allowed))
            if new:
                raise DataError(_not_allowed(name, len(new)))

    def _refuse(self, unnamed: Sequence[str], absent: Sequence[str]) -> None:
        if absent:
            raise DataError(
                f"the plan has 'schema: strict' and names the column '{absent[0]}'{_more(absent)}, "
                "but the file does not have it; correct the file, or change the plan"
            )
        if unnamed:
            raise DataError(
                "the plan has 'schema: strict' and does not name the column "
                f"'{unnamed[0]}'{_more(unnamed)} that the file has; give it a role below "
                "'columns:', or remove it from the file"
            )


def types_of(data: Microdata) -> dict[str, str]:
    """Return the type of each column in the file or frame; columns without values have none.

    >>> import discreet
    >>> types_of(discreet.read({"postcode": ["01069"], "age": [31], "empty": [None]}))
    {'postcode': 'text', 'age': 'number'}
    """
    # Looked up once: a frame builds its whole schema at each access.
    held = data.source.frame.schema if data.source is not None else {}
    return {c.name: _type(c, held.get(c.name)) for c in data if not c.missing.all()}


def types_of_arrow(schema: Any) -> dict[str, str]:
    """Return the type of each column of an Arrow schema; columns of type null have none.

    >>> import pyarrow as pa
    >>> types_of_arrow(pa.schema({"age": pa.int8(), "town": pa.string(), "none": pa.null()}))
    {'age': 'number', 'town': 'text'}
    """
    import narwhals as nw
    import pyarrow as pa

    held = nw.from_native(schema.empty_table()).schema
    with_values = [field.name for field in schema if not pa.types.is_null(field.type)]
    return {name: _by_dtype(held[name]) or "text" for name in with_values}


def _by_dtype(held: Any) -> str | None:
    if held is not None and held.is_numeric():
        return "number"
    return {"Boolean": "truth", "Date": "date", "Datetime": "date"}.get(type(held).__name__)


def _type(column: Column, held: Any) -> str:
    by_dtype = _by_dtype(held)
    if by_dtype is not None:
        return by_dtype
    if column.attribute.continuous:
        return "number"
    samples = column.attribute.categories
    if all(isinstance(value, bool) for value in samples):
        return "truth"
    return "number" if all(isinstance(value, int | float) for value in samples) else "text"


_WORDS = {"number": "numbers", "text": "text", "date": "dates", "truth": "truth values"}


def _require_categories(column: Column, allowed: Sequence[Any]) -> None:
    known = {str(category) for category in allowed}
    new = [i for i, c in enumerate(column.attribute.categories) if str(c) not in known]
    occurring = np.isin(column.values, new)
    if occurring.any():
        kinds = len(np.unique(column.values[occurring]))
        where = f" (first in row {int(np.argmax(occurring)) + 1})"
        raise DataError(_not_allowed(column.name, kinds, where))


def _not_allowed(name: str, kinds: int, where: str = "") -> str:
    held = "a category" if kinds == 1 else f"{kinds} categories"
    return (
        f"column '{name}' holds {held} that the plan does not allow{where}; add what is right to "
        "'categories:', or correct the file"
    )


def _noted(data: Microdata, left_out: Sequence[str]) -> Microdata:
    """Return the data with a note on the columns that are not released."""
    if data.source is None:
        return data
    note = (
        f"not named in the plan and therefore not released: {', '.join(left_out)}; to release a "
        "column, give it a role below 'columns:'; 'release: {unnamed: keep}' releases all"
    )
    return Microdata(data, replace(data.source, notes=(*data.source.notes, note)), len(data))


def _more(names: Sequence[str]) -> str:
    return f" (and {len(names) - 1} more)" if len(names) > 1 else ""
