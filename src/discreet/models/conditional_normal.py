"""Columns given others by a normal linear model: what IPSO and its relatives draw from.

Given the values x of some columns, the values y of others are taken to be normal with mean x·B and
covariance matrix Σ (survey §4, Cholesky decomposition; Burridge 2003). B and Σ are estimated by
least squares from the complete records: those with all y present. A missing x is set to the mean
and has an indicator, as everywhere in `design_matrix`.

New residuals are drawn in three ways, by what stays exact when the regression is fitted again:
nothing, the coefficients, or the coefficients and the residual covariance matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, Numbers, unknown_column
from discreet.models.design_matrix import DesignMatrix
from discreet.models.exact_moments import with_covariance_of
from discreet.models.regression import DEPENDENT

KEPT = ("nothing", "coefficients", "covariance")
EXPLAINED = 0.95
"""A column is hardly changed by the model if the others explain more than this share of it."""


@dataclass(frozen=True, eq=False)
class ConditionalNormal:
    """A fitted regression of several columns on others.

    `fitted` has x·B̂ for every record, `residuals` and `basis` belong to the complete records:
    the residuals of y, and orthonormal columns that span the centred x. `left_out` are given
    columns with too many categories.

    >>> import discreet
    >>> data = discreet.read({"x": [0, 1, 2, 3.0]})
    >>> y = np.array([[1.0], [2.0], [4.0], [5.0]])
    >>> model = ConditionalNormal.fit(data, ["x"], y, "IPSO")
    >>> model.fitted[:, 0].round(6), model.explained.round(3)
    (array([0.9, 2.3, 3.7, 5.1]), array([0.98]))
    """

    fitted: Numbers
    residuals: Numbers
    basis: Numbers
    complete: NDArray[np.bool_]
    explained: Numbers
    left_out: tuple[str, ...]

    @classmethod
    def fit(
        cls, data: Microdata, given: Sequence[str], values: Numbers, owner: str
    ) -> ConditionalNormal:
        """Regress the columns of `values` on the given columns; NaN is a missing value."""
        complete = np.asarray(~np.isnan(values).any(axis=1))
        design = DesignMatrix.fit(data, given, reference=True)
        terms = design.matrix(data)
        rows, count = int(complete.sum()), values.shape[1]
        centre = terms[complete].mean(axis=0) if rows else np.zeros(terms.shape[1])
        basis, to_coefficients = _span((terms - centre)[complete])
        # With one more direction than columns, residuals can rotate instead of only changing signs.
        least = basis.shape[1] + count + 2
        if rows < least:
            raise DataError(
                f"{owner} needs at least {least} records without missing values in the treated "
                f"columns for {count} treated columns given {terms.shape[1]} others, but the data "
                f"have {rows}; name fewer columns with columns=[…] or given=[…]"
            )
        known = values[complete]
        middle = known.mean(axis=0)
        middle = middle + (known - middle).mean(axis=0)
        # A constant column stays to the last bit.
        middle = np.where(np.ptp(known, axis=0) == 0, known[0], middle)
        about = known - middle
        coefficients = to_coefficients @ (basis.T @ about)
        fitted = middle + (terms - centre) @ coefficients
        residuals = about - basis @ (basis.T @ about)
        return cls(
            fitted, residuals, basis, complete, _explained(about, residuals), design.left_out
        )

    def drawn(self, keep: str, rng: np.random.Generator) -> Numbers:
        """Return values for every record: fitted ones plus new residuals.

        What `keep` names is exact for the complete records; the others get residuals with the
        estimated covariance matrix.
        """
        return self.fitted + self.noise(keep, rng)

    def noise(self, keep: str, rng: np.random.Generator) -> Numbers:
        """Return new residuals for every record."""
        free = len(self.residuals) - 1 - self.basis.shape[1]
        root = np.asarray(np.linalg.qr(self.residuals, mode="r")) / np.sqrt(free)
        noise = rng.standard_normal(self.fitted.shape) @ root
        if keep == "coefficients":
            rest = noise[self.complete]
            for _ in range(2):  # once more, for what rounding left over
                rest = rest - rest.mean(axis=0)
                rest -= self.basis @ (self.basis.T @ rest)
            noise[self.complete] = rest
        elif keep == "covariance":
            # Any draws will do: their covariance matrix is removed from them.
            draws = rng.standard_normal(self.residuals.shape)
            with one_thread():
                noise[self.complete] = with_covariance_of(self.residuals, draws, self.basis)
        return np.asarray(noise)

    def brought_back(self, values: Numbers) -> Numbers:
        """Return values of the complete records, changed to give B̂ and Σ̂ exactly."""
        rest = with_covariance_of(self.residuals, values, self.basis)
        return np.asarray(self.fitted[self.complete] + rest)


def given_columns(
    data: Microdata, given: Sequence[str] | None, usual: Sequence[str], treated: Sequence[str],
    owner: str,
) -> tuple[str, ...]:  # fmt: skip
    """Return the columns to regress on: those named, or the usual ones, without the treated.

    >>> import discreet
    >>> given_columns(discreet.read({"age": [30]}), ["age"], [], ["age"], "Ipso")
    Traceback (most recent call last):
    discreet.errors.UsageError: Ipso regresses the treated columns on others, but 'age' is in ...
    """
    for name in given or ():
        if name not in data.schema:
            raise UsageError(unknown_column(name, data.schema.names, asked_by=owner))
        if name in treated:
            raise UsageError(
                f"{owner} regresses the treated columns on others, but '{name}' is in both lists; "
                "take it out of given or out of the treated columns"
            )
    return tuple(name for name in (usual if given is None else given) if name not in treated)


def notes_on_fit(model: ConditionalNormal, names: Sequence[str]) -> list[str]:
    """Return what the owner should know: columns that are nearly disclosed, and those left out."""
    notes = [
        f"{100 * share:.1f} % of '{name}' is explained by the columns that it is regressed on: its "
        "released values are close to the original ones"
        for name, share in zip(names, model.explained, strict=True)
        if share > EXPLAINED
    ]
    if model.left_out:
        notes.append(
            f"not regressed on, because they have too many categories: {', '.join(model.left_out)}"
        )
    return notes


def _span(terms: Numbers) -> tuple[Numbers, Numbers]:
    """Return an orthonormal basis of the terms' span, and what turns it into coefficients."""
    if not terms.size:
        return np.zeros((len(terms), 0)), np.zeros((terms.shape[1], 0))
    with one_thread():
        left, singular, right = np.linalg.svd(terms, full_matrices=False)
    kept = singular > DEPENDENT * max(float(singular.max(initial=0.0)), 1e-300)
    return left[:, kept], right[kept].T / singular[kept]


def _explained(about: Numbers, residuals: Numbers) -> Numbers:
    """Return the share of each column's variance that the given columns explain; 0 if constant."""
    largest = np.abs(about).max(axis=0, initial=0.0)
    unit = np.where(largest > 0, largest, 1.0)
    total = ((about / unit) ** 2).sum(axis=0)
    left = ((residuals / unit) ** 2).sum(axis=0)
    return np.asarray(np.where(total > 0, 1 - left / np.where(total > 0, total, 1.0), 0.0))
