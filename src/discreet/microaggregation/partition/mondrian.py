"""Mondrian, the partition of k-anonymity by generalisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Groups, Partition, Spec, param
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.errors import UsageError
from discreet.microdata import Column, Kind, Microdata
from discreet.microdata.hierarchy import Hierarchy, hierarchies_of

if TYPE_CHECKING:
    from discreet.kernels.mondrian import Mixing, Scales


class Mondrian(Partition):
    """Cuts the records in two, along one column at a time, while k are left on each side.

    The column to cut is the one of which the group takes up the largest share, the first among
    equals. If no cut of it leaves k records on each side, the next one is tried.

    - Numbers and ordinal categories are cut at the median. The categories of a nominal column
      are put in order by how frequent they are in the file, commonest first, and cut likewise.
    - A column with a hierarchy is cut into the children of the lowest label that covers the
      group, all at once; each that occurs must have k records. Any kind of column can have one.
      The share of a group is that of the column's values below its label.
    - Equal values stay together (strict). If `relaxed`, records at the median may be divided, in
      the order of the file, so that both halves have the same size or differ by one; a column
      whose values are all equal is not cut, and the children of a hierarchy are not divided.
    - Missing values are cut from the present ones where both have k records, and count as a full
      width apart. Where one side is too small they go with the lowest values (the first child).

    >>> import discreet
    >>> data = discreet.read({"age": [21, 40, 22, 41], "town": ["Ayle", "Bron", "Ayle", "Ayle"]})
    >>> Mondrian(k=2).groups(data, ["age", "town"], Context()).labels
    array([0, 1, 0, 1])
    """

    spec: ClassVar[Spec] = Spec(
        name="mondrian",
        title="Mondrian: cuts at the median of the widest column",
        citation="LeFevre, DeWitt & Ramakrishnan (2006), Mondrian multidimensional k-anonymity",
        missing="a category of its own, cut off where k records are missing and k present, "
        "otherwise kept with the lowest values",
        guarantees=("k-anonymity",),
        formula="width of column j in group g = (max_g xⱼ − min_g xⱼ)/(max xⱼ − min xⱼ)\n"
        "the widest column is cut at its median, of those that leave k records or more on both "
        "sides",
        cost="n·c time for each level of cuts, about log₂(n/k) levels; memory n·c",
    )

    k: int = param(
        default=5,
        help="least number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    relaxed: bool = param(
        default=False, help="allow records with equal values to end up in different groups"
    )
    hierarchies: Columns = param(
        path=True,
        default=None,
        help="hierarchy files by which columns are cut, each written as column=path",
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records."""
        return self.cut(data, columns, context)

    def cut(
        self,
        data: Microdata,
        columns: Sequence[str],
        context: Context,
        mixing: Mixing | None = None,
    ) -> Groups:
        """Return the groups that the cuts leave; `mixing` holds classes to be kept mixed."""
        from discreet.kernels.mondrian import mondrian_labels

        owner = type(self).__name__
        if not columns:
            raise UsageError(f"{owner} needs at least one column to cut, but none was given")
        require_records(data, self.k, owner)
        given = hierarchies_of(self.hierarchies, data.schema, owner)
        scaled = [_scaled(data.column(name), given.get(name)) for name in columns]
        ranks = np.column_stack([scale.ranks for scale in scaled])
        with context.task("grouping records", len(data)) as advance:
            labels, cuts = mondrian_labels(
                ranks, _side_by_side(scaled), self.k, self.relaxed, advance, mixing
            )
        cut = dict(zip(columns, cuts.tolist(), strict=True))
        return Groups(labels, self.k, {"cuts per column": cut})


class _Scale(NamedTuple):
    """A column as ranks from 1, 0 for missing, and what the ranks mean."""

    ranks: NDArray[np.int32]
    places: NDArray[np.float64]
    nodes: NDArray[np.int64]  # by level and rank; no level without a hierarchy
    widths: NDArray[np.float64]


def _scaled(column: Column, hierarchy: Hierarchy | None) -> _Scale:
    present = ~column.missing
    values, codes = np.unique(column.values[present], return_inverse=True)
    ranks = np.zeros(len(present), dtype=np.int32)
    if hierarchy is None:
        if column.attribute.kind is Kind.NOMINAL:
            frequent = np.argsort(-np.bincount(codes), kind="stable")
            codes = np.argsort(frequent)[codes]
            values = np.arange(len(values))
        ranks[present] = codes + 1
        empty = np.zeros((0, len(values) + 1))
        return _Scale(ranks, _places(values), empty.astype(np.int64), empty)
    order, nodes, widths = _tree(column, values, hierarchy)
    ranks[present] = np.argsort(order)[codes] + 1
    return _Scale(ranks, np.zeros(len(values) + 1), nodes, widths)


def _places(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where each rank lies between the column's least and greatest value."""
    places = np.zeros(len(values) + 1)
    if len(values) > 1:
        places[1:] = (values - values[0]) / (values[-1] - values[0])
    return places


def _tree(
    column: Column, values: NDArray[np.float64], hierarchy: Hierarchy
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the values in depth-first order, and by level and rank their node and its width."""
    categories = column.attribute.categories
    at = hierarchy.positions(
        values.tolist() if column.attribute.continuous else [categories[int(v)] for v in values]
    )
    labels = hierarchy.codes[:, at]
    order = np.lexsort(labels)  # the last row, the top, is the first key
    labels = labels[:, order]
    nodes = np.zeros((len(labels), len(values) + 1), dtype=np.int64)
    widths = np.zeros(nodes.shape)
    for level, row in enumerate(labels):
        number = np.cumsum(np.diff(row, prepend=row[:1]) != 0)
        nodes[level, 1:] = number
        widths[level, 1:] = (np.bincount(number)[number] - 1) / max(1, len(values) - 1)
    return order, nodes, widths


def _side_by_side(scaled: Sequence[_Scale]) -> Scales:
    from discreet.kernels.mondrian import Scales

    return Scales(
        np.concatenate([scale.places for scale in scaled]),
        np.cumsum([0, *(len(scale.places) for scale in scaled)]),
        np.array([max(0, len(scale.nodes) - 1) for scale in scaled]),
        np.concatenate([scale.nodes.ravel() for scale in scaled]),
        np.concatenate([scale.widths.ravel() for scale in scaled]),
        np.cumsum([0, *(scale.nodes.size for scale in scaled)])[:-1],
    )
