"""Simple intruders who learn, with scikit-learn and plain loops, and nothing of the package.

What a release claims about intruders who learn is never less than what these reach, but for chance:
two trees that are grown by the same rule differ where two cuts are about as good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = Mapping[str, NDArray[Any]]
"""Columns of numbers or of texts, all of one length, none missing."""
LEAF = 20
"""Released records in a leaf, as `leaf` of the attacks is by default."""


def predictors(table: Table, known: Sequence[str], levels: Table) -> NDArray[np.float64]:
    """Return numbers as they are, and an indicator for each level of the texts."""
    columns = []
    for name in known:
        if table[name].dtype.kind in "fiu":
            columns.append(np.asarray(table[name], dtype=np.float64)[:, np.newaxis])
        else:
            columns.append((table[name][:, np.newaxis] == levels[name][np.newaxis]).astype(float))
    return np.hstack(columns)


def classes_guessed(original: Table, released: Table, known: Sequence[str], told: str) -> float:
    """Return how many more classes a tree guesses right than the most frequent class does.

    It learns from the release and guesses by what is known of the people of the original.
    """
    from sklearn.tree import DecisionTreeClassifier

    levels = _levels(original, released, known)
    tree = DecisionTreeClassifier(min_samples_leaf=LEAF, random_state=0)
    tree.fit(predictors(released, known, levels), released[told])
    guessed = tree.predict(predictors(original, known, levels))
    classes, counts = np.unique(released[told], return_counts=True)
    usual = classes[counts.argmax()]
    return float(np.mean(guessed == original[told]) - np.mean(original[told] == usual))


def error_removed(original: Table, released: Table, known: Sequence[str], told: str) -> float:
    """Return the share of the squared error of the mean that a tree removes."""
    from sklearn.tree import DecisionTreeRegressor

    levels = _levels(original, released, known)
    tree = DecisionTreeRegressor(min_samples_leaf=LEAF, random_state=0)
    tree.fit(predictors(released, known, levels), released[told])
    guessed = tree.predict(predictors(original, known, levels))
    blind = np.sum((original[told] - released[told].mean()) ** 2)
    return float(1 - np.sum((original[told] - guessed) ** 2) / blind)


def _levels(original: Table, released: Table, known: Sequence[str]) -> dict[str, NDArray[Any]]:
    return {
        name: np.unique(np.concatenate([original[name], released[name]]))
        for name in known
        if original[name].dtype.kind not in "fiu"
    }


@dataclass(frozen=True)
class Linked:
    """A release and which row of the original each of its records came from."""

    released: Table
    origin: NDArray[np.int64]


def linked_by_weights(
    original: Table, release: Linked, imitated: Linked, known: Sequence[str]
) -> float:
    """Return the share of records linked by one who weighs each column's difference.

    He learns the weights (logistic regression) from a run of the method of his own, `imitated`, in
    which he knows who is who, and links each released record to the likeliest original.
    """
    from sklearn.linear_model import LogisticRegression

    size = len(imitated.origin)
    own = np.arange(size), imitated.origin
    learnt = _differences(original, imitated.released, known)
    rng = np.random.default_rng(0)
    others = np.tile(np.arange(size), 3), rng.integers(0, learnt.shape[1], 3 * size)
    pairs = np.vstack([learnt[own], learnt[others]])
    same = np.concatenate([np.ones(size), (others[1] == imitated.origin[others[0]]).astype(float)])
    model = LogisticRegression(max_iter=500).fit(pairs, same)
    scores = np.round(_differences(original, release.released, known) @ model.coef_[0], 9)
    best = scores.max(axis=1, keepdims=True)
    right = scores[np.arange(len(scores)), release.origin] == best[:, 0]
    return float(np.mean(right / (scores == best).sum(axis=1)))


def linked_by_equality(original: Table, release: Linked, known: Sequence[str]) -> float:
    """Return the share of records linked by one who looks for equal records only."""
    rows = list(zip(*(original[name].tolist() for name in known), strict=True))
    places: dict[tuple[Any, ...], list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row, []).append(place)
    total = 0.0
    released = zip(*(release.released[name].tolist() for name in known), strict=True)
    for row, own in zip(released, release.origin.tolist(), strict=True):
        alike = places.get(row, [])
        total += own in alike and 1 / len(alike)
    return total / len(release.origin)


def _differences(original: Table, released: Table, known: Sequence[str]) -> NDArray[np.float64]:
    """Return how far each released record is from each original, column by column."""
    found = []
    for name in known:
        one, other = released[name][:, np.newaxis], original[name][np.newaxis]
        if original[name].dtype.kind in "fiu":
            apart = np.abs(one - other) / (original[name].std() or 1.0)
            found += [np.minimum(apart, 4.0), np.minimum(apart, 1.0)]
        else:
            found.append((one != other).astype(np.float64))
    return np.stack(found, axis=-1)
