"""Tree: the nodes of a grown tree, the records in each, and its rules in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Attribute, Column, Microdata
from discreet.microdata.dates import date_texts
from discreet.models.regression_tree.responses import Responses

Integers = NDArray[np.int64]
MOST_NAMED = 6
"""Categories that a rule lists by name; further ones are counted."""


@dataclass(frozen=True)
class Predictor:
    """A column that a tree may cut.

    `values` are the meanings of its category codes, None where it is cut as a number; `missing`
    says that some record has no value. `unit` is what a column of dates counts (dates.py).
    """

    attribute: Attribute
    values: tuple[Any, ...] | None
    missing: bool
    unit: str | None = None

    @property
    def name(self) -> str:
        """The column's name."""
        return self.attribute.name


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes in preorder: a node before its children, the lower part before the upper one.

    `parent` is −1 for the root (node 0) and `column` is −1 for a leaf, otherwise the number of the
    predictor that the node is cut by. Where that is numeric, `cut` has the value: records at most
    at it, or missing, go to the first child; minus infinity separates the missing from the present.
    Where it has categories, `limits` and `codes` list those that lead from it to each child, with
    0 for missing and 1 + the number of the category. `rows[start : start + count]` are the
    records of a node.

    >>> import discreet
    >>> from discreet.models.regression_tree import grow
    >>> data = discreet.read({"age": [21, 23, 40, 46], "pay": [10, 11, 30, 32]})
    >>> tree = grow(data, ["age"], ["pay"], k=2)
    >>> tree.labels
    array([0, 0, 1, 1])
    >>> tree.children(0)
    [1, 2]
    >>> tree.rule(2)
    ['age > 30']
    """

    predictors: tuple[Predictor, ...]
    responses: Responses
    k: int
    parent: Integers
    column: Integers
    cut: NDArray[np.float64]
    start: Integers
    count: Integers
    rows: Integers
    limits: Integers
    codes: Integers

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def leaves(self) -> Integers:
        """The numbers of the leaves, in preorder."""
        return np.flatnonzero(self.column < 0)

    @cached_property
    def labels(self) -> Integers:
        """The leaf of each record, numbered from 0 among the leaves."""
        labels = np.empty(len(self.rows), dtype=np.int64)
        labels[self.rows] = np.repeat(np.arange(len(self.leaves)), self.count[self.leaves])
        return labels

    @cached_property
    def after(self) -> Integers:
        """For each node the number of the first node that is not below it."""
        end = self.start + self.count
        # Nodes start where their branch does; past a branch the next node starts at its end.
        return np.searchsorted(self.start, end, side="left")

    def children(self, node: int) -> list[int]:
        """Return the nodes directly below a node; none below a leaf."""
        children, at = [], node + 1
        while at < self.after[node]:
            children.append(at)
            at = int(self.after[at])
        return children

    def records(self, node: int) -> Integers:
        """Return the row numbers of the records of a node, in the order of the file."""
        return np.sort(self.rows[self.start[node] : self.start[node] + self.count[node]])

    def categories(self, node: int) -> Integers:
        """Return the codes that lead from the parent to this node; empty for a numeric cut."""
        return self.codes[self.limits[node] : self.limits[node + 1]]

    @property
    def used(self) -> tuple[str, ...]:
        """The columns that some node is cut by."""
        cut = np.unique(self.column[self.column >= 0])
        return tuple(self.predictors[c].name for c in cut.tolist())

    @property
    def unused(self) -> tuple[str, ...]:
        """The predictors that no node is cut by."""
        return tuple(p.name for p in self.predictors if p.name not in self.used)

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to a node, both included."""
        path = [node]
        while self.parent[path[-1]] >= 0:
            path.append(int(self.parent[path[-1]]))
        return path[::-1]

    def condition(self, node: int) -> str:
        """Return in words what leads from the parent to a node; nothing for the root."""
        parent = int(self.parent[node])
        if parent < 0:
            return ""
        return self._in_words(int(self.column[parent]), [node])

    def rule(self, node: int) -> list[str]:
        """Return in words what leads to a node: one condition per column on the way."""
        below: dict[int, list[int]] = {}
        for at in self.path(node)[1:]:
            below.setdefault(int(self.column[self.parent[at]]), []).append(at)
        return [self._in_words(column, nodes) for column, nodes in below.items()]

    def _in_words(self, column: int, nodes: list[int]) -> str:
        """Put all cuts of one column on the way to the last of these nodes in words."""
        predictor = self.predictors[column]
        if predictor.values is not None:
            return _set_in_words(predictor, self.categories(nodes[-1]))
        low, high, missing = -np.inf, np.inf, predictor.missing
        present = True
        for node in nodes:
            cut = float(self.cut[self.parent[node]])
            if node == self.parent[node] + 1:
                high, present = min(high, cut), present and cut > -np.inf
            else:
                low, missing = max(low, cut), False
        return _range_in_words(predictor, low, high, missing, present)

    def assign(self, data: Microdata) -> Integers:
        """Return the node, a leaf, that each record of a table with these columns belongs to.

        A category that did not occur in a node goes to its largest child.
        """
        columns = [
            _recoded(predictor, data.column(predictor.name)) for predictor in self.predictors
        ]
        leaf = np.zeros(len(data), dtype=np.int64)
        waiting = [(0, np.arange(len(data)))]
        while waiting:
            node, rows = waiting.pop()
            if self.column[node] < 0 or not len(rows):
                leaf[rows] = node
                continue
            children = self.children(node)
            column = int(self.column[node])
            if self.predictors[column].values is None:
                upper = columns[column][rows] > self.cut[node]
                waiting += [(children[0], rows[~upper]), (children[1], rows[upper])]
                continue
            codes = columns[column][rows]
            largest = children[int(np.argmax(self.count[children]))]
            target = np.full(len(rows), largest)
            for child in children:
                target[np.isin(codes, self.categories(child))] = child
            waiting += [(child, rows[target == child]) for child in children]
        return leaf

    def pruned(self, nodes: Iterable[int]) -> Tree:
        """Return the tree in which these nodes are leaves.

        >>> import discreet
        >>> from discreet.models.regression_tree import grow
        >>> data = discreet.read({"age": [21, 23, 40, 46], "pay": [10, 11, 30, 32]})
        >>> len(grow(data, ["age"], ["pay"], k=2).pruned([0]))
        1
        """
        kept = np.ones(len(self), dtype=bool)
        column = self.column.copy()
        for node in nodes:
            kept[node + 1 : self.after[node]] = False
            column[node] = -1
        number = np.cumsum(kept) - 1
        parent = self.parent[kept]
        parent[1:] = number[parent[1:]]
        widths = np.diff(self.limits)
        return replace(
            self,
            parent=parent,
            column=column[kept],
            cut=np.where(column < 0, np.nan, self.cut)[kept],
            start=self.start[kept],
            count=self.count[kept],
            limits=np.concatenate([[0], np.cumsum(widths[kept])]),
            codes=self.codes[np.repeat(kept, widths)],
        )


def _recoded(predictor: Predictor, column: Column) -> NDArray[Any]:
    """Return a column as the tree cuts it: numbers with missing lowest, or codes from 1."""
    missing = column.missing
    if predictor.values is None:
        return np.where(missing, -np.inf, column.values)
    number = {value: i + 1 for i, value in enumerate(predictor.values)}
    if column.attribute.continuous:
        values, codes = np.unique(column.values[~missing], return_inverse=True)
        recoded = np.zeros(len(missing), dtype=np.int64)
        recoded[~missing] = np.array([number.get(v, -1) for v in values.tolist()], np.int64)[codes]
        return recoded
    known = [number.get(value, -1) for value in column.attribute.categories]
    return np.asarray(np.array([*known, 0], dtype=np.int64)[column.values])


def _set_in_words(predictor: Predictor, codes: Integers) -> str:
    values = predictor.values or ()
    named = [predictor.attribute.label_of(values[code - 1]) for code in codes.tolist() if code > 0]
    if len(named) > MOST_NAMED:
        more = len(named) - MOST_NAMED
        named = [*named[:MOST_NAMED], f"{more} other categories" if more > 1 else "1 other"]
    if 0 in codes:
        named.append("missing")
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"
    return f"{predictor.name} is {listed}"


def _range_in_words(
    predictor: Predictor, low: float, high: float, missing: bool, present: bool
) -> str:
    name = predictor.name
    if not present:
        return f"{name} is missing"
    if low == -np.inf and high == np.inf:
        return f"{name} is not missing"
    if predictor.attribute.continuous:
        least, most = (_number_in_words(end, predictor.unit) for end in (low, high))
    else:
        # Cuts of ordinal columns lie halfway between the numbers of two categories.
        names = [predictor.attribute.label_of(c) for c in predictor.attribute.categories]
        least = names[int(np.floor(low))] if low > -np.inf else ""
        most = names[int(np.floor(high))] if high < np.inf else ""
    words = f"{name} ≤ {most}" if high < np.inf else f"{name} > {least}"
    if low > -np.inf and high < np.inf:
        words = f"{least} < {name} ≤ {most}"
    return f"{words} or missing" if missing else words


def _number_in_words(number: float, unit: str | None) -> str:
    if unit is None or np.isinf(number):
        return f"{number:.12g}"
    # A cut lies halfway between two dates: "at most there" means "at most on the day before".
    return date_texts(np.array([np.floor(number)]), unit)[0]
