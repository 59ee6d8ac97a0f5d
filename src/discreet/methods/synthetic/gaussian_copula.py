"""Gaussian copula: the distribution of each column, and correlations of the ranks behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Context,
    Fitted,
    Grain,
    InMemory,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.contracts.passes import stretches
from discreet.microdata import Column, Kind, Microdata
from discreet.microdata.decimals import decimals_of, rounded
from discreet.models.copula import latent_correlations, ordered_categories
from discreet.models.sequential.assembly import SYNTHETIC_ROLES, masked, modelled
from discreet.models.sequential.fitted import MOST_DECIMALS, MOST_FITTED
from discreet.models.sequential.options import RecordOptions, why_whole
from discreet.models.sequential.sequence import require_fittable
from discreet.models.sequential.tree import Smoothing
from discreet.models.simple_sampling import sampled_records

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
        needs=Needs.MODELS,
        anew="distributions and correlations",
        nearest="cart-synthesis",
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

    @property
    def needs(self) -> Needs:
        """A sample to fit to, unless records are compared with all."""
        return Needs.MODELS if self.replicas else Needs.FILE

    @property
    def whole_because(self) -> str:
        """Only comparisons with all records need the whole file."""
        return why_whole(kept=False)

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return a table of synthetic records."""
        fitted = self.fit(InMemory(data), context)
        columns = list(fitted.treat(Microdata([], rows=fitted.new), context, 0))
        return masked(data, columns, (), replicated=self.replicas)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Take distributions and correlations of a sample of the records."""
        data = sampled_records(file, MOST_FITTED, context, "records to fit")
        require_fittable(data, type(self).__name__)
        names = self.treated(file.head, modelled(file.head))
        places = _places(data, names)
        levels = [np.unique(place, return_inverse=True)[1] for place in places]
        levels = [level.astype(np.int64) for level in levels]
        correlations = latent_correlations(levels, context.generator("correlations"))
        root = np.linalg.cholesky(correlations + 1e-9 * np.eye(len(names)))
        margins = tuple(map(_Margin.of, map(data.column, names), places))
        new = len(file) if self.records is None else self.records
        return Fitted((), _Drawing(np.asarray(root, dtype=np.float64), margins), new=new)


@dataclass(frozen=True, eq=False)
class _Margin:
    """A column in the order of its values, and what moves numbers among their neighbours."""

    ordered: Column
    smoothing: Smoothing | None
    decimals: int | None

    @classmethod
    def of(cls, column: Column, place: NDArray[np.float64]) -> _Margin:
        ordered = column.with_values(column.values[np.argsort(place, kind="stable")])
        present = column.values[~column.missing]
        if not column.attribute.continuous or not len(present):
            return cls(ordered, None, None)
        return cls(ordered, Smoothing.of(present), decimals_of(present, MOST_DECIMALS))

    def drawn(self, ranks: NDArray[np.float64], generator: np.random.Generator) -> Column:
        """Return the values at these ranks, as shares of their number."""
        count = len(self.ordered.values)
        at_ranks = self.ordered.values[np.minimum((ranks * count).astype(np.int64), count - 1)]
        if self.smoothing is None:
            return self.ordered.with_values(at_ranks)
        missing = np.isnan(at_ranks)
        known = self.ordered.values[-1]  # missing values are first
        made = self.smoothing.smoothed(np.where(missing, known, at_ranks), generator)
        made = made if self.decimals is None else rounded(made, self.decimals)
        return self.ordered.with_values(np.where(missing, np.nan, made))


@dataclass(frozen=True, eq=False)
class _Drawing:
    """New records for any rows: normal variables, each at its rank of a column."""

    root: NDArray[np.float64]
    margins: tuple[_Margin, ...]

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        from scipy.special import ndtr

        made: list[list[NDArray[Any]]] = [[] for _ in self.margins]
        for at, generator in stretches(context, "records", first, len(rows)):
            normal = generator.standard_normal((at.stop - at.start, len(self.margins)))
            for values, margin, ranks in zip(
                made, self.margins, ndtr(normal @ self.root.T).T, strict=True
            ):
                values.append(margin.drawn(ranks, generator).values)
        return [
            margin.ordered.with_values(np.concatenate([*values, margin.ordered.values[:0]]))
            for margin, values in zip(self.margins, made, strict=True)
        ]


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
        positions = categories[name][column.values + 1] if name in categories else column.values
        # Categories with the same number are still kept apart.
        tied = column.values * 1e-9 if name in categories else 0.0
        places.append(np.where(column.missing, -np.inf, positions + tied))
    return places


def _filled(column: Column) -> NDArray[np.float64]:
    """Return the ranks of values, a missing one at the middle."""
    values = column.values.astype(np.float64)
    present = values[~column.missing]
    ranks = np.searchsorted(np.sort(present), values) / max(1, len(present))
    return np.where(column.missing, 0.5, ranks)
