"""A latent class regression model: priors, probabilities of categories, likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.latent_class.prior import priors, priors_at, row_maximum, row_sum

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Responses:
    """The categories Y_ij of each record in each attribute, as codes from 0.

    >>> y = Responses(np.array([[0, 1], [1, 1]]), (2, 3))
    >>> y.indicators.toarray().astype(int)   # Y_ijc
    array([[1, 0, 0, 1, 0],
           [0, 1, 0, 1, 0]])
    """

    codes: Codes
    sizes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def starts(self) -> list[int]:
        """Where the categories of each attribute start among all."""
        return [0, *np.cumsum(self.sizes).tolist()]

    @cached_property
    def indicators(self) -> Any:
        """Y_ijc as a sparse matrix: one row per record, one column per category."""
        from scipy.sparse import csr_array

        rows, attributes = self.codes.shape
        columns = (self.codes + np.array(self.starts[:-1])).ravel()
        ends = np.arange(0, rows * attributes + 1, attributes)
        return csr_array((np.ones(rows * attributes), columns, ends), (rows, sum(self.sizes)))

    @cached_property
    def members(self) -> Any:
        """The same with one row per category, and one column per record."""
        return self.indicators.T.tocsr()

    def take(self, rows: NDArray[np.int64]) -> Responses:
        """Return the responses of these records."""
        return Responses(self.codes[rows], self.sizes)


@dataclass(frozen=True, eq=False)
class LatentClassModel:
    """The parameters of a latent class regression and how well they fit.

    `coefficients` are those of the multinomial logit, one column per class but the first;
    `probabilities` holds π_jcg, all categories of all attributes one under the other, with a
    column per class. `log_likelihood` is eq. 12 at these parameters; `path` its values on the way.

    >>> model = LatentClassModel(np.zeros((1, 1)), np.array([[0.9, 0.2], [0.1, 0.8]]), (2,))
    >>> y = Responses(np.array([[0], [1]]), (2,))
    >>> model.posteriors(np.ones((2, 1)), y).round(4)
    array([[0.8182, 0.1818],
           [0.1111, 0.8889]])
    """

    coefficients: Numbers
    probabilities: Numbers
    sizes: tuple[int, ...]
    log_likelihood: float = np.nan
    records: int = 0
    settled: bool = False
    floored: bool = False
    path: tuple[float, ...] = ()
    prevalence: Numbers | None = None

    @property
    def classes(self) -> int:
        """G, the number of classes."""
        return int(self.probabilities.shape[1])

    @property
    def free(self) -> int:
        """ν, the number of independent parameters; a category that never occurs has none."""
        logit = len(self.coefficients) * (self.classes - 1)
        occurring = self.probabilities.max(axis=1) > 0
        return logit + self.classes * (int(occurring.sum()) - len(self.sizes))

    @property
    def bic(self) -> float:
        """2 ln L − ν ln n (eq. 6): the larger, the better."""
        return 2 * self.log_likelihood - self.free * float(np.log(max(self.records, 1)))

    def priors(self, regressors: Numbers) -> Numbers:
        """Return p_g(x) for every record and class."""
        return priors(regressors, self.coefficients)

    def table(self, attribute: int) -> Numbers:
        """Return π_jcg of one attribute: a row per category, a column per class."""
        start = sum(self.sizes[:attribute])
        return self.probabilities[start : start + self.sizes[attribute]]

    def log_joint(
        self, regressors: Numbers, responses: Responses, logs: Numbers | None = None
    ) -> Numbers:
        """Return ln [p_g(x_i) Π_j Π_c π_jcg^Y_ijc] for every record and class.

        `logs` are ln p_g(x_i), where they are known already.
        """
        with np.errstate(divide="ignore"):
            joint = responses.indicators @ np.log(self.probabilities)
        joint += priors_at(regressors, self.coefficients).logs if logs is None else logs
        return np.asarray(joint)

    def posteriors(self, regressors: Numbers, responses: Responses) -> Numbers:
        """Return z_ig, the probability of each class given all attributes of the record.

        A record with a category that no class has is classified by its continuous attributes alone.
        """
        joint = self.log_joint(regressors, responses)
        total = log_sum(joint)
        lost = ~np.isfinite(total)
        if lost.any():
            joint[lost] = priors_at(regressors[lost], self.coefficients).logs
            total = log_sum(joint)
        return np.asarray(np.exp(joint - total[:, None]))

    def draw(self, regressors: Numbers, generator: np.random.Generator) -> Codes:
        """Draw categories: the class of each record from its priors, then each attribute.

        >>> model = LatentClassModel(np.zeros((1, 1)), np.array([[1.0, 0.0], [0.0, 1.0]]), (2,))
        >>> sorted(set(model.draw(np.ones((50, 1)), np.random.default_rng(1)).ravel().tolist()))
        [0, 1]
        """
        given = draw_rows(self.priors(regressors), generator.random(len(regressors)))
        drawn = np.empty((len(regressors), len(self.sizes)), dtype=np.int64)
        for j in range(len(self.sizes)):
            cumulated = np.cumsum(self.table(j), axis=0)
            levels = generator.random(len(regressors))
            for g in range(self.classes):
                members = np.flatnonzero(given == g)
                drawn[members, j] = _categories(cumulated[:, g], levels[members])
        return drawn


def log_sum(logs: Numbers) -> Numbers:
    """Return ln Σ_g exp of each row; −∞ where all its entries are."""
    top = row_maximum(logs)
    shift = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(row_sum(np.exp(logs - shift[:, None]))))


def draw_rows(probabilities: Numbers, levels: Numbers) -> Codes:
    """Return a column for every row, chosen by its probabilities at a level from [0, 1).

    >>> draw_rows(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0.2, 0.0]))
    array([0, 1])
    """
    cumulated = np.cumsum(probabilities, axis=1)
    chosen = (cumulated <= (levels * cumulated[:, -1])[:, None]).sum(axis=1)
    return np.asarray(np.minimum(chosen, probabilities.shape[1] - 1), dtype=np.int64)


def _categories(cumulated: Numbers, levels: Numbers) -> Codes:
    chosen = np.searchsorted(cumulated, levels * cumulated[-1], side="right")
    return np.asarray(np.minimum(chosen, len(cumulated) - 1), dtype=np.int64)


def conditional(responses: Responses, shares: Numbers) -> Numbers:
    """Return π_jcg from the records' shares in the classes: weighted shares of the categories.

    >>> y = Responses(np.array([[0], [1], [1]]), (2,))
    >>> conditional(y, np.array([[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]))
    array([[0.5, 0. ],
           [0.5, 1. ]])
    """
    counts = np.asarray(responses.members @ shares)
    totals = shares.sum(axis=0)
    return counts / np.where(totals > 0, totals, 1.0)
