"""Nearest records: whether released records are closer to originals than by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Columns,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable, UsageError
from discreet.measures.linkage.nearest_records import nearest_among, nearest_other
from discreet.microdata import Microdata, Numbers, unknown_column
from discreet.microdata.decoded import Decoded
from discreet.microdata.embedding import Embedding

MOST_PAIRS = 2_000_000_000
"""This many comparisons take half a minute if no tree can avoid any; beyond that, a sample."""
DIGITS = 9
"""Distances that agree to this many decimals, in standard deviations, are equal."""
NEAR = 0.05
"""The share of the records, the nearest ones, that the ratio of distances is about."""


class NearestRecord(Measure):
    """How often a released record is closer to an original than an original is to another one.

    Synthetic records are not a guarantee: a model that follows the data too closely draws the
    originals again. Take a released record and an original one at random: the value is the
    probability that the released record is nearer to its nearest original than the original is to
    its nearest other original, one half where the two are as near. A new sample of the same
    population has 0.5, a copy of the file 1. Much less than 0.5 means that the release keeps away
    from the originals, or that it looks unlike them.

    An honest test has a holdout: records of the same population that were not used to make the
    release. Hold back a share of the records (`hold_back`), and they are the holdout. Or put them
    into the original file, mark them in a column, protect only the others, and set
    `holdout="part=test"`. The value is then the share of released records that are nearer to the
    records used than to the holdout, with equal numbers of both; 0.5 means no memory of the records
    used. `against_holdout` does the same with two tables.

    `detail` has the ratio of the distances within which the nearest 5 % lie: below 1, the release
    has records nearer to originals than originals are to each other (or than the holdout is).

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> roles = {"age": "quasi-identifier", "pay": "quasi-identifier"}
    >>> sample = lambda: discreet.read(
    ...     {"age": rng.normal(50, 9, 999), "pay": rng.normal(30, 5, 999)}, roles=roles)
    >>> data = sample()
    >>> NearestRecord().score(data, data, Context()).value
    1.0
    >>> round(NearestRecord().score(data, sample(), Context()).value, 1)
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="nearest-record",
        title="Nearest records: how often nearer than originals are to each other",
        citation="Domingo-Ferrer, A survey of inference control methods, §4, pros and cons of "
        "synthetic microdata; Platzer & Reutterer, Holdout-based empirical assessment of "
        "mixed-type synthetic data (2021)",
        missing="a category of its own, one step from every value",
        random=True,
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        with_control=True,
        percent=True,
        on_all_cores=True,
        formula="P(d(y, X) < d(x, X∖x)) + ½ P(d(y, X) = d(x, X∖x)),  y a released record, x an "
        "original one\n"
        "holdout: (1/n) Σ_y ([d(y, used) < d(y, holdout)] + ½ [d(y, used) = d(y, holdout)])",
        cost="n·log n steps with few columns, n² comparisons with many, of a sample where these "
        "are more than two thousand million; memory n·c",
    )

    holdout: str | None = param(
        default=None,
        help="which original records were not used to make the release, as column=category, such "
        "as part=test; without it, those that were held back, and if there are none originals are "
        "compared with each other",
    )
    columns: Columns = param(
        default=None, help="the columns that distances are taken in; all quasi-identifiers if not "
        "given",
    )  # fmt: skip

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the probability or the share; `detail` has the distances."""
        if self.holdout is not None:
            marked = _marked(original, self.holdout)
            return against_holdout(
                original.take(np.flatnonzero(~marked)),
                released,
                original.take(np.flatnonzero(marked)),
                self.columns,
                context,
            )
        if context.control is not None:
            return against_holdout(original, released, context.control, self.columns, context)
        if len(original) < 2 or not len(released):
            raise NotApplicable("it needs two original records and a released one")
        embedding, (released,) = _distance(original, [released], self.columns, context)
        points = embedding.points(original)
        sampled = _rows(len(released), len(original), context.generator("released"))
        to_original = nearest_among(embedding.points(released)[sampled], points, context)[1]
        to_original = np.round(to_original, DIGITS)
        rows = _rows(len(original), len(original), context.generator("originals"))
        to_others = np.round(nearest_other(points, rows, context), DIGITS)
        return Score(
            _probability_of_less(to_original, to_others),
            per_record=to_original if len(sampled) == len(released) else None,
            detail=_detail(embedding, to_original, to_others, "between originals"),
            note=_note(to_original, to_others, len(released), "originals of each other"),
        )


def against_holdout(
    used: Microdata,
    released: Microdata,
    holdout: Microdata,
    columns: Columns = None,
    context: Context | None = None,
) -> Score:
    """Return the share of released records nearer to the records used than to a holdout.

    Equal numbers of both are used, since with more records one is closer by chance alone. A record
    that is equally close to both counts half.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> data = discreet.read({"age": rng.normal(50, 9, 999)}, roles={"age": "quasi-identifier"})
    >>> used, holdout = data.take(np.arange(500)), data.take(np.arange(500, 999))
    >>> against_holdout(used, used, holdout).value > 0.98
    True
    """
    context = Context() if context is None else context
    if not len(used) or not len(holdout) or not len(released):
        raise NotApplicable(
            "it needs records that were used, records of a holdout, and released records"
        )
    embedding, (released, holdout) = _distance(used, [released, holdout], columns, context)
    size = min(len(used), len(holdout))
    sampled = _rows(len(released), size, context.generator("released"))
    points = embedding.points(released)[sampled]
    apart = []
    for table, side in ((used, "used"), (holdout, "holdout")):
        rows = np.sort(context.generator(side).permutation(len(table))[:size])
        distances = nearest_among(points, embedding.points(table.take(rows)), context)[1]
        apart.append(np.round(distances, DIGITS))
    nearer, as_near = (apart[0] < apart[1]).mean(), (apart[0] == apart[1]).mean()
    return Score(
        float(nearer + as_near / 2),
        detail=_detail(embedding, apart[0], apart[1], "to the holdout"),
        note=f"against a holdout of {len(holdout):,} records; "
        + _note(apart[0], apart[1], len(released), "of the holdout"),
    )


def _distance(
    original: Microdata, others: Sequence[Microdata], columns: Columns, context: Context
) -> tuple[Embedding, list[Microdata]]:
    """Return the distance, in deviations of the original, and the others on its scales.

    A label is replaced by one of the values that it stands for, drawn at random.
    """
    for name in columns or ():
        if name not in original.schema:
            raise UsageError(
                unknown_column(name, original.schema.names, asked_by=NearestRecord.__name__)
            )
    names: Sequence[str] = original.quasi_identifiers if columns is None else columns
    for table in others:
        lost = Decoded(original, table, names).lost
        names = [name for name in names if name not in lost]
    if not names:
        raise NotApplicable("the release says nothing about any quasi-identifier")
    generator = context.generator("labels")
    tables = [next(Decoded(original, t, names).draws(generator, count=1)) for t in others]
    # Room for the missing values of every table.
    fitted = [Embedding.fit(original, names, also=table).coordinates for table in tables]
    wide = tuple(max(same, key=lambda c: c.with_missing) for same in zip(*fitted, strict=True))
    return Embedding(wide), tables


def _marked(original: Microdata, holdout: str) -> NDArray[np.bool_]:
    """Return which records are the holdout, by a text such as part=test."""
    name, _, category = (part.strip() for part in holdout.partition("="))
    if name not in original.schema:
        raise UsageError(
            unknown_column(name, original.schema.names, asked_by=NearestRecord.__name__)
        )
    attribute = original.schema[name]
    texts = [str(known) for known in attribute.categories]
    if category not in texts:
        raise UsageError(
            "the holdout of NearestRecord is given as column=category of a nominal or ordinal "
            f"column, but '{holdout}' was given and '{name}' has no such category"
        )
    return np.asarray(original[name] == texts.index(category))


def _rows(count: int, others: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the rows to compare with this many others: all, or a sample of them."""
    most = max(1_000, MOST_PAIRS // others)
    return np.arange(count) if count <= most else np.sort(rng.choice(count, most, replace=False))


def _probability_of_less(left: Numbers, right: Numbers) -> float:
    """Return how often a left value is below a right one; equal values count half."""
    right = np.sort(right)
    above = len(right) - np.searchsorted(right, left, side="right")
    not_below = len(right) - np.searchsorted(right, left, side="left")
    return float((above + not_below).mean() / (2 * len(right)))


def _detail(
    embedding: Embedding, to_originals: Numbers, to_reference: Numbers, whose: str
) -> dict[str, Any]:
    near, usual = float(np.quantile(to_originals, NEAR)), float(np.quantile(to_reference, NEAR))
    return {
        "columns": [coordinate.name for coordinate in embedding.coordinates],
        "nearest 5 %: distance to originals": near,
        f"nearest 5 %: distance {whose}": usual,
        "nearest 5 %: ratio": near / usual if usual > 0 else None,
        "released records equal to an original": int((to_originals == 0).sum()),
    }


def _note(to_originals: Numbers, to_reference: Numbers, released: int, whose: str) -> str:
    near, usual = float(np.quantile(to_originals, NEAR)), float(np.quantile(to_reference, NEAR))
    count = len(to_originals)
    sample = "" if count == released else f"; estimated from {count:,} released records"
    return (
        f"0.5 is what a new sample of the population has; the nearest 5 % lie within {near:.2g} "
        f"standard deviations of an original, and {whose} within {usual:.2g}{sample}"
    )
