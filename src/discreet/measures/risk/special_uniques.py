"""Special uniques (SUDA2): records that a few attributes suffice to distinguish from all others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import comb
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.measures.uniqueness import cells_of_units
from discreet.measures.view import units_alike
from discreet.microdata import Microdata
from discreet.microdata.clusters import counted_once
from discreet.microdata.equivalence import classes, numbered

Subset = tuple[int, ...]
Labels = NDArray[np.int64]
Flags = NDArray[np.bool_]
MOST_SETS = 5_000
"""The most sets of attributes that are examined if their size is not given."""


class SpecialUniques(Measure):
    """The mean DIS-SUDA score: how sure an intruder may be of a match with a rare record.

    A set of attributes in which a record is alone, while it is alone in no part of the set, is a
    *minimal sample unique* (MSU) of the record. The fewer attributes it needs and the more of them
    a record has, the likelier it is rare in the population too. With A attributes and MSUs of up
    to M (`most`) of them, an MSU of size k scores Π_{i=k}^{M} (A − i), with M at most A − 1, and
    the scores of a record's MSUs are added (Elliot et al. 2005).

    DIS, the chance that a match with a sample unique is right, is U f / (U f + P (1 − f)) for U
    uniques, P records in pairs and the sampling fraction f (Skinner & Elliot 2002). DIS-SUDA gives
    more of it to records with a higher score S, as sdcMicro's suda2 does: with
    Q = 1 + (8 − A) / 20 and R = Σ S^−Q over the records with a score,

        DIS-SUDA = 1 / (1 + P (1 − f) / (f S^Q R)).

    A missing value is not part of an MSU: an intruder has nothing to look for. Where several
    records belong to one unit, one is alone if all that are like it belong to its unit, and the
    like records of a unit count once in U, P and R.

    >>> import discreet
    >>> data = discreet.read({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]},
    ...                      roles=dict.fromkeys("abc", "quasi-identifier"))
    >>> detail = SpecialUniques().score(data, data, Context()).detail
    >>> detail["scores"].tolist(), detail["contribution"]
    ([2.0, 4.0, 2.0], {'a': 0.5, 'b': 0.375, 'c': 0.375})
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="special-uniques",
        title="Special uniques, mean DIS-SUDA score",
        citation="Elliot, Manning, Mayes, Gurd & Bane (2005), SUDA: a program for detecting "
        "special uniques; Manning, Haglin & Keane (2008); Skinner & Elliot (2002)",
        missing="not part of a minimal unique",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        of_release=True,
        percent=True,
        formula="S = Σ over the MSUs of the record of Π_{i=k}^{min(M, A−1)} (A − i),  k the size "
        "of the MSU\n"
        "DIS-SUDA = 1 / (1 + P(1 − f) / (f·S^Q·R)),  Q = max(1 + (8 − A)/20, 0.05),  R = Σ S^−Q\n"
        "the value is the mean of DIS-SUDA, 0 for records without an MSU",
        cost="n·log n time for each set of up to `most` columns; memory n for each set",
    )

    most: int | None = param(
        default=None,
        help="most attributes in a minimal sample unique; if not given all of them, or as many as "
        "5,000 sets of attributes allow (all of 12, 3 of 20)",
        at_least=1,
    )
    fraction: float = param(
        default=0.01, help="share of the population that is in the file", above=0, at_most=1
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean DIS-SUDA; per record its own; detail has SUDA scores and their parts."""
        sizes = cells_of_units(released, context).sizes
        names = released.quasi_identifiers
        attributes = len(names)
        most = min(self.most or largest_sets(attributes), attributes)
        labels, units = classes(released, names), units_alike(released, context)
        pairs = np.arange(len(released)) if units is None else _pairs(labels, units)
        # One record for each unit of a class, and then two units of each class.
        once = np.sort(np.unique(pairs, return_index=True)[1])
        rows = once[_two_of_each(labels[once])]
        of_units = None if units is None else units[rows]
        codes = [classes(released, [name])[rows] for name in names]
        missing = [released.column(name).missing[rows] for name in names]

        scores, parts = np.zeros(len(released)), np.zeros(attributes)
        by_size = dict.fromkeys(range(1, most + 1), 0)
        for subset, flags in minimal_uniques(codes, missing, most, of_units):
            number = int(flags.sum())
            worth = _worth(len(subset), most, attributes)
            by_size[len(subset)] += number
            scores[rows[flags]] += worth
            parts[list(subset)] += worth * number
        total = scores.sum()
        of_pair = np.zeros(int(pairs.max()) + 1)
        of_pair[pairs[rows]] = scores[rows]
        scores = of_pair[pairs]
        dis = _dis_suda(scores, sizes, once, attributes, self.fraction)
        return Score(
            float(dis.mean()),
            per_record=dis,
            detail={
                "minimal uniques": by_size,
                "share with a minimal unique": float((scores > 0).mean()),
                "contribution": {
                    name: float(part / total) if total else 0.0
                    for name, part in zip(names, parts, strict=True)
                },
                "highest": float(dis.max()),
                "scores": scores,
            },
            note="" if self.most or most == attributes else f"sets of up to {most} attributes",
        )


def largest_sets(attributes: int) -> int:
    """Return the size up to which there are at most `MOST_SETS` sets of attributes, at least 1.

    >>> largest_sets(9), largest_sets(12), largest_sets(20)
    (9, 12, 3)
    """
    sets = accumulate(comb(attributes, size) for size in range(1, attributes + 1))
    return max(1, sum(number <= MOST_SETS for number in sets))


def minimal_uniques(
    codes: list[Labels], missing: list[Flags], most: int, units: Labels | None = None
) -> Iterator[tuple[Subset, Flags]]:
    """Yield each set of up to `most` columns with the records of which it is a minimal unique.

    A record that is alone in a set is alone in every larger one, so it is enough to check the
    sets that lack one column. Where a unit has several records, one is alone if only records of
    its unit are like it.

    >>> columns = [np.array([0, 0, 1]), np.array([0, 1, 1])]
    >>> none = [np.zeros(3, dtype=bool)] * 2
    >>> [(s, np.flatnonzero(f).tolist()) for s, f in minimal_uniques(columns, none, 2)]
    [((0,), [2]), ((1,), [0]), ((0, 1), [1])]
    """
    # Eight records in a byte: there may be hundreds of sets of one size.
    rows = len(codes[0])
    smaller: dict[Subset, NDArray[np.uint8]] = {(): np.packbits(np.zeros(rows, dtype=bool))}
    for size in range(1, most + 1):
        alone: dict[Subset, NDArray[np.uint8]] = {}
        for subset, flags in _alone_in_sets(codes, size, units):
            if size < most:
                alone[subset] = np.packbits(flags)
            minimal = flags.copy()
            for i, column in enumerate(subset):
                part = np.unpackbits(smaller[subset[:i] + subset[i + 1 :]], count=rows)
                minimal &= part == 0
                minimal &= ~missing[column]
            yield subset, minimal
        smaller = alone


def _alone_in_sets(
    codes: list[Labels], size: int, units: Labels | None
) -> Iterator[tuple[Subset, Flags]]:
    """Yield each set of `size` columns with the records that are alone in it.

    Sets with a common beginning share its labels.
    """
    counts = [int(column.max(initial=0)) + 1 for column in codes]

    def extend(subset: Subset, labels: Labels, count: int) -> Iterator[tuple[Subset, Flags]]:
        start = subset[-1] + 1 if subset else 0
        for column in range(start, len(codes) - (size - len(subset)) + 1):
            keys = labels * counts[column] + codes[column]
            wider = (*subset, column)
            if len(wider) == size:
                yield wider, _alone(keys, count * counts[column], units)
            else:
                present, packed = np.unique(keys, return_inverse=True)
                yield from extend(wider, packed, len(present))

    yield from extend((), np.zeros(len(codes[0]), dtype=np.int64), 1)


def _alone(keys: Labels, count: int, units: Labels | None) -> Flags:
    """Return which keys occur once, or in one unit only."""
    if units is not None:
        labels, _ = numbered(keys, count)
        return np.asarray(counted_once(labels, units)[labels] == 1)
    if count <= 4 * len(keys):
        return np.asarray(np.bincount(keys, minlength=1)[keys] == 1)
    order = np.argsort(keys)
    ordered = keys[order]
    differs = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
    alone = np.zeros(len(keys), dtype=bool)
    alone[order] = differs[1:] & differs[:-1]
    return alone


def _pairs(labels: Labels, units: Labels) -> Labels:
    """Return a label per record for its class and unit together."""
    width = int(units.max()) + 1
    return numbered(labels * width + units, (int(labels.max()) + 1) * width)[0]


def _two_of_each(labels: Labels) -> Labels:
    """Return the first two records of each class: more equals change no uniqueness."""
    order = np.argsort(labels, kind="stable")
    ordered = labels[order]
    kept = np.ones(len(labels), dtype=bool)
    kept[2:] = ordered[2:] != ordered[:-2]
    return np.sort(order[kept])


def _worth(size: int, most: int, attributes: int) -> float:
    return float(np.prod([attributes - i for i in range(size, min(most, attributes - 1) + 1)]))


def _dis_suda(
    scores: NDArray[np.float64], sizes: Labels, once: Labels, attributes: int, fraction: float
) -> NDArray[np.float64]:
    """Return the score of each record; uniques and pairs are counted in the records `once`."""
    scored = scores > 0
    if not scored.any():
        return np.zeros(len(scores))
    # With 28 or more attributes the exponent of sdcMicro would reverse the order of the scores.
    q = max(1 + (8 - attributes) / 20, 0.05)
    powers = scores[scored] ** q
    inverse = float((scores[once][scored[once]] ** -q).sum())
    pairs = float((sizes[once] == 2).sum())
    dis = np.zeros(len(scores))
    dis[scored] = 1 / (1 + pairs * (1 - fraction) / (fraction * powers * inverse))
    return dis
