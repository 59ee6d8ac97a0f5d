"""Scatter matrices of the nodes of a tree, from the leaves up.

The scatter of a node is that of its children and that of their means about its own:
S(t) = Σ_c S(c) + Σ_c n_c (ȳ_c − ȳ_t)(ȳ_c − ȳ_t)'. So nothing is lost to cancellation, however close
together the values of a node are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled


@compiled
def node_scatters(
    y: NDArray[np.float64],
    rows: NDArray[np.int64],
    parent: NDArray[np.int64],
    start: NDArray[np.int64],
    count: NDArray[np.int64],
    leaf: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean and the scatter matrix of each node; nodes are in preorder.

    >>> import numpy as np
    >>> y = np.array([[0.0], [1.0], [2.0]])
    >>> zero = np.zeros(1, dtype=np.int64)
    >>> means, scatters = node_scatters(y, np.arange(3), zero - 1, zero, zero + 3, zero == 0)
    >>> means.ravel(), scatters.ravel()
    (array([1.]), array([2.]))
    """
    r = y.shape[1]
    nodes = len(parent)
    means = np.zeros((nodes, r))
    scatters = np.zeros((nodes, r, r))
    for t in range(nodes - 1, -1, -1):
        if leaf[t]:
            for i in range(start[t], start[t] + count[t]):
                for j in range(r):
                    means[t, j] += y[rows[i], j]
            for j in range(r):
                means[t, j] /= count[t]
            for i in range(start[t], start[t] + count[t]):
                for j in range(r):
                    for m in range(r):
                        scatters[t, j, m] += (y[rows[i], j] - means[t, j]) * (
                            y[rows[i], m] - means[t, m]
                        )
        else:
            for j in range(r):
                means[t, j] /= count[t]
        if parent[t] >= 0:
            for j in range(r):
                means[parent[t], j] += count[t] * means[t, j]
    # Now that all means are known, each node adds its part to its parent, the lowest nodes first.
    for t in range(nodes - 1, 0, -1):
        above = parent[t]
        for j in range(r):
            for m in range(r):
                scatters[above, j, m] += scatters[t, j, m] + count[t] * (
                    means[t, j] - means[above, j]
                ) * (means[t, m] - means[above, m])
    return means, scatters


def branch_sums(parent: NDArray[np.int64], leaf_values: NDArray[np.float64]) -> None:
    """Write into each inner node the sum over the leaves below it; inner nodes are 0 at first."""
    above, values = parent.tolist(), leaf_values.tolist()
    for t in range(len(above) - 1, 0, -1):
        values[above[t]] += values[t]
    leaf_values[:] = values
