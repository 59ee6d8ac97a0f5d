"""Clusters of records that look alike as a whole: households, or all records of a person."""

from __future__ import annotations

import numpy as np

from discreet.contracts import Context, Score
from discreet.measures.view import alike
from discreet.microdata import Microdata
from discreet.microdata.clusters import Clusters
from discreet.microdata.equivalence import distinguishing_columns
from discreet.microdata.signatures import signatures


def least_alike(released: Microdata, clusters: Clusters, context: Context) -> Score:
    """Return how many clusters look like the rarest; per record how many look like its own.

    Two are alike if they have as many records, which can be paired so that each pair has the same
    quasi-identifiers.

    >>> import discreet
    >>> from discreet.microdata.clusters import households_of
    >>> data = discreet.read({"age": [30, 30, 30, 30, 30], "home": [1, 2, 2, 3, 3]},
    ...                      roles={"age": "quasi-identifier", "home": "household"})
    >>> least_alike(data, households_of(data), Context()).per_record
    array([1., 2., 2., 2., 2.])
    """
    members = alike(released, distinguishing_columns(released), context)
    labels = signatures(released, clusters, members=members)
    equal = np.bincount(labels)[labels]
    noun = f"{clusters.word}s"
    return Score(
        float(equal.min()),
        per_record=equal[clusters.labels].astype(np.float64),
        detail={noun: len(equal), f"share of {noun} alone": float((equal == 1).mean())},
    )
