"""Δ-digression: how far the responses in a node are from those of the whole file.

Li & Sarkar, Protecting privacy against regression attacks in predictive data mining,
Definitions 1 to 5 and eq. 9. For categorical responses the divergence of the class counts,
X²(t) = Σ_k (n_tk − n_t·N_k/N)² / (n_t·N_k/N) (Li & Sarkar 2013, eq. 13), replaces the
digression: it too is 0 at the root and does not fall in sum when a node is cut. Its distribution
under no difference is chi-squared with C − 1 degrees of freedom, which gives the p-value. Both
p-values can be those of permutation instead (permutation.py).

With responses of both kinds the digressions are added, each as a share of the largest that it can
be (the determinant of the whole scatter matrix; N·(C − 1)), and the smallest p-value counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.regression_tree.likelihood_ratio import (
    likelihood_ratio,
    likelihood_ratio_p,
    upper_tail,
)
from discreet.models.regression_tree.permutation import (
    Lots,
    permuted_covariance_p,
    permuted_divergence_p,
)
from discreet.models.regression_tree.tree import Tree

DEPENDENT = 1e-10
"""A response whose variance is explained by others up to this share depends on them."""


@dataclass(frozen=True, eq=False)
class NodeMeasures:
    """The quantities of Definitions 1 to 5 and eq. 9 for each node of a tree.

    `error` is e(t), `branch_error` e(B_t), `digression` Δ(t), `branch_digression` Δ(B_t), and
    `p_value` that of the likelihood ratio test. For a leaf the branch is the node itself.
    `dropped` are the responses that are constant or depend on others, which Δ and L leave out.
    """

    error: Numbers
    branch_error: Numbers
    digression: Numbers
    branch_digression: Numbers
    p_value: Numbers
    dropped: tuple[str, ...]

    @property
    def ratio(self) -> Numbers:
        """The error-digression ratio q_t of each inner node (eq. 8), infinite for a leaf."""
        return error_digression(
            self.error, self.branch_error, self.digression, self.branch_digression
        )


def error_digression(
    error: Numbers, branch_error: Numbers, digression: Numbers, branch_digression: Numbers
) -> Numbers:
    """Return q_t = (e(t) − e(B_t)) / (Δ(B_t) − Δ(t)) (eq. 8); infinite where Δ does not fall.

    >>> ones = np.ones(1)
    >>> error_digression(3 * ones, 2 * ones, ones, 5 * ones)
    array([0.25])
    """
    fall = np.asarray(branch_digression - digression, dtype=np.float64)
    gain = np.asarray(error - branch_error, dtype=np.float64)
    return np.divide(gain, fall, out=np.full_like(fall, np.inf), where=fall > 0)


def measure(tree: Tree, adjusted: bool = False, by_lot: Lots | None = None) -> NodeMeasures:
    """Return error, digression and p-value of every node.

    `adjusted` corrects the likelihood ratio statistic for small nodes (Morrison 1990, p. 292). With
    `by_lot` the p-values are those of permutations drawn by it; there is no adjustment then, since
    a statistic is only compared with others of its size.

    >>> import discreet
    >>> from discreet.models.regression_tree import grow
    >>> data = discreet.read({"age": [21, 23, 40, 46], "pay": [10, 20, 30, 50]})
    >>> measures = measure(grow(data, ["age"], ["pay"], k=2))
    >>> measures.error.round(4), measures.digression.round(4)   # one response: S − s(t)
    (array([0.5469, 0.0312, 0.125 ]), array([0.    , 0.5156, 0.4219]))
    """
    from discreet.kernels.regression_tree_scatter import branch_sums, node_scatters

    responses = tree.responses
    leaf = tree.column < 0
    _, scatters = node_scatters(
        responses.numbers, tree.rows, tree.parent, tree.start, tree.count, leaf
    )
    error = np.trace(scatters, axis1=1, axis2=2)
    kept = independent(scatters[0])
    both = bool(kept) and bool(responses.classes)
    digression = np.zeros(len(tree))
    p_value = np.ones(len(tree))
    if kept:
        kept_scatters = scatters[:, kept][:, :, kept]
        spread = np.linalg.det(kept_scatters[0])
        digression += np.linalg.det(kept_scatters[0] - kept_scatters) / (spread if both else 1.0)
        if by_lot is None:
            p_value = likelihood_ratio_p(kept_scatters, tree.count, adjusted)
        else:
            y = responses.numbers[:, kept]
            p_value = permuted_covariance_p(
                y, likelihood_ratio(kept_scatters, tree.count), tree.count, by_lot
            )
    for classes in responses.classes:
        gini, divergence, totals = _divergences(tree, classes)
        count = len(totals)
        error = error + gini
        if count > 1:
            digression += divergence / (len(classes) * (count - 1) if both else 1.0)
            p_value = np.minimum(
                p_value,
                upper_tail(count - 1, divergence)
                if by_lot is None
                else permuted_divergence_p(totals, divergence, tree.count, by_lot),
            )
    # At the root both are 0 by definition, whatever rounding leaves.
    digression[0], p_value[0] = 0.0, 1.0
    digression = np.maximum(digression, 0.0)
    branch_error = np.where(leaf, error, 0.0)
    branch_digression = np.where(leaf, digression, 0.0)
    branch_sums(tree.parent, branch_error)
    branch_sums(tree.parent, branch_digression)
    dropped = tuple(name for j, name in enumerate(responses.numeric) if j not in kept)
    return NodeMeasures(error, branch_error, digression, branch_digression, p_value, dropped)


def independent(scatter: Numbers) -> list[int]:
    """Return the first responses that do not depend linearly on those before them.

    >>> independent(np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 0.0]]))
    [0]
    """
    kept: list[int] = []
    for j, variance in enumerate(np.diag(scatter).tolist()):
        if variance <= 0:
            continue
        across = scatter[kept, j]
        explained = across @ np.linalg.solve(scatter[np.ix_(kept, kept)], across) if kept else 0.0
        if variance - explained > DEPENDENT * variance:
            kept.append(j)
    return kept


def _divergences(
    tree: Tree, classes: NDArray[np.int64]
) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
    """Return n_t times the Gini index, X², and the records of the file in each class."""
    ordered = classes[tree.rows]
    totals = np.bincount(classes)
    size, end = tree.count.astype(np.float64), tree.start + tree.count
    squares, divergence = np.zeros(len(tree)), np.zeros(len(tree))
    for k, total in enumerate(totals.tolist()):
        before = np.concatenate([[0], np.cumsum(ordered == k)])
        in_class = (before[end] - before[tree.start]).astype(np.float64)
        expected = size * (total / len(classes))
        squares += in_class**2
        divergence += (in_class - expected) ** 2 / expected
    return size - squares / size, divergence, totals
