"""Generalisation: every record of a group gets the label that covers the group's values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Groups, Replacement, Spec, param
from discreet.microaggregation.replacement.range import labelled, ranged
from discreet.microdata import Column, Microdata
from discreet.microdata.dates import unit_of
from discreet.microdata.decoding import Decoding
from discreet.microdata.hierarchy import Hierarchy, hierarchies_of
from discreet.microdata.labels import KnownLabels, read_hierarchy


class Generalisation(Replacement):
    """The lowest label of a hierarchy under which all values of the group lie.

    A column without a hierarchy gets its range or set of values, as by the replacement "range". A
    column with one, of any kind, gets its labels, so that no exact smallest or largest value is
    published. Where values are missing in a group, its label says so: "{coast, missing}"; a group
    without any value stays missing.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 23, 40, 40], "town": ["Ayle", "Bron", "Cull", "Cull"]})
    >>> groups = Groups(np.array([0, 0, 1, 1]))
    >>> towns = Hierarchy.from_tree({"coast": ["Ayle", "Bron"], "hills": ["Cull"]})
    >>> generalised(data.column("town"), groups, towns).attribute.categories
    ('coast', 'Cull')
    >>> [column] = Generalisation().replace(data, ["age"], groups, Context())
    >>> column.attribute.categories
    ('[21–23]', '40')
    """

    equalises = True
    spec: ClassVar[Spec] = Spec(
        name="generalisation",
        title="Generalisation: the label of a hierarchy that covers the group",
        citation="LeFevre, DeWitt & Ramakrishnan (2006), Mondrian multidimensional k-anonymity; "
        "Samarati & Sweeney (1998)",
        missing="named in the label of the group; a group without any value stays missing",
        guarantees=("k-anonymity",),
        formula="x′ᵢ = the lowest label of the hierarchy with xⱼ below it for all j in the group "
        "of i",
        cost="n·log n time for each column, n for each level of its hierarchy",
    )

    hierarchies: Columns = param(
        path=True,
        default=None,
        help="hierarchy files that give columns their labels, each written as column=path",
    )

    def labels(self, data: Microdata, columns: Sequence[str]) -> dict[str, KnownLabels]:
        """Return what the labels of the hierarchies mean."""
        given = hierarchies_of(self.hierarchies, data.schema, "Generalisation")
        return {
            name: KnownLabels.of_levels(
                data.schema[name],
                given[name].labels,
                read_hierarchy(given[name], data.schema[name], unit_of(data, name)),
            )
            for name in columns
            if name in given
        }

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return the columns as nominal ones, with one label per group."""
        given = hierarchies_of(self.hierarchies, data.schema, "Generalisation")
        return [
            generalised(data.column(name), groups, given[name], unit_of(data, name))
            if name in given
            else ranged(data, name, groups)
            for name in columns
        ]


def generalised(
    column: Column, groups: Groups, hierarchy: Hierarchy, unit: str | None = None
) -> Column:
    """Return a column with the least common ancestor of the values of each group.

    `unit` is what a column of dates counts.
    """
    rows = np.flatnonzero(~column.missing)
    rows = rows[np.argsort(groups.labels[rows], kind="stable")]
    filled, firsts = np.unique(groups.labels[rows], return_index=True)
    values, codes = np.unique(column.values[rows], return_inverse=True)
    categories = column.attribute.categories
    at = hierarchy.positions(
        values.tolist() if column.attribute.continuous else [categories[c] for c in values]
    )
    labels: list[str | None] = [None] * groups.count
    decodings = read_hierarchy(hierarchy, column.attribute, unit)
    starts = np.append(0, np.cumsum([len(decoding) for decoding in decodings]))
    place = np.full(groups.count, -1, dtype=np.int64)
    if len(rows):
        # From the top down, each level on which a group agrees overrules the one above.
        for n in range(hierarchy.height, -1, -1):
            names, level = hierarchy.labels[n], hierarchy.codes[n]
            nodes = level[at][codes]
            low = np.minimum.reduceat(nodes, firsts)
            agreed = low == np.maximum.reduceat(nodes, firsts)
            for group, node in zip(filled[agreed].tolist(), low[agreed].tolist(), strict=True):
                labels[group] = names[node]
            place[filled[agreed]] = starts[n] + low[agreed]
    decoding = Decoding.together(column.attribute, decodings).take(place)
    return labelled(column, groups, labels, decoding)
