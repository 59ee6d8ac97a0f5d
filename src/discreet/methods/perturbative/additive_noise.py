"""Additive noise: normal errors are added to continuous values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Columns,
    Context,
    Entries,
    Fitted,
    InMemory,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    in_stretches,
    param,
    whole_columns,
)
from discreet.contracts.passes import once_of
from discreet.errors import UsageError
from discreet.methods.perturbative.stated_moments import (
    MOST_COLUMNS,
    covariance_entries,
    mean_entries,
    stated_covariance,
    stated_means,
)
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.numeric_coding import numbers_rounded
from discreet.models.moments import covariance, covariance_of, means, means_of


class AdditiveNoise(Method):
    """Adds normal noise with mean zero, whose variance is a stated share of each column's.

    Uncorrelated noise has covariance α·diag(Σ), correlated noise αΣ, with Σ the covariance matrix
    of the columns: correlated noise leaves correlations as they were in expectation, and both raise
    every variance by the factor 1 + α. The linear variant (Kim) adds correlated noise and then
    shrinks the values towards the mean by the factor 1/√(1 + α), so that the covariance matrix of
    the release is on average that of the original.

    Means and covariances of a part of the file are changed by that factor. Users who know it can
    correct for it, and intruders who know it know the size of the noise; with the linear variant
    `reveal` says whether α is published.

    >>> import discreet
    >>> data = discreet.read({"income": [1800.0, 2400.0, 3100.0]},
    ...                      roles={"income": "quasi-identifier"})
    >>> masked = AdditiveNoise(alpha=0.1).protect(data, Context()).data
    >>> bool((masked["income"] != data["income"]).all())
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="additive-noise",
        title="Additive noise",
        citation="Domingo-Ferrer, A survey of inference control methods, §2, additive noise; Kim "
        "(1986) for the linear transformation",
        missing="a missing value stays missing; covariances are taken over the pairs present",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="x′ = x + ε,  ε ~ N(0, α·diag Σ) or N(0, αΣ)\n"
        "linear: x′ = x̄ + (x − x̄ + ε)/√(1 + α)",
        cost="n·c² time, memory n·c",
        needs=Needs.ROWS,
    )

    alpha: float = param(
        default=0.1,
        help="variance of the noise as a share of the column's variance, in all variants: 0.1 "
        "adds a tenth of the variance, so noise with 0.32 of the standard deviation",
        above=0,
        trials=(0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0),
        monotone=True,
        public="publishes_alpha",
    )
    variant: str = param(
        default="correlated",
        help="correlated keeps correlations in expectation, uncorrelated weakens them, linear "
        "keeps correlations and variances in expectation",
        choices=("correlated", "uncorrelated", "linear"),
        trials=("correlated", "uncorrelated", "linear"),
    )
    reveal: bool = param(
        default=False,
        help="publish alpha where the variant is linear, so that users of the data can "
        "correct figures of subpopulations; in the other variants it is always published",
    )
    round: bool = param(
        default=False,
        help="round the released values of columns that hold whole numbers only, or whole days",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    covariances: Entries = param(
        default=None,
        kw_only=True,
        help="the covariances Σ by which noise is drawn, in place of those of the file, as a "
        "frozen plan states them: for each column its variance and the covariances with others, "
        "in the columns' units (days for dates)",
    )
    means: Entries = param(
        default=None,
        kw_only=True,
        help="the means towards which the linear variant shrinks values, in place of those of "
        "the file; needed where covariances are stated",
    )

    @property
    def anew(self) -> str:
        """Nothing if covariances are stated, apart from what rounding needs to know."""
        if self.covariances is None:
            return "means and covariances" if self.variant == "linear" else "covariances"
        return "which columns hold whole numbers" if self.round else ""

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with noise added to the treated columns."""
        fitted = self.fit(InMemory(data), context)
        assert isinstance(fitted.treat, _Noise)
        table = data.replace(fitted.treat(data, context, 0))
        return Masked(table, notes=fitted.notes, chosen=self._settled(fitted.treat, data))

    def _settled(self, noise: _Noise, head: Microdata) -> tuple[AdditiveNoise, ...]:
        """Return the method with its moments stated; nothing where a column has none."""
        names, centre = noise.names, noise.centre
        if len(names) > MOST_COLUMNS or (centre is not None and np.isnan(centre).any()):
            return ()
        settled = AdditiveNoise(
            alpha=self.alpha,
            variant=self.variant,
            reveal=self.reveal,
            round=self.round,
            columns=names,
            covariances=covariance_entries(noise.sigma, head, names),
            means=None if centre is None else mean_entries(centre, head, names),
        )
        return (settled,)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Take means and covariances of the whole file; noise is then added to any rows."""
        names, owner = self.treated(file.head, self.columns), type(self).__name__

        def pieces() -> Iterator[Numbers]:
            first = 0
            for piece in file.pieces(names):
                self.refuse_infinite(piece, names, first)
                first += len(piece)
                yield piece.matrix(names)

        linear, centre = self.variant == "linear", None
        if self.covariances is None:
            sigma = once_of(file, "covariances", lambda: covariance_of(pieces, len(names)), names)
            if linear:
                centre = once_of(file, "means", lambda: means_of(pieces, len(names)), names)
        else:
            sigma = stated_covariance(self.covariances, file.head, names, owner)
            centre = stated_means(self.means, file.head, names, owner) if linear else None
            for _ in pieces():
                pass  # infinite values are refused on the way
        if self.means is not None and (self.covariances is None or not linear):
            raise UsageError(
                f"means of {owner} are for the variant linear with covariances, but "
                f"{'no covariances were stated' if linear else f'it is {self.variant}'}; leave "
                "them out"
            )
        root = root_of(sigma, self.alpha, self.variant != "uncorrelated")
        whole = whole_columns(file, names) if self.round else None
        notes = (factor_note(self.alpha, self.reveal),) if linear else ()
        return Fitted(names, _Noise(self, names, sigma, root, centre, whole), notes=notes)

    @property
    def publishes_alpha(self) -> bool:
        """Whether the amount of noise is published."""
        return self.reveal or self.variant != "linear"


@dataclass(frozen=True, eq=False)
class _Noise:
    """Noise for any rows of a file, by what was learned from the whole.

    `whole` are the columns that hold whole numbers only, if these are to be rounded.
    """

    method: AdditiveNoise
    names: tuple[str, ...]
    sigma: Numbers
    root: Numbers
    centre: Numbers | None
    whole: frozenset[str] | None

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        values = rows.matrix(self.names)
        noise = in_stretches(context, "noise", first, len(values), self._drawn)
        if self.centre is None:
            released = noise
            released += values
        else:
            released = drawn_in(values, noise, self.method.alpha, self.centre)
        return numbers_rounded(rows, self.names, released, self.whole)

    def _drawn(self, generator: np.random.Generator, rows: int) -> Numbers:
        return np.asarray(generator.standard_normal((rows, len(self.names))) @ self.root.T)


def normal_noise(
    values: Numbers, alpha: float, generator: np.random.Generator, correlated: bool
) -> Numbers:
    """Return noise N(0, αΣ), or N(0, α·diag(Σ)) if uncorrelated, Σ the covariance of the values.

    >>> values = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    >>> normal_noise(values, 0.1, np.random.default_rng(1), correlated=True)[:, 1]
    array([0., 0., 0.])
    """
    root = noise_root(values, alpha, correlated)
    return np.asarray(generator.standard_normal(values.shape) @ root.T)


def noise_root(values: Numbers, alpha: float, correlated: bool) -> Numbers:
    """Return R with RRᵀ = αΣ, or α·diag(Σ) if uncorrelated, Σ the covariance of the values.

    >>> noise_root(np.array([[1.0], [2.0], [4.0]]), 0.3, correlated=True).round(3)
    array([[0.837]])
    """
    return root_of(covariance(values), alpha, correlated)


def root_of(sigma: Numbers, alpha: float, correlated: bool) -> Numbers:
    """Return R with RRᵀ = αΣ, or α·diag(Σ) if uncorrelated.

    >>> root_of(np.array([[4.0]]), 0.25, correlated=True)
    array([[1.]])
    """
    deviations = np.sqrt(np.diag(sigma))
    if not correlated:
        return np.asarray(np.diag(np.sqrt(alpha) * deviations))
    # The root is that of correlations: in the covariances of columns with very different units
    # (days beside microseconds) the smaller ones would be lost in rounding. Pairwise figures of
    # columns with gaps need not be a covariance matrix; the negative part that they may have is
    # left out.
    units = np.where(deviations > 0, deviations, 1.0)
    eigenvalues, vectors = np.linalg.eigh(alpha * sigma / np.outer(units, units))
    return np.asarray(units[:, None] * vectors * np.sqrt(np.maximum(eigenvalues, 0)))


def drawn_in(
    values: Numbers, noise: Numbers, share: float, centre: Numbers | None = None
) -> Numbers:
    """Return x̄ + (x − x̄ + e)/√(1 + c) for noise e with covariance cΣ.

    Kim's linear transformation, and eq. 10 of Oganian & Domingo-Ferrer (2017): the mean and the
    covariance matrix are on average those of the values, and exactly if the noise has exactly its
    covariance matrix and none with the values. x̄ is `centre`, by default the mean of the values.

    >>> drawn_in(np.array([[1.0], [3.0]]), np.array([[1.0], [-1.0]]), 3.0)
    array([[2.],
           [2.]])
    """
    if centre is None:
        centre = means(values)
    return np.asarray(centre + (values - centre + noise) / math.sqrt(1 + share))


def factor_note(share: float, reveal: bool) -> str:
    """Return the note on the factor of `drawn_in`, and on whether it is published.

    >>> factor_note(0.15, reveal=False)[:62]
    'values with noise were shrunk towards the mean by the factor 0'
    """
    return (
        "values with noise were shrunk towards the mean by the factor "
        f"{1 / math.sqrt(1 + share):.6f}; it is {'' if reveal else 'not '}revealed to the users of "
        "the data"
    )
