"""Hierarchical t-closeness: how far a class is from the release, along a hierarchy of values."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Columns,
    Context,
    MeasureSpec,
    Pairing,
    Question,
    Score,
    Side,
    param,
)
from discreet.measures.confidential import WorstClassMeasure, values_of
from discreet.measures.risk.t_closeness import nominal_distance
from discreet.measures.tally import Tally
from discreet.microdata import Column, Microdata
from discreet.microdata.hierarchy import hierarchies_of
from discreet.microdata.schema import Schema


class HierarchicalTCloseness(WorstClassMeasure):
    """The largest distance of a class's confidential values from those of the whole release.

    Values that lie under the same label of a hierarchy are nearer than others: gastritis and ulcer
    are both diseases of the stomach, and a class with nothing else gives that away. The distance of
    two values is the level of their lowest common label over the height H of the hierarchy. The
    earth mover's distance on such a tree is the mean, over the levels below the top, of the nominal
    distances of the labels' shares; this equals the sum over the labels that Li et al. give. Two
    values of a column without a hierarchy are a whole step apart, as in t-closeness of a nominal
    column.

    >>> import discreet, pathlib, tempfile
    >>> data = discreet.read({"age": [30, 30, 41, 41], "ill": ["ulcer", "gastritis", "flu", "flu"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ill.csv"
    >>> _ = path.write_text("ulcer;stomach\\ngastritis;stomach\\nflu;lungs\\n")
    >>> HierarchicalTCloseness(hierarchies=[f"ill={path}"]).score(data, data, Context()).value
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="hierarchical-t-closeness",
        title="Hierarchical t-closeness of the release",
        citation="Li, Li & Venkatasubramanian, t-Closeness (2007), §4.2, hierarchical distance",
        missing="a category of its own, a whole step from every value",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        of_release=True,
        claimed_as_stated=True,
        formula="t = max over the classes of E(p, q), p the shares in the class, q those of all "
        "records\n"
        "E(p, q) = Σ over the labels N of level(N)/H · min(pos(N), neg(N)), where pos and neg sum "
        "what the labels below N have more and less in p than in q\n"
        "        = 1/H Σ_{h<H} ½ Σ over the labels N of level h of |p(N) − q(N)|",
        cost="H·n·c time, n·log n more where the combinations of values are many; memory n",
    )

    hierarchies: Columns = param(
        path=True,
        default=None,
        help="hierarchy files of confidential columns, each written as column=path",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the largest distance of a class; per record that of its own."""
        # A hierarchy of a column that the data lack is a mistake, whatever is measured.
        hierarchies_of(self.hierarchies, original.schema, type(self).__name__)
        return super().score(original, released, context, pairing)

    def by_class(self, column: Column, counts: Tally) -> NDArray[np.float64]:
        """Return the mean over the levels of the distance of each class."""
        levels = self._labels(column)
        distances = [nominal_distance(_summed(counts, labels)) for labels in levels]
        return np.asarray(np.mean(distances, axis=0))

    def _labels(self, column: Column) -> list[NDArray[np.int64]]:
        """Return for each level below the top the label of each value; missing values follow."""
        codes, count = values_of(column)
        entries = [e for e in self.hierarchies or () if e.partition("=")[0].strip() == column.name]
        given = hierarchies_of(entries, Schema([column.attribute]), type(self).__name__)
        if column.name not in given:
            return [np.arange(count + 1)]
        hierarchy = given[column.name]
        values, first = np.unique(codes, return_index=True)
        first = column.values[first[values < count]]
        categories = column.attribute.categories
        texts = first if column.attribute.continuous else [categories[code] for code in first]
        at = hierarchy.positions(texts)
        below = hierarchy.codes[: hierarchy.height, at].astype(np.int64)
        return [np.append(labels, labels.max(initial=-1) + 1) for labels in below]


def _summed(counts: Tally, labels: NDArray[np.int64]) -> Tally:
    """Return the counts of labels instead of values."""
    width = int(labels.max()) + 1
    keys, place = np.unique(counts.group * width + labels[counts.value], return_inverse=True)
    group, label = np.divmod(keys, width)
    count = np.bincount(place, counts.count, len(keys)).astype(np.int64)
    totals = np.bincount(labels, counts.totals, width).astype(np.int64)
    return Tally(group, label, count, counts.sizes, totals)
