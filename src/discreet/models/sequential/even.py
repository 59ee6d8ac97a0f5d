"""Random numbers for many records at once that are spread evenly over their range.

Each record's number is uniform, so each record is drawn as it would be alone. Together they leave
fewer gaps and clusters than independent numbers do, so that means and shares of what is drawn stay
close to what the model says: stratified sampling.
"""

from __future__ import annotations

import numpy as np

from discreet.microdata import Numbers

WINDOW = 32
"""Neighbouring records of which each has its own part of the range. More than a leaf has, so that
the records of one leaf are drawn almost independently of each other, with repetitions; and few
enough that how often a rare value is drawn stays as uncertain as in a sample."""


def evenly(count: int, generator: np.random.Generator) -> Numbers:
    """Return uniform numbers that are spread evenly in every window.

    >>> u = evenly(3200, np.random.default_rng(1))
    >>> [int((u < share).sum()) for share in (0.125, 0.5)]
    [400, 1600]
    """
    windows = -(-count // WINDOW)
    part = generator.random((windows, WINDOW)).argsort(axis=1)
    spread = (part + generator.random((windows, WINDOW))) / WINDOW
    return np.asarray(spread.ravel()[:count])
