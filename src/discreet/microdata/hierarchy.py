"""Hierarchies: what a value is called when it is given less precisely.

A hierarchy gives each category a label per level: level 0 is the category itself, every further
level is coarser, and at the top all categories have one label, `*` unless the maker of the
hierarchy named it otherwise. Each level is a function of the one below, so that the labels form a
tree. Values and categories meet as text: the number 39 is the category "39".
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata.schema import Schema
from discreet.microdata.unknown_column import unknown_column

TOP = "*"
_DELIMITERS = (";", ",", "\t")  # ARX writes the first
_HEADER = re.compile(r"level[ _-]?(\d+)", re.IGNORECASE)


class Node(NamedTuple):
    """A label of a hierarchy with its level."""

    level: int
    label: str


class Hierarchy:
    """The labels of each category, from the category itself up to one label for all.

    >>> towns = Hierarchy([("Ayle", "coast"), ("Bron", "coast"), ("Cull", "hills")])
    >>> towns.height
    2
    >>> towns.level(["Cull", "Ayle"], 1)
    ['hills', 'coast']
    >>> towns.children(towns.root)
    (Node(level=1, label='coast'), Node(level=1, label='hills'))

    A level `*` is added where the last given one has several labels. `numbers` are the row
    numbers that errors mention; `name` is what they call the hierarchy.
    """

    def __init__(
        self,
        rows: Iterable[Sequence[object]],
        name: str = "the hierarchy",
        numbers: Iterable[int] | None = None,
    ) -> None:
        table = [tuple(text_of(label) for label in row) for row in rows]
        at = range(1, len(table) + 1) if numbers is None else list(numbers)
        _check_shape(table, at, name)
        levels = [list(labels) for labels in zip(*table, strict=True)]
        if len(levels) == 1 or len(set(levels[-1])) > 1:
            levels.append([TOP] * len(table))
        self.name = name
        self.labels: tuple[tuple[str, ...], ...] = tuple(
            tuple(dict.fromkeys(labels)) for labels in levels
        )
        codes = np.empty((len(levels), len(table)), dtype=np.int32)
        for n, labels in enumerate(levels):
            position = {label: i for i, label in enumerate(self.labels[n])}
            codes[n] = [position[label] for label in labels]
        _check_tree(codes, self.labels, at, name)
        codes.flags.writeable = False
        self.codes: NDArray[np.int32] = codes
        """Label number by level and category; labels are numbered as they first appear."""
        self._position = {category: i for i, category in enumerate(self.categories)}

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a file as ARX writes it: a row per category, level 0 first, separated by `;`.

        Commas and tabs are accepted too, and so is a first row `level_0;level_1;…`.
        """
        place = Path(path)
        name = f"hierarchy file {place}"
        rows = _read_rows(place, name)
        numbers = [number for number, _ in rows]
        labels = [row for _, row in rows]
        if labels and _is_header(labels[0]):
            numbers, labels = numbers[1:], labels[1:]
        if not labels:
            raise DataError(f"{name} must have a row per category, but it has none")
        if max(len(row) for row in labels) == 1 < len(labels):
            raise DataError(
                f"{name} must give labels per level, separated by semicolons, commas or tabs, "
                "but its rows have one entry only"
            )
        return cls(labels, name, numbers)

    @classmethod
    def from_mapping(cls, labels: Mapping[Any, Any]) -> Self:
        """Make a hierarchy from the label of each category, or its labels level by level.

        >>> Hierarchy.from_mapping({"Ayle": "coast", "Cull": ["hills"]}).level(["Cull"], 1)
        ['hills']
        """
        rows = [
            (category, above) if isinstance(above, str) else (category, *above)
            for category, above in labels.items()
        ]
        return cls(rows)

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> Self:
        """Make a hierarchy from nested labels, with the categories as lists at the ends.

        A branch that ends early keeps its lowest label at the levels that only others have.

        >>> tree = {"north": {"coast": ["Ayle", "Bron"], "hills": ["Cull"]}, "south": ["Dorn"]}
        >>> towns = Hierarchy.from_tree(tree)
        >>> [towns.level(["Cull", "Dorn"], n) for n in range(towns.height + 1)]
        [['Cull', 'Dorn'], ['hills', 'south'], ['north', 'south'], ['*', '*']]
        """
        paths = list(_paths(tree, ()))
        deepest = max((len(path) for path in paths), default=0)
        rows = [(p[0], *([p[1]] * (deepest - len(p))), *p[1:]) for p in paths]
        return cls(rows)

    @classmethod
    def of_text(cls, values: Iterable[Any]) -> Self:
        """Build levels that hide one more character from the right, as is done with postcodes.

        >>> codes = Hierarchy.of_text(["81667", "81675", "80331"])
        >>> [codes.level(["81667"], n)[0] for n in range(codes.height + 1)]
        ['81667', '8166*', '816**', '81***', '8****', '*']
        """
        texts = list(dict.fromkeys(text_of(v) for v in values if not _absent(v)))
        longest = max((len(text) for text in texts), default=0)
        return cls(
            [text, *(_hidden(text, keep) for keep in range(longest - 1, 0, -1)), TOP]
            for text in texts
        )

    def __repr__(self) -> str:
        return f"Hierarchy({len(self.categories)} categories, height {self.height})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Hierarchy)
            and self.labels == other.labels
            and np.array_equal(self.codes, other.codes)
        )

    def __hash__(self) -> int:
        return hash(self.labels)

    @property
    def categories(self) -> tuple[str, ...]:
        """The labels of level 0."""
        return self.labels[0]

    @property
    def height(self) -> int:
        """The number of the top level."""
        return len(self.labels) - 1

    @property
    def root(self) -> Node:
        """The label that all categories share."""
        return Node(self.height, self.labels[-1][0])

    def positions(self, values: Iterable[Any]) -> NDArray[np.int64]:
        """Return the place of each value among the categories, −1 for a missing one.

        A value that is not a category is an error, which counts such values but quotes none: they
        may be a record's.
        """
        # Most values are texts already.
        texts = [
            value if type(value) is str else None if _absent(value) else text_of(value)
            for value in values
        ]
        unknown = len({t for t in texts if t is not None and t not in self._position})
        if unknown:
            raise DataError(
                f"{self.name} must hold every value of its column, but {unknown} "
                f"{'is' if unknown == 1 else 'are'} not among its {len(self.categories)} "
                "categories; add a row for each, spelled as in the data"
            )
        return np.array([-1 if t is None else self._position[t] for t in texts], dtype=np.int64)

    def level(self, values: Iterable[Any], n: int) -> list[str | None]:
        """Return the label of each value at level `n`; a missing value has none."""
        if not 0 <= n <= self.height:
            raise UsageError(
                f"the level must be a whole number from 0 to {self.height} in {self.name}, "
                f"but {n} was given"
            )
        labels, codes = self.labels[n], self.codes[n]
        return [None if i < 0 else labels[codes[i]] for i in self.positions(values)]

    def children(self, node: Node) -> tuple[Node, ...]:
        """Return the nodes directly below a node, none below a category."""
        if not 0 <= node.level <= self.height or node.label not in self.labels[node.level]:
            raise UsageError(f"{self.name} has no label '{node.label}' at level {node.level}")
        if node.level == 0:
            return ()
        below = node.level - 1
        inside = self.codes[node.level] == self.labels[node.level].index(node.label)
        codes = dict.fromkeys(self.codes[below][inside].tolist())
        return tuple(Node(below, self.labels[below][code]) for code in codes)


def text_of(value: object) -> str:
    """Return a value as text: numbers in their shortest form, whole ones without a point.

    >>> text_of(20.0), text_of(0.1), text_of("20.0"), text_of(-0.0)
    ('20', '0.1', '20.0', '0')
    """
    if isinstance(value, float | np.floating):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e16 else repr(number)
    return str(value)


def hierarchies_of(
    entries: Sequence[str] | None, schema: Schema, owner: str
) -> dict[str, Hierarchy]:
    """Read the files of entries "column=path", relative paths from the working directory.

    The column ends at the first equals sign; it must be in the data.

    >>> hierarchies_of(["town"], Schema([]), "Mondrian")
    Traceback (most recent call last):
    discreet.errors.UsageError: the hierarchies of Mondrian must be written as column=path, ...
    """
    hierarchies: dict[str, Hierarchy] = {}
    for entry in entries or ():
        column, _, path = (part.strip() for part in entry.partition("="))
        if not (column and path):
            raise UsageError(
                f"the hierarchies of {owner} must be written as column=path, such as "
                f"town=towns.csv, but '{entry}' was given"
            )
        if column not in schema:
            raise UsageError(unknown_column(column, schema.names, asked_by=owner))
        if column in hierarchies:
            raise UsageError(f"{owner} is given two hierarchies for column '{column}'")
        hierarchies[column] = Hierarchy.from_file(path)
    return hierarchies


def _absent(value: Any) -> bool:
    return value is None or bool(value != value)


def _check_shape(table: list[tuple[str, ...]], at: Sequence[int], name: str) -> None:
    if not table:
        raise DataError(f"{name} must have at least one category, but it has none")
    first: dict[str, int] = {}
    for number, row in zip(at, table, strict=True):
        if len(row) != len(table[0]):
            raise DataError(
                f"every row of {name} must have {len(table[0])} levels like row {at[0]}, but "
                f"row {number} has {len(row)}"
            )
        for level, label in enumerate(row):
            if not label.strip():
                raise DataError(f"row {number} of {name} has no label at level {level}")
        if row[0] in first:
            raise DataError(
                f"{name} must have one row per category, but '{row[0]}' is in rows "
                f"{first[row[0]]} and {number}"
            )
        first[row[0]] = number


def _check_tree(
    codes: NDArray[np.int32], labels: Sequence[Sequence[str]], at: Sequence[int], name: str
) -> None:
    """Refuse a label that lies under two labels of the next level."""
    for n in range(len(labels) - 1):
        above: dict[int, int] = {}
        for row, (code, parent) in enumerate(zip(codes[n], codes[n + 1], strict=True)):
            first = above.setdefault(int(code), row)
            if codes[n + 1][first] != parent:
                raise DataError(
                    f"each label of {name} must lie under one label of the next level, but "
                    f"'{labels[n][code]}' of level {n} lies under "
                    f"'{labels[n + 1][codes[n + 1][first]]}' in row {at[first]} and under "
                    f"'{labels[n + 1][parent]}' in row {at[row]}"
                )


def _read_rows(path: Path, name: str) -> list[tuple[int, list[str]]]:
    """Return numbered rows, cut at the delimiter that gives all of them the same length."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(
            f"there is no {name}: relative paths start from the plan's folder, in Python from the "
            "working directory"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"{name} cannot be read as UTF-8 text ({type(error).__name__}); check the path, or "
            "save the file as UTF-8"
        ) from None
    best: list[tuple[int, list[str]]] = []
    for delimiter in _DELIMITERS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = [(reader.line_num, [label.strip() for label in row]) for row in reader if row]
        lengths = {len(row) for _, row in rows}
        if len(lengths) == 1 and lengths != {1}:
            return rows
        # If none fits, the one that splits most gives the clearest error.
        if max(lengths, default=0) > max((len(row) for _, row in best), default=0):
            best = rows
    return best


def _is_header(row: Sequence[str]) -> bool:
    matches = [_HEADER.fullmatch(label) for label in row]
    return all(match and int(match[1]) == n for n, match in enumerate(matches))


def _paths(tree: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for label, below in tree.items():
        if isinstance(below, Mapping):
            yield from _paths(below, (label, *above))
        else:
            yield from ((text_of(category), label, *above) for category in below)


def _hidden(text: str, keep: int) -> str:
    return text[:keep] + TOP * (len(text) - keep)
