"""Moments of the numbers in the original and in a release, computed once for all measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet.contracts import Context
from discreet.microdata import Microdata, Numbers
from discreet.microdata.decoded import Decoded
from discreet.microdata.weights import weights_of

Statistic = Callable[[Numbers, Numbers | None], Numbers]
"""A statistic of the columns of a matrix, by weights if there are some."""


def largest(values: Numbers, _: Numbers | None = None) -> Numbers:
    """Return the largest absolute value of each column; 0 where there is none.

    >>> largest(np.array([[-3.0, np.nan], [2.0, np.nan]]))
    array([3., 0.])
    """
    return np.asarray([np.fmax.reduce(np.abs(column), initial=0) for column in values.T])


def of_original(
    original: Microdata, names: Sequence[str], statistic: Statistic, context: Context
) -> Numbers:
    """Return a statistic of some columns of the original.

    >>> import discreet
    >>> from discreet.models.moments import means
    >>> of_original(discreet.read({"x": [1, 3]}), ["x"], means, Context())
    array([2.])
    """
    return context.once(
        ("moments", statistic, original, tuple(names)),
        lambda: statistic(original.matrix(names), weights_of(original)),
    )


def of_draws(
    view: Decoded, released: Microdata, statistics: Sequence[Statistic], context: Context
) -> list[list[Numbers]]:
    """Return some statistics of the columns of each draw of a release.

    A release in which there is nothing to draw is the same for every measure.

    >>> import discreet
    >>> from discreet.models.moments import means
    >>> data = discreet.read({"x": [1, 3]})
    >>> of_draws(Decoded(data, data, ["x"]), data, [means], Context())
    [[array([2.])]]
    """
    names, draws = view.names, view.draws(context.generator("draws"))
    if any(view[name].random and not view[name].lost for name in names):
        weights = weights_of(released)
        return [[s(draw.matrix(names), weights) for s in statistics] for draw in draws]
    draw = next(draws)

    def once(statistic: Statistic) -> Numbers:
        return context.once(
            ("moments", statistic, released, tuple(map(view.__getitem__, names))),
            lambda: statistic(draw.matrix(names), weights_of(released)),
        )

    return [[once(statistic) for statistic in statistics]]
