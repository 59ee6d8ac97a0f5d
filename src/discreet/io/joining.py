"""Files with keys: one record for each household in one, many of its persons in another.

They are joined into one table, in which every person has what its household has, protected there,
and split again when they are released. So nothing is treated twice, a key has one new number in all
files, and claims are about what anyone who joins the released files sees. Files may form a chain:
visits name a person, persons a household.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import DataError, UsageError
from discreet.io.formats import FileFormat, FileTable

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Link:
    """A file with one record for each value of its `key`; `shared` are its other columns."""

    key: str
    file: str
    shared: tuple[str, ...]


@dataclass(frozen=True)
class Joined:
    """How a table is made of several files.

    `many` is the name of the file with the records, `links` are the others, each after the one
    whose columns have its key. `files` are all names in the order of the plan, `paths` where the
    files are.

    >>> import pyarrow as pa
    >>> joined = Joined("persons", (Link("hid", "households", ("town",)),))
    >>> homes, people = pa.table({"hid": [7, 8], "town": ["A", "B"]}), pa.table({"hid": [8, 8, 7]})
    >>> table = joined.together(people, [homes])
    >>> table.to_pydict()
    {'hid': [8, 8, 7], 'town': ['B', 'B', 'A']}
    >>> {name: part.to_pydict() for name, part in joined.apart(table).items()}
    {'persons': {'hid': [8, 8, 7]}, 'households': {'hid': [8, 7], 'town': ['B', 'A']}}
    """

    many: str
    links: tuple[Link, ...]
    files: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that join the files."""
        return tuple(link.key for link in self.links)

    def columns(self, name: str, present: list[str]) -> list[str]:
        """Return which of some columns belong to one of the files, in their order."""
        for link in self.links:
            if link.file == name:
                return [link.key, *(column for column in present if column in link.shared)]
        shared = {column for link in self.links for column in link.shared}
        return [column for column in present if column not in shared]

    def together(self, many: pa.Table, others: Sequence[pa.Table]) -> pa.Table:
        """Return the records of many, each with the columns of the records that its keys name."""
        import pyarrow.compute as pc

        for link, parents in zip(self.links, others, strict=True):
            keys = _plain(parents.column(link.key))
            wanted = _plain(many.column(link.key)).cast(keys.type)
            at = pc.index_in(wanted, value_set=keys, skip_nulls=True)
            for name in parents.column_names:
                if name != link.key:
                    many = many.append_column(name, parents.column(name).take(at))
        return many

    def apart(self, table: pa.Table) -> dict[str, pa.Table]:
        """Return the table of each file; one without a key is in the file of many alone."""
        import pyarrow as pa

        parts = {self.many: table.select(self.columns(self.many, table.column_names))}
        for link in self.links:
            codes = _plain(table.column(link.key)).dictionary_encode().indices
            known = np.flatnonzero(codes.is_valid().to_numpy(zero_copy_only=False))
            _, first = np.unique(codes.take(pa.array(known)).to_numpy(), return_index=True)
            columns = self.columns(link.file, table.column_names)
            parts[link.file] = table.select(columns).take(known[np.sort(first)])
        return parts


def joined_files(
    files: Mapping[str, FileTable], keys: Sequence[str], paths: tuple[Path, ...] = ()
) -> tuple[FileTable, Joined]:
    """Join files by keys, each of which is unique in one of them.

    Records of households without persons have nothing to protect them, and are left out.
    """
    _refuse_common_columns(files, keys)
    once = {
        name: [k for k in keys if k in file.table.column_names and _once(file.table, k)]
        for name, file in files.items()
    }
    many = _file_of_records(files, keys, once)
    joined, notes = files[many], list(files[many].notes)
    links: list[Link] = []
    waiting = [name for name in files if name != many]
    while waiting:
        joined_columns = joined.table.column_names
        joinable = ((k, name) for name in waiting for k in once[name] if k in joined_columns)
        key, name = next(joinable, ("", ""))
        if not name:
            raise DataError(
                f"nothing joins '{waiting[0]}' to '{many}': a file of a plan needs a unique key "
                "that the records, or a file that they name, have too; correct the files"
            )
        waiting.remove(name)
        holder = next((link.file for link in links if key in link.shared), many)
        _refuse_unknown_keys(files[holder].table, files[name].table, key, holder, name)
        joined, link_notes = _linked(joined, files[name], key, name, many)
        shared = tuple(column for column in files[name].table.column_names if column != key)
        links.append(Link(key, name, shared))
        notes += [*files[name].notes, f"'{name}' and '{holder}' are joined by '{key}'", *link_notes]
    whole = replace(joined, notes=tuple(notes))
    return whole, Joined(many, tuple(links), tuple(files), paths)


def _linked(
    records: FileTable, parents: FileTable, key: str, name: str, many: str
) -> tuple[FileTable, list[str]]:
    """Return the records with the columns of the file that they name by a key, and a note."""
    table = _with_key_of(records.table, parents.table, key, many)
    together = Joined(many, (Link(key, name, ()),)).together(table, [parents.table])
    childless = _without_match(parents.table, table, key)
    note = (
        f"{childless:,} of {parents.table.num_rows:,} records of '{name}' have no match in "
        f"'{many}', and are not released"
    )
    notes = [note] if childless else []
    return FileTable(together, _of_both(records.format, parents.format), ()), notes


def _refuse_unknown_keys(
    table: pa.Table, parents: pa.Table, key: str, holder: str, name: str
) -> None:
    """Refuse records that name a household, or a person, that the file of these does not have."""
    if alone := _without_match(_with_key_of(table, parents, key, holder), parents, key):
        raise DataError(
            f"{alone:,} records of '{holder}' have a '{key}' that '{name}' does not have, or none "
            "at all; correct the files, or leave these records out"
        )


def _file_of_records(
    files: Mapping[str, FileTable], keys: Sequence[str], once: Mapping[str, Sequence[str]]
) -> str:
    """Return the file whose records no key refers to: visits, not persons or households."""
    records = [name for name in files if not once[name]]
    if len(records) > 1:
        first, second = records[:2]
        column_sets = [set(files[name].table.column_names) for name in (first, second)]
        key = next((k for k in keys if k in column_sets[0] & column_sets[1]), keys[0])
        raise DataError(
            f"files of a plan are joined by a key that is unique in one of them, but '{key}' is "
            f"repeated or missing both in '{first}' and in '{second}'; correct the files"
        )
    return records[0] if records else list(files)[-1]


def _refuse_common_columns(files: Mapping[str, FileTable], keys: Sequence[str]) -> None:
    names = list(files)
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            first_columns, second_columns = (
                set(files[name].table.column_names) for name in (first, second)
            )
            both = sorted(first_columns & second_columns, key=lambda name: (name in keys, name))
            if len(both) > 1 or (both and both[0] not in keys):
                raise UsageError(
                    f"two files of a plan have only their key in common, but both '{first}' and "
                    f"'{second}' have a column '{both[0]}'; rename one of them, or leave it out of "
                    "the file"
                )


def _plain(column: pa.ChunkedArray) -> pa.Array:
    """Return a column as one array of its values, not as places in a list of them."""
    import pyarrow as pa

    array = column.combine_chunks()
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _once(table: pa.Table, key: str) -> bool:
    import pyarrow.compute as pc

    column = _plain(table.column(key))
    return not column.null_count and pc.count_distinct(column).as_py() == len(column)


def _with_key_of(many: pa.Table, parents: pa.Table, key: str, name: str) -> pa.Table:
    """Return the records with their key in the type that it has in the parents' file."""
    import pyarrow as pa

    wanted = _plain(parents.column(key)).type
    try:
        cast = _plain(many.column(key)).cast(wanted)
    except pa.ArrowException:
        raise DataError(
            f"the key '{key}' is written differently in '{name}' and in the other file, for "
            "example as text in one and as numbers in the other; write it the same way in both"
        ) from None
    return many.set_column(many.column_names.index(key), key, cast)


def _without_match(table: pa.Table, other: pa.Table, key: str) -> int:
    """Count the records whose key the other table does not have."""
    import pyarrow.compute as pc

    known = _plain(other.column(key))
    has_match = pc.is_in(_plain(table.column(key)), value_set=known, skip_nulls=True)
    return int(len(has_match) - (pc.sum(has_match).as_py() or 0))


def _of_both(many: FileFormat, parents: FileFormat) -> FileFormat:
    """Return the format of the records, with what the parents' file says about its columns."""
    details: Any = many.details
    if type(details) is type(parents.details):
        by_column = {
            word: {**getattr(parents.details, word), **getattr(details, word)}
            for word in ("missing", "forms")
            if isinstance(getattr(details, word, None), Mapping)
        }
        details = replace(details, **by_column) if by_column else details
    return replace(
        many,
        details=details,
        kinds={**parents.kinds, **many.kinds},
        variable_labels={**parents.variable_labels, **many.variable_labels},
        value_labels={**parents.value_labels, **many.value_labels},
        forms={**parents.forms, **many.forms},
    )
