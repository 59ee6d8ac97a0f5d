"""Growing a tree on a table: the columns as the kernel takes them, and its outcome as a `Tree`.

At each node the records are cut where the error within the parts (Li & Sarkar, eq. 2) falls most,
for as long as every part has k records and the error falls.

- A number, or an ordinal category, is cut between any two distinct values that occur in the node.
  Missing counts as below the lowest value: it goes with the low values, or is cut off alone.
- The categories of a nominal column are put in the order of their mean response (Breiman et al.
  1984), with several responses in that of the first principal component of the category means
  weighted by their counts, and cut in two between any two of them. Missing is a category.
- A column with a hierarchy is cut into all children of its label at once (LeFevre, DeWitt &
  Ramakrishnan 2008); each that occurs must have k records. Missing is a child of its own where it
  has k records, otherwise it goes with the first child.

Among equal cuts the first column and the lowest cut win.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import Kind, Microdata
from discreet.microdata.dates import unit_of
from discreet.microdata.hierarchy import Hierarchy
from discreet.models.regression_tree.digression import independent
from discreet.models.regression_tree.responses import Responses
from discreet.models.regression_tree.tree import Predictor, Tree

Integers = NDArray[np.int64]
MOST_DIGITS = 17
"""As many tell any two numbers apart."""
LARGE = 20_000
"""With this many records columns are sorted on all cores."""


def grow(
    data: Microdata,
    predictors: Sequence[str],
    responses: Sequence[str] | Responses,
    k: int,
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    multiway: bool = False,
    digression: bool = False,
    advance: Callable[[float], None] | None = None,
) -> Tree:
    """Grow the tree that predicts the responses, with at least k records in every leaf.

    Columns with one of the `hierarchies` are cut by it. With `multiway` a nominal column without
    one is cut into all its categories at once. With `digression` the cut with the largest
    error-digression ratio is taken, not the one with the least error (the paper's conclusion).
    `advance` receives the number of records that have reached their leaf.

    >>> import discreet
    >>> data = discreet.read({"work": ["a", "b", "c", "a", "b", "c"], "pay": [1, 8, 2, 1, 9, 2]})
    >>> tree = grow(data, ["work"], ["pay"], k=2)
    >>> [(tree.rule(leaf), tree.records(leaf).tolist()) for leaf in tree.leaves.tolist()]
    [(['work is a'], [0, 3]), (['work is c'], [2, 5]), (['work is b'], [1, 4])]
    """
    from discreet.kernels import regression_tree_nodes as kernel
    from discreet.kernels.cores import on_all_cores
    from discreet.kernels.regression_tree import grow as grow_nodes

    if not isinstance(responses, Responses):
        responses = Responses.of(data, responses)
    both = [name for name in predictors if name in responses.names]
    if both:
        raise UsageError(
            f"a tree cannot predict a column from itself, but '{both[0]}' is both a predictor and "
            "a response; leave it out of one of them"
        )
    given = hierarchies or {}
    if digression and (given or multiway):
        raise UsageError(
            "a tree that weighs digression in growing is cut in two at each node, but hierarchies "
            "were given; leave out one of them"
        )
    if not len(data):
        raise DataError("a tree needs at least one record, but the data have none")
    with on_all_cores(len(data) >= LARGE) as each:
        coded = list(each(lambda name: _coded(data, name, given.get(name), multiway), predictors))
        table = _table(coded, responses, each)
    nodes = grow_nodes(table, k, _risk(responses, digression), advance)
    column, start, end = nodes[:, kernel.COLUMN], nodes[:, kernel.START], nodes[:, kernel.END]
    limits, codes = _categories(table, nodes)
    return Tree(
        tuple(coded_column.predictor for coded_column in coded),
        responses,
        k,
        nodes[:, kernel.PARENT].copy(),
        column.copy(),
        _cuts(coded, column, nodes[:, kernel.LOWER], nodes[:, kernel.UPPER]),
        start.copy(),
        end - start,
        table.rows.astype(np.int64),
        limits,
        codes,
    )


def _risk(responses: Responses, digression: bool) -> Any:
    """Return what the kernel measures digression against, as `digression.measure` does."""
    from discreet.kernels.regression_tree import WITHOUT_RISK
    from discreet.kernels.regression_tree_digression import Risk

    if not digression:
        return WITHOUT_RISK
    centred = responses.numbers - responses.numbers.mean(axis=0)
    scatter = centred.T @ centred
    kept = independent(scatter)
    whole = np.ascontiguousarray(scatter[np.ix_(kept, kept)])
    both = bool(kept) and bool(responses.classes)
    shares, weights = [np.zeros(len(responses.numeric))], [np.zeros(len(responses.numeric))]
    for classes in responses.classes:
        counts = np.bincount(classes)
        most = len(classes) * max(len(counts) - 1, 1)
        shares.append(counts / len(classes))
        weights.append(np.full(len(counts), 1 / most if both else 1.0))
    return Risk(
        whole,
        np.array(kept, dtype=np.int64),
        1 / float(np.linalg.det(whole)) if both else 1.0,
        np.concatenate(shares),
        np.concatenate(weights),
    )


class _Coded(NamedTuple):
    """A predictor as ranks from 1 in the order of its values, or codes from 1; 0 is missing."""

    predictor: Predictor
    numbers: NDArray[np.int64]
    ranked: NDArray[np.float64]  # the values of the ranks
    labels: Integers  # by level and code, without rows where there is no hierarchy


def _coded(data: Microdata, name: str, hierarchy: Hierarchy | None, multiway: bool) -> _Coded:
    column, unit = data.column(name), unit_of(data, name)
    missing = column.missing
    attribute = column.attribute
    nothing = np.zeros((0, 0), dtype=np.int64)
    numbers = np.zeros(len(missing), dtype=np.int64)
    if attribute.kind is Kind.NOMINAL and hierarchy is None:
        numbers[:] = column.values + 1
        width = len(attribute.categories) + 1
        flat = np.array([np.arange(width), np.zeros(width, np.int64)])
        predictor = Predictor(attribute, attribute.categories, bool(missing.any()))
        return _Coded(predictor, numbers, np.zeros(0), flat if multiway else nothing)
    values, ranks = np.unique(column.values[~missing], return_inverse=True)
    numbers[~missing] = ranks + 1
    if hierarchy is None:
        predictor = Predictor(attribute, None, bool(missing.any()), unit)
        return _Coded(predictor, numbers, values, nothing)
    known: tuple[Any, ...] = tuple(
        values.tolist() if attribute.continuous else (attribute.categories[int(v)] for v in values)
    )
    labels = hierarchy.codes[:, hierarchy.positions(known)]
    with_missing = np.column_stack([np.full(len(labels), -1), labels]).astype(np.int64)
    return _Coded(Predictor(attribute, known, bool(missing.any())), numbers, values, with_missing)


def _table(coded: Sequence[_Coded], responses: Responses, each: Callable[..., Any]) -> Any:
    from discreet.kernels.regression_tree_nodes import Table

    y = responses.matrix()
    n = len(y)
    numeric = [coded_column for coded_column in coded if coded_column.predictor.values is None]
    nominal = [coded_column for coded_column in coded if coded_column.predictor.values is not None]
    entries = np.empty((len(numeric), n), dtype=np.int64)

    def sort(entries: Integers, coded_column: _Coded) -> None:
        order = np.argsort(coded_column.numbers, kind="stable")
        entries[:] = (coded_column.numbers[order] << 32) + order

    list(each(sort, entries, numeric))
    sources, above, below = [], 0, 0
    for coded_column in coded:
        if coded_column.predictor.values is None:
            sources.append(above)
            above += 1
        else:
            below += 1
            sources.append(-below)
    sizes = [coded_column.labels.size for coded_column in nominal]
    return Table(
        y,
        np.arange(n, dtype=np.int32),
        entries,
        np.array([coded_column.numbers for coded_column in nominal], dtype=np.int32).reshape(
            len(nominal), n
        ),
        np.array(sources, dtype=np.int64),
        np.array(
            [len(coded_column.predictor.values or ()) + 1 for coded_column in nominal],
            dtype=np.int64,
        ),
        np.array([len(coded_column.labels) for coded_column in nominal], dtype=np.int64),
        np.cumsum([0, *sizes])[:-1].astype(np.int64),
        np.concatenate(
            [np.zeros(0, np.int64), *(coded_column.labels.ravel() for coded_column in nominal)]
        ),
    )


def _cuts(
    coded: Sequence[_Coded], column: Integers, lower: Integers, upper: Integers
) -> NDArray[np.float64]:
    """Return the shortest number near halfway between both sides of each numeric cut."""
    cuts = np.full(len(column), np.nan)
    for c, coded_column in enumerate(coded):
        if coded_column.predictor.values is not None:
            continue
        at = np.flatnonzero(column == c)
        below = np.concatenate([[-np.inf], coded_column.ranked])[lower[at]]
        above = coded_column.ranked[upper[at] - 1]
        cuts[at] = [shortest_between(*ends) for ends in zip(below, above, strict=True)]
    return cuts


def shortest_between(below: float, above: float) -> float:
    """Return the number between two others that has fewest digits, rounded from halfway.

    Between adjacent numbers there is no other: then it is the lower one.

    >>> shortest_between(23, 40), shortest_between(11, 12), shortest_between(62.7, 62.744)
    (30.0, 11.5, 62.72)
    """
    below, above = float(below), float(above)
    halfway = below / 2 + above / 2
    if not below < halfway < above:
        return below
    for digits in range(1, MOST_DIGITS):
        short = float(f"{halfway:.{digits}g}")
        if below < short < above:
            return short
    return halfway


def _categories(table: Any, nodes: Integers) -> tuple[Integers, Integers]:
    """Return for each node the codes that lead to it, one list after the other."""
    from discreet.kernels import regression_tree_nodes as kernel

    widths = np.zeros(len(nodes), dtype=np.int64)
    parent = nodes[:, kernel.PARENT]
    above = np.where(parent >= 0, nodes[parent, kernel.COLUMN], -1)
    lists = []
    for c, source in enumerate(table.sources.tolist()):
        at = np.flatnonzero(above == c)
        if source >= 0 or not len(at):
            continue
        starts, ends = nodes[at, kernel.START], nodes[at, kernel.END]
        limits, codes = kernel.categories_of(
            table.codes[-1 - source], starts, ends, int(table.widths[-1 - source])
        )
        widths[at] = np.diff(limits, prepend=0)
        lists.append((at, limits, codes))
    limits = np.concatenate([[0], np.cumsum(widths)])
    every = np.empty(limits[-1], dtype=np.int64)
    for at, ends_of_lists, codes in lists:
        place = np.repeat(limits[at] - np.concatenate([[0], ends_of_lists[:-1]]), widths[at])
        every[place + np.arange(len(codes))] = codes
    return limits, every
