"""Gaussian copula: the distribution of each column, and correlations of the ranks behind them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Grain, Masked, Method, Spec, param
from discreet.microdata import Column, Kind, Microdata
from discreet.microdata.decimals import decimals_of, rounded
from discreet.models.copula import latent_correlations, ordered_categories
from discreet.models.sequential.assembly import SYNTHETIC_ROLES, masked, modelled
from discreet.models.sequential.fitted import MOST_DECIMALS
from discreet.models.sequential.options import RecordOptions
from discreet.models.sequential.sequence import require_fittable
from discreet.models.sequential.tree import Smoothing

Codes = NDArray[np.int64]


class GaussianCopula(RecordOptions, Method):
    """Draws whole records at once: normal variables with the correlations of the file, by rank.

    Each column keeps its distribution, missing values included; between two columns only as much
    dependence is kept as one correlation can express. The categories of a nominal column are put in
    the order suggested by the other columns. Fast, and a baseline for the sequential methods.
    Numbers that fewer than five records share are moved past up to five others of their column.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> age = rng.uniform(20, 60, 1000)
    >>> data = discreet.read({"age": age, "pay": np.exp(age / 20 + rng.normal(0, 0.3, 1000))},
    ...                      roles={"age": "quasi-identifier"})
    >>> made = GaussianCopula().protect(data, Context()).data
    >>> bool(np.corrcoef(made["age"], np.log(made["pay"]))[0, 1] > 0.8)
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="gaussian-copula",
        title="Gaussian copula with mixed margins",
        citation="Hoff, Extending the rank likelihood for semiparametric copula estimation (2007); "
        "Patki, Wedge & Veeramachaneni, The synthetic data vault (2016)",
        missing="a missing value is a value of its own, below all others",
        random=True,
        treats=SYNTHETIC_ROLES,
        formula="z ~ N(0, R),  xⱼ = Fⱼ⁻¹(Φ(zⱼ)),  R by the likelihood of the ranks",
        cost="n·log n time for each column, and 25·c³·50,000 at most for R; memory n·c",
        anew="distributions and correlations",
    )

    records: int | None = param(
        default=None,
        help="number of synthetic records; as many as in the file if not given",
        at_least=1,
    )

    @property
    def grain(self) -> Grain:
        """The records are new ones."""
        return Grain.FILE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return a table of synthetic records."""
        from scipy.special import ndtr

        require_fittable(data, type(self).__name__)
        names = self.treated(data, modelled(data))
        places = _places(data, names)
        levels = [np.unique(place, return_inverse=True)[1] for place in places]
        levels = [level.astype(np.int64) for level in levels]
        correlations = latent_correlations(levels, context.generator("correlations"))
        rows = len(data) if self.records is None else self.records
        generator = context.generator("records")
        root = np.linalg.cholesky(correlations + 1e-9 * np.eye(len(names)))
        ranks = ndtr(generator.standard_normal((rows, len(names))) @ root.T)
        columns = []
        for name, place, rank in zip(names, places, ranks.T, strict=True):
            order = np.argsort(place, kind="stable")
            donors = order[np.minimum((rank * len(order)).astype(np.int64), len(order) - 1)]
            columns.append(_values(data.column(name), donors, generator))
        return masked(data, columns, (), replicated=self.replicas)


def _places(data: Microdata, names: tuple[str, ...]) -> list[NDArray[np.float64]]:
    """Return a number for each value of each column, in whose order the values stand."""
    nominal = [name for name in names if data.schema[name].kind is Kind.NOMINAL]
    others = [name for name in names if name not in nominal]
    columns = [_filled(data.column(name)) for name in others]
    numbers = np.column_stack(columns) if columns else np.empty((len(data), 0))
    means = ordered_categories([data[name] + 1 for name in nominal], numbers) if nominal else []
    categories = dict(zip(nominal, means, strict=True))
    places = []
    for name in names:
        column = data.column(name)
        found = categories[name][column.values + 1] if name in categories else column.values
        # Categories with the same number are still kept apart.
        tied = column.values * 1e-9 if name in categories else 0.0
        places.append(np.where(column.missing, -np.inf, found + tied))
    return places


def _filled(column: Column) -> NDArray[np.float64]:
    """Return the ranks of values, a missing one at the middle."""
    values = column.values.astype(np.float64)
    present = values[~column.missing]
    found = np.searchsorted(np.sort(present), values) / max(1, len(present))
    return np.where(column.missing, 0.5, found)


def _values(column: Column, donors: Codes, generator: np.random.Generator) -> Column:
    drawn = column.values[donors]
    if not column.attribute.continuous:
        return column.with_values(drawn)
    missing = np.isnan(drawn)
    present = column.values[~column.missing]
    if not len(present):
        return column.with_values(drawn)
    made = Smoothing.of(present).smoothed(np.where(missing, present[0], drawn), generator)
    places = decimals_of(present, MOST_DECIMALS)
    made = made if places is None else rounded(made, places)
    return column.with_values(np.where(missing, np.nan, made))
