"""Noise with a nonlinear transformation: added to normal scores, then mapped back to the values."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.methods.perturbative.additive_noise import noise_root
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.ascending import ascending
from discreet.microdata.ranks import ranked


class NonlinearNoise(Method):
    """Adds noise on a scale on which every column is normal, and restores each column's
    distribution.

    Sullivan's idea: the values of a column become normal scores by their ranks (equal values in
    random order, which is what makes discrete columns possible), correlated normal noise is added
    to the scores, and the record that is r-th afterwards gets the r-th value. So the distribution
    of each column is exactly what it was, and correlations between the scores are kept on average.
    Where many values are equal, as in a column with few categories, ranking them at random weakens
    the column's correlations with the others. Every released value is one of the original values:
    the largest and smallest are released unchanged, though perhaps on other records.

    >>> import discreet
    >>> data = discreet.read({"visits": [0, 0, 1, 1, 2, 7]}, roles={"visits": "quasi-identifier"})
    >>> masked = NonlinearNoise(alpha=0.5).protect(data, Context()).data
    >>> sorted(masked["visits"].tolist())
    [0.0, 0.0, 1.0, 1.0, 2.0, 7.0]
    """

    spec: ClassVar[Spec] = Spec(
        name="nonlinear-noise",
        title="Noise with nonlinear transformation",
        citation="Sullivan (1989), after Domingo-Ferrer, A survey of inference control methods, "
        "§2, additive noise",
        missing="a missing value stays missing and is not ranked",
        kinds=(Kind.CONTINUOUS, Kind.ORDINAL),
        random=True,
        formula="z = Φ⁻¹((rank(x) − ½)/n),  z′ = z + ε,  ε ~ N(0, αΣ_z),  rank(x′) = rank(z′)",
        cost="n·log n time for each column, n·c² for the noise",
        whole_because="since noise is added to the ranks of all columns together, and they are "
        "ranked again",
        nearest="additive-noise",
        anew="the distribution of each column, and correlations of ranks",
    )

    alpha: float = param(
        default=0.1,
        help="variance of the noise as a share of the variance of the normal scores: 0.1 adds "
        "noise with 0.32 of their standard deviation",
        above=0,
        trials=(0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0),
        monotone=True,
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the values of the treated columns on other records."""
        columns = [data.column(name) for name in self.treated(data, self.columns)]
        ties = context.generator("ties")
        ranks = [ranked(column, ties, data) for column in columns]
        scores = np.full((len(columns), len(data)), np.nan)
        quantiles = np.empty(0)
        for score, rows in zip(scores, ranks, strict=True):
            if len(rows) != len(quantiles):
                quantiles = normal_quantiles(len(rows))
            score[rows] = quantiles
        root = noise_root(scores.T, self.alpha, correlated=True)
        scores += root @ context.generator("noise").standard_normal(scores.shape)
        return Masked(data.replace(map(by_rank, columns, ranks, scores)))


def normal_quantiles(count: int) -> Numbers:
    """Return Φ⁻¹((r − ½)/n) for r = 1, …, n.

    >>> normal_quantiles(3).round(3)
    array([-0.967,  0.   ,  0.967])
    """
    from scipy.special import ndtri

    return np.asarray(ndtri((np.arange(count) + 0.5) / max(count, 1)))


def by_rank(column: Column, rows: NDArray[np.int64], scores: Numbers) -> Column:
    """Return the column with its r-th value on the record whose score is the r-th.

    `rows` are those with a value, from the lowest to the highest.
    """
    values = column.values.copy()
    present = np.flatnonzero(~column.missing)
    values[present[ascending(scores[present])]] = column.values[rows]
    return column.with_values(values)
