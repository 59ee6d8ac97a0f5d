"""Dependency between attributes: entropies, the best dependency tree, and its key attributes.

The definitions are those of Sun, Wang, Li & Zhang, An approximate microaggregation approach for
microdata protection (2012), §3. Entropies are in bits. They are taken of codes, whole numbers from
0; `coded` makes these of a column, in which a missing value is a category of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Microdata
from discreet.microdata.equivalence import coded as numbers_coded
from discreet.microdata.equivalence import numbered

Codes = NDArray[np.int64]

MOST_BINS = 32
FEWEST = 3
"""A tree of fewer attributes has nothing to choose from: all of them are key attributes."""
MOST_SHOWN = 50
"""A tree of more attributes than this cannot be read as a picture."""
_SAME = 9
"""Measures that agree to this many decimals are equal; further differences are rounding."""


@dataclass(frozen=True, eq=False)
class DependencyTree:
    """The best dependency tree of some attributes, and the key attributes that it yields.

    `matrix` is the dependency matrix (Definition 3), `edges` the tree's edges with their mutual
    information measure in the order in which they were added, `degrees` the number of edges at
    each attribute (Definition 4), and `key` the key attributes, highest degree first
    (Definition 5). `bins` says into how many quantile bins an attribute was cut before its
    entropy was taken; None where its values were used as they are.
    """

    names: tuple[str, ...]
    matrix: NDArray[np.float64]
    edges: tuple[tuple[str, str, float], ...]
    degrees: tuple[int, ...]
    key: tuple[str, ...]
    bins: tuple[int | None, ...]

    def walk(self) -> Iterator[tuple[str, int, float | None]]:
        """Yield each attribute after its parent: name, depth, measure of the edge between them.

        The root is in the middle of the tree, so that no branch is longer than it must be.
        """
        near: dict[str, list[tuple[str, float]]] = {name: [] for name in self.names}
        for first, second, weight in self.edges:
            near[first].append((second, weight))
            near[second].append((first, weight))
        waiting: list[tuple[str, int, float | None]] = (
            [(_middle(near), 0, None)] if self.names else []
        )
        seen = {name for name, _, _ in waiting}
        while waiting:
            name, depth, measure = waiting.pop()
            yield name, depth, measure
            # The closest comes first: what is pushed last is popped first.
            for neighbour, weight in sorted(near[name], key=_by_measure)[::-1]:
                if neighbour not in seen:
                    seen.add(neighbour)
                    waiting.append((neighbour, depth + 1, weight))

    def __repr__(self) -> str:
        lines = []
        for name, depth, measure in self.walk():
            mark = " *" if name in self.key else ""
            weight = "" if measure is None else f"  {measure:.4f}"
            lines.append(f"{'  ' * depth}{name}{mark}{weight}")
        return "\n".join(lines)


def _by_measure(edge: tuple[str, float]) -> float:
    return round(edge[1], _SAME)


def entropy(*columns: Codes) -> float:
    """Return the entropy H of one column of codes, or the joint entropy of several (§3.1).

    >>> entropy(np.array([0, 0, 1, 1])), entropy(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    (1.0, 2.0)
    """
    joint = columns[0]
    for column in columns[1:]:
        joint = joint * (int(column.max(initial=0)) + 1) + column
        if len(columns) > 2:
            joint = np.unique(joint, return_inverse=True)[1]
    return _entropy(joint, int(joint.max(initial=-1)) + 1)


def conditional_entropy(column: Codes, given: Codes) -> float:
    """Return H(column | given) = H(column, given) − H(given) (Proposition 1).

    The paper's example subtracts the entropy of the other column, which is a slip.

    >>> conditional_entropy(np.array([0, 1, 2, 3]), given=np.array([0, 0, 1, 1]))
    1.0
    """
    return max(0.0, entropy(column, given) - entropy(given))


def _entropy(codes: NDArray[np.int64], possible: int) -> float:
    n = len(codes)
    if not n:
        return 0.0
    if possible <= 4 * n + 1024:
        counts = np.bincount(codes, minlength=1)
        counts = counts[counts > 0]
    else:
        counts = np.unique(codes, return_counts=True)[1]
    # In order of size, so that equal counts give the same sum to the last bit: two one-to-one
    # columns have a measure of exactly 0.
    counts.sort()
    return float(max(0.0, np.log2(n) - (counts * np.log2(counts)).sum() / n))


def coded(column: Column) -> tuple[Codes, int | None]:
    """Return a column's values as codes, and the number of bins if it had to be cut into some.

    Entropy needs categories. Numbers are cut into min(32, distinct values, ⌊√n⌋) quantile bins;
    numbers of no more different values than that are used as they are, like ordinal and nominal
    values. Equal numbers are never separated, so that many ties give fewer bins.

    >>> import discreet
    >>> data = discreet.read({"size": [1.5, 7.0, 2.5, 9.0, None], "sex": [1, 2, 1, 2, 2]})
    >>> coded(data.column("size"))
    (array([1, 2, 1, 2, 0]), 2)
    >>> coded(data.column("sex"))
    (array([1, 2, 1, 2, 2]), None)
    """
    missing = column.missing
    if not column.attribute.continuous:
        return column.values.astype(np.int64) + 1, None
    codes = np.zeros(len(missing), dtype=np.int64)
    present = column.values[~missing]
    places, distinct = numbers_coded(present)
    counts = np.bincount(places, minlength=len(distinct))
    bins = min(MOST_BINS, len(distinct), isqrt(len(missing)))
    if bins == len(distinct):
        codes[~missing] = places + 1
        return codes, None
    below = np.cumsum(counts) - counts
    bin_of = np.unique(below * bins // len(present), return_inverse=True)[1]
    codes[~missing] = bin_of[places] + 1
    return codes, int(bin_of[-1]) + 1


def dependency_matrix(columns: Sequence[Codes], normalised: bool = False) -> NDArray[np.float64]:
    """Return the mutual information measure of every pair of columns (Definition 3).

    MI(A, B) = H(A | B) + H(B | A) (Definition 2): a metric, 0 if A and B are one-to-one. It is
    known as variation of information; the name is the paper's. The smaller it is, the more the two
    depend on each other, but also the less there is to know about them: attributes of few values
    are near to all others. If `normalised` it is divided by H(A, B), which takes that away: 0 for
    one-to-one, 1 for independent attributes.

    >>> pair = [np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])]
    >>> dependency_matrix(pair)
    array([[0., 2.],
           [2., 0.]])
    >>> dependency_matrix(pair, normalised=True)
    array([[0., 1.],
           [1., 0.]])
    """
    m = len(columns)
    # Only codes that occur count, or a column of many unused categories makes the joint table wide.
    occurring = [_occurring(codes) for codes in columns]
    used, sizes = [codes for codes, _ in occurring], [size for _, size in occurring]
    alone = [_entropy(codes, size) for codes, size in zip(used, sizes, strict=True)]
    matrix = np.zeros((m, m))
    for i in range(m):
        for j in range(i + 1, m):
            joint = _entropy(used[i] * sizes[j] + used[j], sizes[i] * sizes[j])
            apart = max(0.0, 2 * joint - alone[i] - alone[j])
            # Two constant columns have no entropy at all, and tell all of each other.
            matrix[i, j] = matrix[j, i] = apart / joint if normalised and joint > 0 else apart
    return matrix


def _occurring(codes: Codes) -> tuple[Codes, int]:
    """Return the place of each code among those that occur, and how many do."""
    least = int(codes.min(initial=0))
    return numbered(codes.astype(np.int64) - least, int(codes.max(initial=0)) - least + 1)


def best_dependency_tree(matrix: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the edges of the minimum spanning tree, by Kruskal's algorithm (Algorithm 1).

    Among edges of equal weight the first attributes come first.

    >>> best_dependency_tree(np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [2.0, 2.0, 0.0]]))
    [(0, 1), (0, 2)]
    """
    tree_of = list(range(len(matrix)))
    first, second = np.triu_indices(len(matrix), 1)
    edges = []
    # A stable sort leaves equal weights in the order of the attributes.
    for at in np.argsort(np.round(matrix[first, second], _SAME), kind="stable"):
        i, j = int(first[at]), int(second[at])
        if tree_of[i] != tree_of[j]:
            edges.append((i, j))
            joined, gone = tree_of[i], tree_of[j]
            tree_of = [joined if tree == gone else tree for tree in tree_of]
    return edges


def key_attributes(degrees: Sequence[int]) -> list[int]:
    """Return the attributes of highest degree until the degrees add up to m (Definition 5).

    Among attributes of equal degree the first comes first.

    >>> key_attributes([1, 3, 3, 1, 1, 1])
    [1, 2]
    """
    key: list[int] = []
    reached = 0
    for attribute in sorted(range(len(degrees)), key=lambda i: -degrees[i]):
        if reached >= len(degrees):
            break
        key.append(attribute)
        reached += degrees[attribute]
    return key


def dependency_tree(
    data: Microdata, columns: Sequence[str], normalised: bool = False
) -> DependencyTree:
    """Return the best dependency tree of some columns, with its key attributes.

    `normalised` is whether the measure is divided by the joint entropy.

    >>> import discreet
    >>> data = discreet.read({"town": ["a", "a", "b", "b"], "area": [1, 1, 2, 2],
    ...                       "sex": ["f", "m", "f", "m"]})
    >>> tree = dependency_tree(data, ["town", "area", "sex"])
    >>> tree.key
    ('town', 'area')
    >>> tree
    town *
      area *  0.0000
      sex  2.0000
    """
    names = tuple(dict.fromkeys(columns))
    columns_coded = [coded(data.column(name)) for name in names]
    matrix = dependency_matrix([codes for codes, _ in columns_coded], normalised)
    edges = best_dependency_tree(matrix)
    degrees = [0] * len(names)
    for edge in edges:
        for end in edge:
            degrees[end] += 1
    matrix.flags.writeable = False
    return DependencyTree(
        names=names,
        matrix=matrix,
        edges=tuple((names[i], names[j], float(matrix[i, j])) for i, j in edges),
        degrees=tuple(degrees),
        key=tuple(names[i] for i in key_attributes(degrees)),
        bins=tuple(bins for _, bins in columns_coded),
    )


def shown_tree(data: Microdata, columns: Sequence[str]) -> DependencyTree | None:
    """Return the dependency tree of the first fifty columns; None of fewer than three.

    >>> import discreet
    >>> shown_tree(discreet.read({"age": [1, 2], "sex": [1, 2]}), ["age", "sex"]) is None
    True
    """
    return dependency_tree(data, columns[:MOST_SHOWN]) if len(columns) >= FEWEST else None


def _middle(near: dict[str, list[tuple[str, float]]]) -> str:
    """Return the attribute with the shortest way to the farthest other one, by degree if tied."""

    def reach(start: str) -> int:
        level, seen, steps = [start], {start}, 0
        while level:
            level = [other for name in level for other, _ in near[name] if other not in seen]
            seen.update(level)
            steps += 1
        return steps

    return min(near, key=lambda name: (reach(name), -len(near[name])))
