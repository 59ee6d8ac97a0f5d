"""Bootstrap: the empirical distribution is smoothed, and the smoothed one is sampled."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Grain, Masked, Method, Spec, param
from discreet.errors import DataError
from discreet.methods.perturbative.additive_noise import normal_noise
from discreet.microdata import Column, Microdata, Role
from discreet.microdata.numeric_coding import columns_from
from discreet.models.moments import means, standard_deviations


class Bootstrap(Method):
    """Samples records with replacement and smooths the values of the treated columns.

    The numbers x of a drawn record become x̄ + (x − x̄ + hε)/√(1 + h²), ε normal with the
    covariance matrix of the file: a sample from a kernel estimate of the distribution, shrunk so
    that means and covariances are kept on average. Without `bandwidth`, h = (4 / ((p + 2)·n))^(1/(p
    + 4)) for p treated numbers of n records, which is best where they are normal (Silverman's
    rule). With probability h (at most 1) the categories of a record are those of another record,
    all of them together, so that the dependence between categories stays; otherwise they stay.

    Each released record comes from one original record, and columns that are not treated are
    copied from it. Some originals are released twice, and more than a third not at all; h says how
    far a value is from its original, so that this is as risky as noise of that size.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 25, 31, 44, 52.0]}, roles={"age": "quasi-identifier"})
    >>> masked = Bootstrap().protect(data, Context())
    >>> len(masked.data), masked.notes
    (5, ('the bandwidth is 0.768 standard deviations',))
    >>> bool(np.isin(masked.data["age"], data["age"]).any())
    False
    """

    spec: ClassVar[Spec] = Spec(
        name="bootstrap",
        title="Smoothed bootstrap",
        citation="Fienberg (1994); Silverman & Young, The bootstrap: to smooth or not to smooth? "
        "(1987); Domingo-Ferrer, A survey of inference control methods, §4, bootstrap",
        missing="a missing value is drawn with its record and stays missing; covariances are taken "
        "over the pairs present",
        random=True,
        formula="x′ = x̄ + (x − x̄ + hε)/√(1 + h²),  x drawn with replacement,  ε ~ N(0, Σ)\n"
        "h = (4 / ((p + 2)·n))^(1/(p + 4)) if not given",
        cost="n·c² time, memory n·c",
        nearest="cart-synthesis",
    )

    bandwidth: float | None = param(
        default=None,
        help="standard deviation h of the smoothing, as a share of the column's, and for "
        "categories the probability of being redrawn; by Silverman's rule if not given",
        above=0,
        trials=(0.05, 0.1, 0.2, 0.35, 0.5, 1.0),
        monotone=True,
    )
    size: int | None = param(
        default=None,
        help="the number of records to release; as many as there are if not given",
        at_least=1,
    )
    round: bool = param(
        default=False, help="round the released values of columns that hold whole numbers only"
    )
    columns: Columns = param(
        default=None, help="the columns to smooth; all quasi-identifiers if not given"
    )

    @property
    def anew(self) -> str:
        """The bandwidth may be stated; what is smoothed is always the file at hand."""
        always_anew = "the records that it draws, and the covariances that smooth them"
        return always_anew if self.bandwidth else f"the bandwidth, {always_anew}"

    @property
    def grain(self) -> Grain:
        """Records are drawn with replacement."""
        return Grain.FILE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return a smoothed sample of the records, and where they came from."""
        names = self.treated(data, self.columns)
        if not len(data):
            raise DataError("Bootstrap samples records, but the data have none")
        rng = context.generator("sample")
        rows = rng.integers(0, len(data), self.size or len(data))
        sample = data.take(rows)
        numbers = [name for name in names if data.schema[name].continuous]
        h = self.bandwidth or silverman(len(data), max(len(numbers), 1))
        columns = _smoothed(data, sample, numbers, h, context.generator("noise"), self.round)
        labels = [name for name in names if name not in numbers]
        columns += _redrawn(data, sample, labels, h, context.generator("categories"))
        notes = [f"the bandwidth is {h:.3g} standard deviations"]
        if data.having(Role.WEIGHT):
            notes.append("weights are those of the sampled records: their sum is not kept")
        settled = Bootstrap(bandwidth=h, size=self.size, round=self.round, columns=self.columns)
        return Masked(sample.replace(columns), notes=tuple(notes), origin=rows, chosen=(settled,))


def silverman(records: int, columns: int) -> float:
    """Return the bandwidth in standard deviations that is best for normal data.

    >>> round(silverman(1000, 2), 4)
    0.3162
    """
    return float((4 / ((columns + 2) * records)) ** (1 / (columns + 4)))


def _smoothed(
    data: Microdata,
    sample: Microdata,
    names: list[str],
    h: float,
    rng: np.random.Generator,
    whole: bool,
) -> list[Column]:
    if not names:
        return []
    values = data.matrix(names)
    centre = means(values)
    # Noise for as many records as are released, from the covariance matrix of all.
    step = _normal(values, len(sample), h, rng)
    made = centre + (sample.matrix(names) - centre + step) / math.sqrt(1 + h * h)
    return columns_from(sample, names, made, whole=whole)


def _normal(
    values: NDArray[np.float64], rows: int, h: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    # In standard deviations: beside moments in microseconds, ages would be lost in rounding errors.
    spread = standard_deviations(values)
    unit = np.where(spread > 0, spread, 1.0)
    parts = [
        normal_noise(values / unit, h * h, rng, correlated=True)
        for _ in range(-(-rows // len(values)))
    ]
    return np.asarray(np.vstack(parts)[:rows] * unit)


def _redrawn(
    data: Microdata, sample: Microdata, names: list[str], h: float, rng: np.random.Generator
) -> list[Column]:
    """Return the categories of the sample, some records having those of another record."""
    if not names:
        return []
    other = rng.integers(0, len(data), len(sample))
    anew = rng.random(len(sample)) < h
    columns = []
    for name in names:
        drawn, replacement = sample.column(name), data.column(name).values[other]
        changed = anew & ~drawn.missing & ~data.column(name).missing[other]
        columns.append(drawn.with_values(np.where(changed, replacement, drawn.values)))
    return columns
