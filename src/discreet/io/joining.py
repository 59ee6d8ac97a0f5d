"""Two files with a key: one record for each household in one, many of its persons in the other.

They are joined into one table, in which every person has what its household has, protected there,
and split again when they are released. So nothing is treated twice, a key has one new number in
both files, and claims are about what whoever joins the released files sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import DataError, UsageError
from discreet.io.formats import FileFormat, FileTable

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Joined:
    """How a table is made of two files.

    `one` is the name of the file with one record for each value of the `key`, `many` that of the
    other; `shared` are the columns of the first but for the key. `files` are both names in the
    order of the plan, `paths` where the files are.

    >>> import pyarrow as pa
    >>> joined = Joined("hid", one="households", many="persons", shared=("town",))
    >>> homes, people = pa.table({"hid": [7, 8], "town": ["A", "B"]}), pa.table({"hid": [8, 8, 7]})
    >>> table = joined.together(people, homes)
    >>> table.to_pydict()
    {'hid': [8, 8, 7], 'town': ['B', 'B', 'A']}
    >>> {name: part.to_pydict() for name, part in joined.apart(table).items()}
    {'households': {'hid': [8, 7], 'town': ['B', 'A']}, 'persons': {'hid': [8, 8, 7]}}
    """

    key: str
    one: str
    many: str
    shared: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()

    def columns(self, name: str, there: list[str]) -> list[str]:
        """Return which of some columns belong to one of the files, in their order."""
        if name == self.one:
            return [self.key, *(column for column in there if column in self.shared)]
        return [column for column in there if column not in self.shared]

    def together(self, many: pa.Table, one: pa.Table) -> pa.Table:
        """Return the records of many, each with the columns of the one that its key names."""
        import pyarrow.compute as pc

        keys = _plain(one.column(self.key))
        wanted = _plain(many.column(self.key)).cast(keys.type)
        at = pc.index_in(wanted, value_set=keys, skip_nulls=True)
        for name in one.column_names:
            if name != self.key:
                many = many.append_column(name, one.column(name).take(at))
        return many

    def apart(self, table: pa.Table) -> dict[str, pa.Table]:
        """Return the table of each file; one without a key is in the file of many alone."""
        import pyarrow as pa

        codes = _plain(table.column(self.key)).dictionary_encode().indices
        known = np.flatnonzero(codes.is_valid().to_numpy(zero_copy_only=False))
        _, first = np.unique(codes.take(pa.array(known)).to_numpy(), return_index=True)
        rows = known[np.sort(first)]
        return {
            self.one: table.select(self.columns(self.one, table.column_names)).take(rows),
            self.many: table.select(self.columns(self.many, table.column_names)),
        }


def joined_files(
    files: Mapping[str, FileTable], key: str, paths: tuple[Path, ...] = ()
) -> tuple[FileTable, Joined]:
    """Join two files by a key that each value of one of them names once.

    Records of households without persons have nothing to protect them, and are left out.
    """
    first, second = files
    one = next((name for name in (first, second) if _once(files[name].table, key)), None)
    if one is None:
        raise DataError(
            f"two files of a plan are joined by a key that one of them has once, but '{key}' is "
            f"repeated or missing both in '{first}' and in '{second}'; correct the files"
        )
    many = second if one == first else first
    left, right = files[many], files[one]
    both = set(left.table.column_names) & set(right.table.column_names) - {key}
    if both:
        raise UsageError(
            f"two files of a plan have only their key in common, but both '{first}' and '{second}' "
            f"have a column '{min(both)}'; rename one of them, or leave it out of the file"
        )
    left = replace(left, table=_with_key_of(left.table, right.table, key, many))
    shared = tuple(name for name in right.table.column_names if name != key)
    joined = Joined(key, one, many, shared, (first, second), paths)
    alone = _without_one(left.table, right.table, key)
    if alone:
        raise DataError(
            f"{alone:,} records of '{many}' have a '{key}' that '{one}' does not have, or none at "
            "all; correct the files, or leave these records out"
        )
    childless = _without_one(right.table, left.table, key)
    notes = [f"'{one}' and '{many}' are joined by '{key}'"]
    if childless:
        notes.append(
            f"{childless:,} of {right.table.num_rows:,} records of '{one}' have none in '{many}', "
            "and are not released"
        )
    table = joined.together(left.table, right.table)
    format = _of_both(left.format, right.format)
    return FileTable(table, format, (*left.notes, *right.notes, *notes)), joined


def _plain(column: pa.ChunkedArray) -> pa.Array:
    """Return a column as one array of its values, not as places in a list of them."""
    import pyarrow as pa

    array = column.combine_chunks()
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _once(table: pa.Table, key: str) -> bool:
    import pyarrow.compute as pc

    column = _plain(table.column(key))
    return not column.null_count and pc.count_distinct(column).as_py() == len(column)


def _with_key_of(many: pa.Table, one: pa.Table, key: str, name: str) -> pa.Table:
    """Return the table with a key of the type that the other file's has."""
    import pyarrow as pa

    wanted = _plain(one.column(key)).type
    try:
        cast = _plain(many.column(key)).cast(wanted)
    except pa.ArrowException:
        raise DataError(
            f"the key '{key}' is written in '{name}' otherwise than in the other file, as text in "
            "one and as numbers in the other, say; write it in one way"
        ) from None
    return many.set_column(many.column_names.index(key), key, cast)


def _without_one(table: pa.Table, other: pa.Table, key: str) -> int:
    import pyarrow.compute as pc

    known = _plain(other.column(key))
    found = pc.is_in(_plain(table.column(key)), value_set=known, skip_nulls=True)
    return int(len(found) - (pc.sum(found).as_py() or 0))


def _of_both(many: FileFormat, one: FileFormat) -> FileFormat:
    """Return the format of the file of many, with what the other says about its columns."""
    details: Any = many.details
    if type(details) is type(one.details):
        by_column = {
            word: {**getattr(one.details, word), **getattr(details, word)}
            for word in ("missing", "forms")
            if isinstance(getattr(details, word, None), Mapping)
        }
        details = replace(details, **by_column) if by_column else details
    return replace(
        many,
        details=details,
        kinds={**one.kinds, **many.kinds},
        variable_labels={**one.variable_labels, **many.variable_labels},
        value_labels={**one.value_labels, **many.value_labels},
    )
