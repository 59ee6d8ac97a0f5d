"""Class-restricted grouping: groups of similar records, with classes distributed as in the whole
file.

What the partitions of Li & Sarkar (2013) share: the confidential classes, the normalised distance,
and the details reported about the groups.

- Several confidential columns make one compound class (§8): each combination of values that
  occurs is a class.
- A missing confidential value is a class of its own.
- A continuous confidential column has no classes; it is cut at its quantiles if the user says into
  how many, and refused otherwise.
- A number differs by its share of the column's range, a nominal value by 0 or 1. The length of an
  edge is √(Σ differences² / J) for J columns, between 0 and 1; CREST divides by J outside of
  the root instead, as the paper prints it, which leaves lengths below 1/√J and the classes more
  weight. Where values are missing a difference can exceed 1, since a missing one is a step of 1
  away from the column's centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Groups, Partition, param
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.errors import UsageError
from discreet.measures.confidential import values_of
from discreet.measures.risk.class_divergence import divergence
from discreet.measures.tally import Grouped, tally
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.grouping import MISSING, sse_share
from discreet.microdata import Kind, Microdata, Role
from discreet.microdata.embedding import Embedding
from discreet.microdata.equivalence import LARGEST, numbered

DIVERGENCE = (
    "JSD_g = ½ [Σ_k f_gk log₂(f_gk/M_gk) + Σ_k F_k log₂(F_k/M_gk)],  M = (f + F)/2 (eq. 5)\n"
    "f the class shares of group g, F of the file; WJSD = Σ_parts (n_part/n)·JSD_part (eq. 7)\n"
)
"""The group divergence of Definitions 2 and 4, as a line of the formulas of specs."""

X2 = "X²"
"""The class divergence of eq. 13, by its name in the details of groups."""


@dataclass(frozen=True, eq=False)
class Classes:
    """The class of each record, from 0 without gaps, and the columns that make it up."""

    codes: Labels
    columns: tuple[str, ...]

    @property
    def count(self) -> int:
        """The number of classes that occur."""
        return int(self.codes.max(initial=-1)) + 1

    def least_counts(self, labels: Labels) -> Labels:
        """Return for each group the minimum number of records of a class that it has (§7).

        >>> Classes(np.array([0, 0, 1, 1, 1]), ("ill",)).least_counts(np.array([0, 0, 0, 1, 1]))
        array([1, 2])
        """
        keys, counts = np.unique(labels * max(self.count, 1) + self.codes, return_counts=True)
        least = np.full(int(labels.max(initial=-1)) + 1, len(labels), np.int64)
        np.minimum.at(least, keys // max(self.count, 1), counts)
        return least

    def tally(self, labels: Labels) -> Labels:
        """Return the number of records of each class in each group.

        >>> Classes(np.array([0, 1, 1]), ("ill",)).tally(np.array([0, 0, 1]))
        array([[1, 1],
               [0, 1]])
        """
        groups = int(labels.max(initial=-1)) + 1
        keys = labels * self.count + self.codes
        return np.bincount(keys, minlength=groups * self.count).reshape(groups, self.count)


class ClassRestricted(Partition):
    """A partition that considers the confidential classes of the records."""

    missing: ClassVar[str] = f"{MISSING}; a missing confidential value is a class of its own"

    k: int = param(
        default=5,
        help="minimum number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    confidential: Columns = param(
        default=None,
        help="the columns whose classes are spread over the groups, several as one compound "
        "class; all confidential columns if not given",
    )
    classes: int | None = param(
        default=None,
        help="number of classes that a continuous confidential column is cut into at its "
        "quantiles; if not given, such a column is refused",
        at_least=2,
    )

    def label(
        self, points: Points, attributes: int, start: int, classes: Labels, context: Context
    ) -> Labels:
        """Return a group label for each point; every group has at least k."""
        raise TypeError(f"{type(self).__name__} does not say how to label points")

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records, and how the classes are spread over them."""
        owner = type(self).__name__
        classes = confidential_classes(data, self.confidential, self.classes, owner)
        if not columns:
            raise UsageError(f"{owner} needs at least one column to group by, but none was given")
        require_apart(columns, classes, owner)
        require_records(data, self.k, owner)
        points = Embedding.fit(data, columns, "range").points(data)
        start = farthest_from_centroid(data, columns, points)
        labels = self.label(points, len(columns), start, classes.codes, context)
        detail = {"SSE/SST": sse_share(points, labels), **class_details(classes, labels, self.k)}
        return Groups(labels, self.k, detail)


def confidential_classes(
    data: Microdata, confidential: Columns, classes: int | None, owner: str
) -> Classes:
    """Return the class of each record; raise a usage error if there is none.

    >>> import discreet
    >>> data = discreet.read({"ill": ["y", "n", "y", None], "mad": ["n", "n", "y", "n"]},
    ...                      roles={"ill": "confidential", "mad": "confidential"})
    >>> confidential_classes(data, None, None, "CREST")
    Classes(codes=array([1, 0, 2, 3]), columns=('ill', 'mad'))
    """
    names = data.having(Role.CONFIDENTIAL) if confidential is None else confidential
    if not names:
        raise UsageError(
            f"{owner} needs a confidential column whose classes it spreads over the groups, but "
            "the data have none; give a column the role confidential, or name it with the "
            "parameter 'confidential'"
        )
    codes, space = np.zeros(len(data), np.int64), 1
    for name in names:
        column = data.column(name)
        if column.attribute.continuous and classes is None:
            raise UsageError(
                f"{owner} needs classes, but the confidential column '{name}' is continuous; cut "
                "it at its quantiles with the parameter 'classes', declare its kind as ordinal or "
                "nominal, or recode it to a few classes first"
            )
        values, count = values_of(column, classes)
        if space * (count + 1) > LARGEST:
            codes, space = numbered(codes, space)
        codes = codes * (count + 1) + values
        space *= count + 1
    return Classes(numbered(codes, space)[0], tuple(names))


def require_apart(columns: Sequence[str], classes: Classes, owner: str) -> None:
    """Refuse to group by a column whose classes are spread over the groups."""
    for name in columns:
        if name in classes.columns:
            raise UsageError(
                f"{owner} cannot group by '{name}' and spread its classes over the groups at "
                "once; leave it out of the columns, or name other ones with the parameter "
                "'confidential'"
            )


def class_details(classes: Classes, labels: Labels, k: int) -> dict[str, Any]:
    """Return details about the classes in groups: divergence, counts, the warning of §7.

    >>> detail = class_details(Classes(np.array([0, 0, 1, 1]), ("ill",)), np.array([0, 0, 1, 1]), 2)
    >>> detail["weighted JSD"], detail["least class count"]
    (0.311..., 2)
    """
    from discreet.kernels.divergence import weighted_jensen_shannon

    least = classes.least_counts(labels)
    detail: dict[str, Any] = {
        "classes": classes.count,
        "weighted JSD": weighted_jensen_shannon(
            classes.tally(labels), np.bincount(classes.codes) / len(labels)
        ),
        X2: float(
            divergence(tally(classes.codes, classes.count, Grouped(labels, len(least)))).mean()
        ),
        "least class count": int(least.min()),
    }
    alone = int((least == 1).sum())
    if alone:
        detail["warning"] = (
            f"in {alone} of {len(least)} groups a class has one record only, whose confidential "
            "value is plain to anyone who knows the rest of the group; a larger k makes that rarer"
        )
    if classes.count == 1:
        detail["note"] = "all records are of one class, so the classes restrict nothing"
    elif classes.count > k:
        detail["note"] = (
            f"there are {classes.count} classes, more than the {k} records of the smallest group, "
            "so not every group can have all of them; a larger k or fewer classes would help"
        )
    return detail


def farthest_from_centroid(data: Microdata, columns: Sequence[str], points: Points) -> int:
    """Return the record farthest from the centroid, the first among equals.

    The centroid of a nominal column is its mode, the first among equals; that of the others is the
    mean of the values present. `points` are those of the embedding.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 31, 35, 32], "sex": ["f", "f", "f", "m"]})
    >>> points = Embedding.fit(data, ["age", "sex"], "range").points(data)
    >>> farthest_from_centroid(data, ["age", "sex"], points)
    3
    """
    from discreet.kernels.divergence import CELLS

    squares = np.zeros(len(points))
    at = 0
    for coordinate in Embedding.fit(data, columns, "range").coordinates:
        width = coordinate.width + coordinate.with_missing
        # Numbers are embedded with their mean at 0.
        centre = np.zeros(width)
        part = points[:, at : at + width]
        if coordinate.kind is Kind.NOMINAL and width:
            mode = np.argmax(np.count_nonzero(part, axis=0))
            centre[mode] = part[:, mode].max(initial=0.0)
        squares += ((part - centre) ** 2).sum(axis=1)
        at += width
    return int(np.argmax(np.rint(np.sqrt(squares / len(columns)) * CELLS)))
