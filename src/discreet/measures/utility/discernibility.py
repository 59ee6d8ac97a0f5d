"""Discernibility: how many records each record cannot be told from."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Ruin,
    Score,
    Side,
)
from discreet.measures.utility.words import weighted
from discreet.measures.view import alike, compared_keys
from discreet.microdata import Microdata
from discreet.microdata.weights import weights_of


class Discernibility(Measure):
    """The mean share of the file that a record cannot be told from by its quasi-identifiers.

    This is the discernibility metric over n²: each record of a class E costs |E|, and one without
    any quasi-identifier left costs n. It says how large classes are, and nothing about how coarse
    or how true their values are: two files with the same classes have the same discernibility.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> found = Discernibility().score(data, data, Context())
    >>> found.value, found.detail["C_DM"]   # (3² + 1²) / 4²
    (0.625, 10.0)
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="discernibility",
        title="Discernibility",
        citation="Bayardo & Agrawal (2005), Data privacy through optimal k-anonymization, §3.2, "
        "C_DM; a quality model of ARX",
        missing="a category of its own; a record with nothing else is suppressed",
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        at_loss=1,
        default=False,
        of_release=True,
        percent=True,
        formula="C_DM / n² = (Σ over the classes |E|² + n · suppressed records) / n²",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
        sees=(Ruin.CONSTANT, Ruin.STARRED),
        blind_to=(
            Ruin.PERMUTED,
            Ruin.UNPAIRED,
            Ruin.NUMBER_DROPPED,
            Ruin.CATEGORY_DROPPED,
        ),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean share; per record the share of its class."""
        keys = compared_keys(original, released)
        names = [name for name in keys if name in released.schema]
        n = len(released)
        weights = weights_of(released)
        w = np.ones(n) if weights is None else weights
        labels = alike(released, names, context) if names else np.zeros(n, dtype=np.int64)
        shares = (np.bincount(labels, w) / w.sum())[labels]
        suppressed = np.all([released.column(name).missing for name in names], axis=0)
        shares = np.where(suppressed, 1.0, shares)
        value = float(np.average(shares, weights=w))
        return Score(
            value,
            per_record=shares,
            detail={
                "C_DM": value * n**2,
                "classes": int(labels.max()) + 1,
                "suppressed records": int(np.sum(suppressed)),
            },
            note=weighted(original),
        )
