"""Columns of Arrow as columns of microdata: numbers, or codes into categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UnknownColumn, UsageError
from discreet.io.arrow_arrays import (
    in_words,
    kind_of,
    numbers_of,
    opaque,
    require_exact,
    require_measurable,
)
from discreet.io.coding import codes_of
from discreet.io.series import arrow_of, written_in_two_ways
from discreet.io.stated_roles import Roles, roles_by_column
from discreet.microdata import Attribute, Column, Kind, Microdata, Role, Source, unknown_column
from discreet.microdata.all_cores import for_each

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Kinds", "column_of", "from_series"]

Kinds = Mapping[str, str | Sequence[Any]]

MEASURED_ROLES = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL, Role.WEIGHT)
NAMING_ROLES = (Role.HOUSEHOLD, Role.PERSON, Role.STRATUM)
EXACT_ROLES = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL, *NAMING_ROLES)


def from_series(
    series_by_name: dict[str, Any],
    roles: Roles | None,
    kinds: Kinds | None,
    source: Source,
    *,
    sound: bool = False,
) -> Microdata:
    """Return series as microdata. Each is dropped once it is read, so that the cells of all are
    never in memory beside all values. Those that are `sound` are not checked for damage.

    >>> import narwhals as nw
    >>> import pyarrow as pa
    >>> columns = {"age": nw.from_native(pa.chunked_array([[31, 47]]), series_only=True)}
    >>> from_series(columns, {"age": "quasi-identifier"}, None, Source(None))
    Microdata(2 records; age: quasi-identifier, continuous)
    >>> columns
    {}
    """
    names = list(series_by_name)
    roles, notes = roles_by_column(roles, names)
    refuse_unknown(roles, kinds, series_by_name)

    def read(name: str) -> tuple[Column, bool]:
        declared = name in roles
        role = Role.parse(roles.get(name, Role.OTHER), column=name)
        kind = (kinds or {}).get(name)
        series = series_by_name.pop(name)
        array = arrow_of(series, name, sound=sound)
        # The caller can change what pandas holds; Arrow and Polars do not allow it.
        immutable = not series.implementation.is_pandas_like()
        column = column_of(array, name, role, kind, declared, immutable)
        # Two ways of writing one value would distinguish records that count as alike.
        return column, written_in_two_ways(series, array, role)

    records = max(map(len, series_by_name.values()), default=0)
    columns = for_each(read, names, records)
    doubled = [column.name for column, twice in columns if twice]
    source = replace(source, notes=(*source.notes, *notes)) if notes else source
    return Microdata([column for column, _ in columns], source.touch(doubled))


def refuse_unknown(
    roles: Mapping[str, Any], kinds: Kinds | None, columns: Mapping[str, Any] | Sequence[str]
) -> None:
    """Refuse a role or kind of a column that is not among the names, or the series by name.

    >>> refuse_unknown({"agee": "quasi-identifier"}, None, ["age"])
    Traceback (most recent call last):
    discreet.errors.UnknownColumn: the list of roles names column 'agee', which is not in the data;
    did you mean 'age'? (columns: 'age')
    """
    for given, list_name in ((roles, "roles"), (kinds or {}, "kinds")):
        for name in given:
            if name not in columns:
                raise UnknownColumn(
                    unknown_column(
                        str(name),
                        columns,
                        asked_by=f"the list of {list_name}",
                        asked=[str(asked) for asked in (*roles, *(kinds or {}))],
                        repeated_below=isinstance(columns, Mapping) and _repeated_below(columns),
                    )
                )


def _repeated_below(columns: Mapping[str, Any]) -> bool:
    """Whether a text column has its own name among its values, as a first record may."""
    import narwhals as nw

    texts = ((n, s) for n, s in columns.items() if s.dtype in (nw.String, nw.Categorical))
    return any(bool((series.cast(nw.String) == name).any()) for name, series in texts)


def column_of(
    array: pa.Array,
    name: str,
    role: Role,
    kind: str | Sequence[Any] | None,
    declared: bool,
    immutable: bool,
) -> Column:
    """Return an Arrow array as a column; `kind` is a word, the list of its categories, or None."""
    order: Sequence[Any] | None = None
    if kind is not None and not isinstance(kind, str):
        if not isinstance(kind, list | tuple):
            raise UsageError(
                f"the kind of column '{name}' must be a word or the list of its categories, but a "
                f"{type(kind).__name__} was given"
            )
        order, kind = list(kind), Kind.ORDINAL
    if kind is None:
        # The number of a household, person or stratum is a name, whatever it looks like.
        chosen = Kind.NOMINAL if role in NAMING_ROLES else kind_of(array.type)
    else:
        chosen = Kind.parse(kind, column=name)
    attribute = Attribute(name, role, chosen, (), declared)
    if chosen is Kind.CONTINUOUS:
        values = numbers_of(array, name, immutable=immutable)
        if role in MEASURED_ROLES:
            require_measurable(values, name)
        if role in EXACT_ROLES:
            require_exact(array, values, name)
        return _over(attribute, values)
    if opaque(array.type):
        refuse_unmeasurable(array.type, role, name)
        if role is Role.IDENTIFIER:
            # It is dropped, so its content does not matter.
            return Column(attribute.recoded(Kind.NOMINAL, ("",)), np.zeros(len(array), np.int32))
        array, order, chosen = in_words(array, name), None, Kind.NOMINAL
    codes, categories = codes_of(array, name, order)
    return _over(attribute.recoded(chosen, categories), codes)


def refuse_unmeasurable(kind: pa.DataType, role: Role, name: str) -> None:
    """Refuse a role for which values are measured if they are lists, structs and the like."""
    if opaque(kind) and role not in (Role.OTHER, Role.IDENTIFIER):
        raise DataError(
            f"column '{name}' holds values of type {kind}, which cannot be measured; "
            "give it the role other, or split it into plain columns"
        )


def _over(attribute: Attribute, values: NDArray[Any]) -> Column:
    """Return a column over an array that was made for it, or that nobody can write to."""
    values.flags.writeable = False
    return Column.over(attribute, values)
