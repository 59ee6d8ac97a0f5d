"""Columns given others by a normal linear model: what IPSO and its relatives draw from.

Given the values x of some columns, the values y of others are taken to be normal with mean x·B and
covariance matrix Σ (survey §4, Cholesky decomposition; Burridge 2003). B and Σ are estimated by
least squares from the complete records: those with all y present. A missing x is set to the mean
and has an indicator, as everywhere in `design_matrix`.

New residuals are drawn in three ways, by what stays exact when the regression is fitted again:
nothing, the coefficients, or the coefficients and the residual covariance matrix. All of it takes
a few passes over the records, since what a record gets is a linear map of its terms and draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Passes, in_stretches
from discreet.contracts.threads import one_thread
from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Microdata, Numbers, unknown_column
from discreet.microdata.numeric_coding import numbers_rounded
from discreet.models.design_matrix import BLOCK, DesignMatrix
from discreet.models.regression import DEPENDENT, triangular_factor
from discreet.models.spreads import Spreads

KEPT = ("nothing", "coefficients", "covariance")
EXPLAINED = 0.95
"""A column is hardly changed by the model if the others explain more than this share of it."""


@dataclass(frozen=True, eq=False)
class LinearFit:
    """Several columns regressed on terms: all that least squares needs of the records.

    `factor` is the triangular factor of the terms, then the columns, about their means; `root` is
    that of the residuals.

    >>> terms, values = np.array([[0.0], [1], [2], [3]]), np.array([[1.0], [2], [4], [5]])
    >>> fit = LinearFit.of([(terms, values)])
    >>> fit.of_terms(terms)[:, 0].round(6), fit.explained.round(3)
    (array([0.9, 2.3, 3.7, 5.1]), array([0.98]))
    """

    intercept: Numbers
    coefficients: Numbers
    root: Numbers
    factor: Numbers
    rows: int
    rank: int

    @classmethod
    def of(cls, blocks: Iterable[tuple[Numbers, Numbers]]) -> LinearFit:
        """Regress values on terms, given in blocks of records."""
        rows, width = 0, 0

        def with_ones() -> Iterator[Numbers]:
            nonlocal rows, width
            for terms, values in blocks:
                rows, width = rows + len(values), 1 + terms.shape[1]
                if len(values):
                    yield np.column_stack([np.ones(len(values)), terms, values])

        with one_thread():
            factor = triangular_factor(with_ones())
            means = factor[0, 1:] / factor[0, 0]
            terms, values = factor[1:, 1:width], factor[1:, width:]
            rank, coefficients = 0, np.zeros((width - 1, values.shape[1]))
            if terms.size:
                left, singular, right = np.linalg.svd(terms, full_matrices=False)
                kept = singular > DEPENDENT * max(float(singular.max(initial=0.0)), 1e-300)
                rank = int(kept.sum())
                coefficients = right[kept].T / singular[kept] @ (left[:, kept].T @ values)
            intercept = means[width - 1 :] - means[: width - 1] @ coefficients
            root = _root(values - terms @ coefficients)
        return cls(intercept, coefficients, root, factor[1:, 1:], rows, rank)

    def of_terms(self, terms: Numbers) -> Numbers:
        """Return the fitted values of records."""
        return np.asarray(self.intercept + terms @ self.coefficients)

    @property
    def explained(self) -> Numbers:
        """The share of each column's variance that the terms explain; 0 if it is constant."""
        values = self.factor[:, len(self.coefficients) :]
        largest = np.abs(values).max(axis=0, initial=0.0)
        unit = np.where(largest > 0, largest, 1.0)
        total = ((values / unit) ** 2).sum(axis=0)
        left = ((self.root / unit) ** 2).sum(axis=0)
        return np.asarray(np.where(total > 0, 1 - left / np.where(total > 0, total, 1.0), 0.0))

    @property
    def correlations(self) -> Numbers:
        """The correlations of terms and columns; 0 with a constant one."""
        lengths = np.sqrt((self.factor**2).sum(axis=0))
        about = self.factor / np.where(lengths > 0, lengths, 1.0)
        return np.asarray(about.T @ about)


@dataclass(frozen=True, eq=False)
class ConditionalNormal:
    """A fitted regression of the columns `names` on others, about their `centre`.

    >>> import discreet
    >>> from discreet.contracts import InMemory
    >>> data = discreet.read({"x": [0, 1, 2, 3.0], "y": [1, 2, 4, 5.0]})
    >>> model = ConditionalNormal.fit(InMemory(data), ["x"], ["y"], "IPSO")
    >>> model.fitted(data)[:, 0].round(6)
    array([0.9, 2.3, 3.7, 5.1])
    """

    names: tuple[str, ...]
    design: DesignMatrix
    centre: Numbers
    linear: LinearFit

    @classmethod
    def fit(
        cls, file: Passes, given: Sequence[str], names: Sequence[str], owner: str
    ) -> ConditionalNormal:
        """Regress columns of numbers on the given columns; NaN stands for a missing value."""
        read = list(dict.fromkeys([*given, *names]))

        def complete() -> Iterator[Numbers]:
            for piece in file.pieces(list(names)):
                values = piece.matrix(names)
                yield values[complete_rows(values)]

        design = DesignMatrix.in_passes(file, given)
        # Nothing of a constant column is left about its value: it stays the same to the last bit.
        spreads = Spreads.of(complete, len(names))
        rows, rank = int(spreads.count.max()), 0
        # With one more direction than columns, residuals can rotate instead of only changing signs.
        if rows >= len(names) + 2:
            blocks = (
                block
                for piece in file.pieces(read)
                for block in _complete(design, names, spreads.centre, piece)
            )
            linear = LinearFit.of(blocks)
            rank = linear.rank
        if rows < rank + len(names) + 2:
            raise DataError(
                f"{owner} needs at least {rank + len(names) + 2} records without missing values in "
                f"the treated columns for {len(names)} treated columns given {len(design.terms)} "
                f"others, but the data have {rows}; name fewer columns with columns=[…] or "
                "given=[…]"
            )
        return cls(tuple(names), design, spreads.centre, linear)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file that are read to draw values."""
        return tuple(dict.fromkeys([*(term.column for term in self.design.terms), *self.names]))

    def fitted(self, rows: Microdata) -> Numbers:
        """Return the fitted values of records."""
        made = np.empty((len(rows), len(self.names)))
        with one_thread():
            for at, terms in _terms(self.design, rows):
                made[at] = self.centre + self.linear.of_terms(terms)
        return made

    def noise_root(self) -> Numbers:
        """Return R with RᵀR the estimated covariance matrix of the residuals."""
        free = self.linear.rows - 1 - self.linear.rank
        return np.asarray(self.linear.root / np.sqrt(free))

    def residuals(self, keep: str, file: Passes, context: Context, use: str) -> Residuals:
        """Return how new residuals are drawn for the records of a file.

        What `keep` names is exact for the complete records; the others get residuals with the
        estimated covariance matrix.
        """
        drawn = Residuals(self, use, None, self.noise_root())
        if keep == "nothing":
            return drawn

        def draws() -> Iterator[tuple[Microdata, Numbers]]:
            first = 0
            for piece in file.pieces(self.columns):
                yield piece, drawn.draws(context, first, len(piece))
                first += len(piece)

        return self.turned(draws, exact=keep == "covariance", use=use)

    def turned(
        self, pieces: Callable[[], Iterable[tuple[Microdata, Numbers]]], exact: bool, use: str = ""
    ) -> Residuals:
        """Return how draws become residuals that keep the coefficients, if `exact` also Σ̂.

        `pieces` are the records with a draw for each. What the terms explain of the draws is
        removed, and a triangular matrix, that of Cholesky factors, does the rest: draws that nearly
        have the covariance matrix change little.
        """

        def complete() -> Iterator[tuple[Numbers, Numbers]]:
            for piece, draws in pieces():
                is_complete = complete_rows(piece.matrix(self.names))
                for at, terms in _terms(self.design, piece):
                    yield terms[is_complete[at]], draws[at][is_complete[at]]

        explained = LinearFit.of(complete())
        turn = self.noise_root()
        if exact:
            with one_thread():
                turn = np.linalg.pinv(explained.root, rcond=DEPENDENT) @ self.linear.root
        return Residuals(self, use, explained, turn)


@dataclass(frozen=True, eq=False)
class Residuals:
    """New residuals for any records of a file, by stretches of its rows.

    `explained` is what the terms explain of the draws of complete records, and `turn` makes
    residuals of the rest.
    """

    model: ConditionalNormal
    use: str
    explained: LinearFit | None
    turn: Numbers

    def draws(self, context: Context, first: int, count: int) -> Numbers:
        """Return normal numbers for `count` rows from row `first` on."""
        columns = len(self.model.names)
        return in_stretches(
            context, self.use, first, count, lambda rng, rows: rng.standard_normal((rows, columns))
        )

    def drawn(self, rows: Microdata, context: Context, first: int, share: float = 1.0) -> Numbers:
        """Return values for records: fitted ones plus a share of new residuals."""
        return self.of_draws(rows, self.draws(context, first, len(rows)), share)

    def of_draws(self, rows: Microdata, draws: Numbers, share: float = 1.0) -> Numbers:
        """Return values for records with the residuals that their draws become."""
        model = self.model
        made = np.empty((len(rows), len(model.names)))
        plain = model.noise_root()
        is_complete = complete_rows(rows.matrix(model.names))
        with one_thread():
            for at, terms in _terms(model.design, rows):
                noise = draws[at] @ plain
                if self.explained is not None:
                    rest = draws[at] - self.explained.of_terms(terms)
                    noise = np.where(is_complete[at, None], rest @ self.turn, noise)
                made[at] = model.centre + model.linear.of_terms(terms) + share * noise
        return made


@dataclass(frozen=True, eq=False)
class DrawnGiven:
    """The treated columns of any rows of a file, drawn given the others; gaps stay.

    `whole` are the columns that hold whole numbers only, if these are to be rounded.
    """

    residuals: Residuals
    share: float
    whole: frozenset[str] | None

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        """Return the columns of rows, from row `first` on."""
        model = self.residuals.model
        made = self.residuals.drawn(rows, context, first, self.share)
        made[np.isnan(rows.matrix(model.names))] = np.nan
        return numbers_rounded(rows, model.names, made, self.whole)


def drawn_scores(
    residuals: Residuals, context: Context, rows: Microdata, first: int
) -> list[Column]:
    """Return columns drawn for rows from row `first` on; gaps stay."""
    return DrawnGiven(residuals, 1.0, None)(rows, context, first)


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
    """Return what the owner should know: columns nearly disclosed, and columns left out."""
    notes = [
        f"{100 * share:.1f} % of '{name}' is explained by the columns that it is regressed on: its "
        "released values are close to the original ones"
        for name, share in zip(names, model.linear.explained, strict=True)
        if share > EXPLAINED
    ]
    if model.design.left_out:
        left_out = ", ".join(model.design.left_out)
        notes.append(f"not regressed on, because they have too many categories: {left_out}")
    return notes


def _complete(
    design: DesignMatrix, names: Sequence[str], centre: Numbers, rows: Microdata
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield terms and centred values of the complete records, block by block."""
    values = rows.matrix(names) - centre
    is_complete = complete_rows(values)
    for at, terms in _terms(design, rows):
        yield terms[is_complete[at]], values[at][is_complete[at]]


def complete_rows(values: Numbers) -> NDArray[np.bool_]:
    """Return which rows have no missing value.

    >>> complete_rows(np.array([[1.0, 2.0], [np.nan, 3.0]]))
    array([ True, False])
    """
    return np.asarray(~np.isnan(values).any(axis=1))


def _terms(design: DesignMatrix, rows: Microdata) -> Iterator[tuple[slice, Numbers]]:
    """Yield the terms of records in blocks, which are the same wherever the rows are read from."""
    for start in range(0, len(rows), BLOCK):
        at = slice(start, min(start + BLOCK, len(rows)))
        yield at, design.matrix(rows, at)


def _root(values: Numbers) -> Numbers:
    """Return the triangular R with RᵀR = valuesᵀ·values and a diagonal that is not negative."""
    root = np.asarray(np.linalg.qr(values, mode="r"))
    return root * np.where(np.diagonal(root) < 0, -1.0, 1.0)[:, None]
