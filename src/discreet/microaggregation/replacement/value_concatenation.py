"""Value concatenation: every record of a group gets all categories of the group, joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from discreet.contracts import Context, Groups, Replacement, Spec, param
from discreet.microaggregation.replacement.centroid import Centroid
from discreet.microaggregation.replacement.range import Range
from discreet.microdata import Column, Kind, Microdata
from discreet.microdata.concatenation import concatenated


class ValueConcatenation(Replacement):
    """All categories of the group joined by "+" in nominal columns; means or ranges in others.

    The categories are in the order of their first appearance in the file. No hierarchy is
    needed, and nothing is generalised further than the group demands. With `weighted` the label
    also says how often each category occurs, `unskilled4+technical1`, which keeps the frequencies
    of every column. `discreet.analysis` takes such columns apart again and expands a table to
    fractional, weighted records.

    Continuous columns get the mean or the median of the group, ordinal ones the median; or both
    get their range as text, as by the replacement "range".

    >>> import discreet, numpy as np
    >>> data = discreet.read({"job": ["unskilled", "technical", "unskilled", "managerial"]})
    >>> groups = Groups(np.array([0, 0, 0, 1]))
    >>> [column] = ValueConcatenation().replace(data, ["job"], groups, Context())
    >>> column.attribute.categories
    ('unskilled+technical', 'managerial')
    >>> [column] = ValueConcatenation(weighted=True).replace(data, ["job"], groups, Context())
    >>> column.attribute.categories
    ('unskilled2+technical1', 'managerial')
    """

    equalises = True
    spec: ClassVar[Spec] = Spec(
        name="value-concatenation",
        title="Value concatenation: all categories of the group",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, section 'Categorical value concatenation' and Table 3",
        missing="a part of the label called 'missing' in nominal columns, which stay missing in a "
        "group without any value; in others as the mean, median or range treats them",
        guarantees=("k-anonymity",),
        formula="x′ᵢ = v₁+v₂+…+v_m,  {v₁ … v_m} = {xⱼ : j in the group of i}, by first appearance "
        "in the file\n"
        "weighted: x′ᵢ = v₁n₁+v₂n₂+…,  n_l = #{j in the group : xⱼ = v_l}",
        cost="n·log n time for each column",
    )

    weighted: bool = param(
        default=False,
        help="write after each category how many records of the group have it",
    )
    continuous: str = param(
        default="mean",
        help="what represents a group in a continuous column; range also writes ordinal columns "
        "as ranges, otherwise they get their median",
        choices=("mean", "median", "range"),
    )

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return the columns with one value per group."""
        others = [name for name in columns if data.schema[name].kind is not Kind.NOMINAL]
        other = Range() if self.continuous == "range" else Centroid(continuous=self.continuous)
        replaced = {c.name: c for c in other.replace(data, others, groups, context)}
        for name in columns:
            if name not in replaced:
                replaced[name] = concatenated(
                    data.column(name), groups.labels, groups.count, weighted=self.weighted
                )
        return [replaced[name] for name in columns]
