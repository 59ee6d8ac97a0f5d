"""Combining rules: one inference from M synthetic releases of the same file.

From each release an analyst takes an estimate q and its estimated variance u, as if the release
were the original file. With q̄ and ū their means, and b the variance of the estimates between the
M releases:

- fully synthetic (Raghunathan, Reiter & Rubin 2003): T = (1 + 1/M)·b − ū, with
  (M − 1)·(1 − ū / ((1 + 1/M)·b))² degrees of freedom. The synthetic records vary as much again as
  a sample does, which b counts and ū removes. T can come out negative; it is then (n′/n)·ū
  (Reiter 2002), with n′ synthetic and n original records;
- partially synthetic (Reiter 2003): T = b/M + ū, with (M − 1)·(1 + ū / (b/M))² degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Kind, Microdata, Numbers

Synthesis = Literal["full", "partial", "missing"]


@dataclass(frozen=True, eq=False)
class Combined:
    """Estimates from several releases with their variances and degrees of freedom."""

    labels: tuple[str, ...]
    estimates: Numbers
    variances: Numbers
    freedom: Numbers

    @property
    def errors(self) -> Numbers:
        """The standard errors."""
        return np.sqrt(self.variances)

    def intervals(self, level: float = 0.95) -> Numbers:
        """Return the confidence interval of each estimate, by Student's t.

        >>> combined = combine([[1.0], [3.0]], [[0.5], [0.5]], "partial", ["mean"])
        >>> combined.intervals().round(3)   # q̄ = 2, T = 2/2 + 0.5, 2.25 degrees of freedom
        array([[-2.746,  6.746]])
        """
        from scipy.stats import t

        if not 0 < level < 1:
            raise UsageError(
                f"the level of an interval must lie between 0 and 1, but {level} is not"
            )
        reach = t.ppf((1 + level) / 2, self.freedom) * self.errors
        return np.column_stack([self.estimates - reach, self.estimates + reach])


def combine(
    estimates: Sequence[Sequence[float]] | Numbers,
    variances: Sequence[Sequence[float]] | Numbers,
    synthesis: Synthesis,
    labels: Sequence[str] | None = None,
    ratio: float = 1.0,
) -> Combined:
    """Combine estimates (a row per release) and their variances by the rule of the synthesis.

    `ratio` is n′/n, the number of synthetic records over that of original ones.

    >>> combined = combine([[1.0], [2.0], [6.0]], [[1.0], [1.0], [1.0]], "full")
    >>> combined.estimates, combined.variances.round(4)   # b = 7, T = 4/3 · 7 − 1
    (array([3.]), array([8.3333]))
    >>> combine([[1.0], [1.1]], [[1.0], [3.0]], "full").variances   # T < 0: ū instead
    array([2.])
    """
    q, u = np.asarray(estimates, dtype=np.float64), np.asarray(variances, dtype=np.float64)
    if q.ndim != 2 or q.shape != u.shape or len(q) < 2:
        raise UsageError(
            "combining needs the estimates of at least two releases, a row for each, and as many "
            f"variances, but estimates of shape {q.shape} and variances of {u.shape} were given"
        )
    count = len(q)
    between, within = q.var(axis=0, ddof=1), u.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        if synthesis in ("partial", "missing"):
            # Each draw of missing values lacks what a larger file would show (Rubin).
            spread = between / count if synthesis == "partial" else (1 + 1 / count) * between
            total = spread + within
            freedom = (count - 1) * (1 + within / spread) ** 2
        else:
            raised = (1 + 1 / count) * between
            total = np.where(raised > within, raised - within, ratio * within)
            freedom = (count - 1) * (1 - within / raised) ** 2
            # The t approximation is for T; its substitute is taken as normal.
            freedom = np.where(raised > within, freedom, np.inf)
    freedom = np.where(np.isnan(freedom), np.inf, np.maximum(freedom, 1.0))
    names = tuple(labels) if labels is not None else tuple(str(i) for i in range(q.shape[1]))
    return Combined(names, q.mean(axis=0), total, freedom)


def combined_means(
    tables: Sequence[Microdata],
    columns: Sequence[str],
    synthesis: Synthesis,
    ratio: float = 1.0,
) -> Combined:
    """Return the means of continuous columns from several releases; missing values are left out.

    >>> import discreet
    >>> made = [discreet.read({"pay": pay}) for pay in ([1, 2, 3], [2, 3, 4])]
    >>> combined = combined_means(made, ["pay"], "partial")
    >>> combined.estimates, combined.variances.round(4)   # b = 1/2, ū = 1/3
    (array([2.5]), array([0.5833]))
    """
    estimates, variances = [], []
    for table in tables:
        means, spreads = [], []
        for name in columns:
            column = table.column(name)
            _refuse_categories(column)
            values = column.values[~column.missing]
            if len(values) < 2:
                raise DataError(
                    f"the mean of column '{name}' needs at least two values in every release"
                )
            means.append(float(values.mean()))
            spreads.append(float(values.var(ddof=1)) / len(values))
        estimates.append(means)
        variances.append(spreads)
    return combine(estimates, variances, synthesis, columns, ratio)


def combined_coefficients(
    tables: Sequence[Microdata],
    response: str,
    predictors: Sequence[str],
    synthesis: Synthesis,
    ratio: float = 1.0,
) -> Combined:
    """Return the coefficients of a linear regression from several releases.

    A nominal predictor has a coefficient for each category but the first, an ordinal one counts by
    the number of its category. Records with a missing value are left out.

    >>> import discreet
    >>> made = [discreet.read({"x": [1, 2, 3, 4], "y": y}) for y in ([1, 3, 2, 4], [1, 2, 4, 3])]
    >>> combined = combined_coefficients(made, "y", ["x"], "partial")
    >>> combined.labels, combined.estimates.round(6)
    (('constant', 'x'), array([0.5, 0.8]))
    """
    labels: tuple[str, ...] = ()
    estimates, variances = [], []
    for table in tables:
        _refuse_categories(table.column(response))
        labels, x = _predictors(table, predictors)
        y = table[response]
        complete = ~(np.isnan(x).any(axis=1) | np.isnan(y))
        x, y = x[complete], y[complete]
        free = len(y) - x.shape[1]
        if free < 1 or np.linalg.matrix_rank(x) < x.shape[1]:
            raise DataError(
                f"the regression of '{response}' needs predictors that do not depend on each "
                "other, and more complete records than coefficients, in every release"
            )
        inverse = np.linalg.inv(x.T @ x)
        coefficients = inverse @ (x.T @ y)
        rest = y - x @ coefficients
        estimates.append(coefficients)
        variances.append(float(rest @ rest) / free * np.diag(inverse))
    return combine(np.array(estimates), np.array(variances), synthesis, labels, ratio)


def _predictors(table: Microdata, names: Sequence[str]) -> tuple[tuple[str, ...], Numbers]:
    labels, parts = ["constant"], [np.ones(len(table))]
    for name in names:
        column = table.column(name)
        values = np.where(column.missing, np.nan, column.values.astype(np.float64))
        if column.attribute.kind is Kind.NOMINAL:
            for code, category in enumerate(column.attribute.categories[1:], start=1):
                labels.append(f"{name} = {category}")
                parts.append(np.where(column.missing, np.nan, column.values == code))
        else:
            labels.append(name)
            parts.append(values)
    return tuple(labels), np.column_stack(parts)


def _refuse_categories(column: Column) -> None:
    if not column.attribute.continuous:
        raise UsageError(
            f"means and regressions need continuous columns, but '{column.name}' is "
            f"{column.attribute.kind}"
        )
