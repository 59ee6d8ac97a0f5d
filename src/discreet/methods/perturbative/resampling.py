"""Resampling: each value becomes the average of the values of its rank in several samples."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.microdata import Column, Kind, Microdata
from discreet.microdata.ranks import ranked


class Resampling(Method):
    """Draws t samples of a column's values, and averages them rank by rank.

    Each sample is as large as the column and drawn with replacement. The j-th smallest value of
    the column is replaced by the average of the j-th smallest values of the samples, so that the
    order of the records stays as it was. Each column is treated on its own. One sample changes
    most and releases values of the file itself; the more samples, the nearer to the original.

    >>> import discreet
    >>> data = discreet.read({"pay": [18.0, 24.0, 31.0, 40.0]}, roles={"pay": "quasi-identifier"})
    >>> masked = Resampling(samples=2).protect(data, Context()).data["pay"]
    >>> bool((np.diff(masked) >= 0).all() and 18 <= masked[0] and masked[-1] <= 40)
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="resampling",
        title="Resampling",
        citation="Heer (1993); Domingo-Ferrer, A survey of inference control methods, §2",
        missing="a missing value stays missing and is never drawn",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="x′₍ᵣ₎ = (1/t) Σₛ x₍ᵣ₎ of sample s, for every rank r",
        cost="n·log n time for each column, and t·n for t samples; memory n",
        whole_because="since every sample is drawn from all of its values",
        nearest="rank-swapping",
        anew="the order of the values",
    )

    samples: int = param(
        default=3,
        help="the number t of samples that are averaged: fewer samples change values more",
        at_least=1,
        trials=(10, 7, 5, 3, 2, 1),
        monotone=True,
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with each treated column resampled."""
        names = self.treated(data, self.columns)
        columns = []
        with context.task("resampling", len(names)) as advance:
            for name in names:
                generator = context.generator(f"samples {name}")
                columns.append(_resampled(data, name, self.samples, generator))
                advance(1)
        return Masked(data.replace(columns))


def _resampled(data: Microdata, name: str, samples: int, generator: np.random.Generator) -> Column:
    column = data.column(name)
    rows = ranked(column, generator, data)
    ordered = column.values[rows]
    average = np.zeros(len(rows))
    for _ in range(samples):
        drawn = generator.integers(0, max(len(rows), 1), len(rows))
        # How often each rank was drawn says what the sorted sample is, without sorting it. The
        # share of each sample is added, not the whole: the sum of large values could overflow.
        average += np.repeat(ordered, np.bincount(drawn, minlength=len(rows))) / samples
    values = column.values.copy()
    values[rows] = average
    return column.with_values(values)
