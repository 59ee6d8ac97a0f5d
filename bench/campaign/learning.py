"""Simple intruders who learn, with scikit-learn and plain loops, and nothing from the package.

What a release claims about intruders who learn is never less than what these achieve, except by
chance: two trees grown by the same rule differ where two cuts are about equally good.
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


def classes_guessed(original: Table, released: Table, known: Sequence[str], secret: str) -> float:
    """Return how many more classes a tree guesses right than the most frequent class does.

    It learns from the release and guesses from what is known about the people of the original.
    """
    from sklearn.tree import DecisionTreeClassifier

    levels = _levels(original, released, known)
    tree = DecisionTreeClassifier(min_samples_leaf=LEAF, random_state=0)
    tree.fit(predictors(released, known, levels), released[secret])
    guessed = tree.predict(predictors(original, known, levels))
    classes, counts = np.unique(released[secret], return_counts=True)
    usual = classes[counts.argmax()]
    return float(np.mean(guessed == original[secret]) - np.mean(original[secret] == usual))


def error_removed(original: Table, released: Table, known: Sequence[str], secret: str) -> float:
    """Return the share of the squared error of the mean that a tree removes."""
    from sklearn.tree import DecisionTreeRegressor

    levels = _levels(original, released, known)
    tree = DecisionTreeRegressor(min_samples_leaf=LEAF, random_state=0)
    tree.fit(predictors(released, known, levels), released[secret])
    guessed = tree.predict(predictors(original, known, levels))
    blind = np.sum((original[secret] - released[secret].mean()) ** 2)
    return float(1 - np.sum((original[secret] - guessed) ** 2) / blind)


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
    """Return the share of records linked by an intruder who weights each column's difference.

    The weights are learned (logistic regression) from the intruder's own run of the method,
    `imitated`, in which it is known who is who; each released record is linked to the likeliest
    original.
    """
    from sklearn.linear_model import LogisticRegression

    size = len(imitated.origin)
    true_pairs = np.arange(size), imitated.origin
    learnt = _differences(original, imitated.released, known)
    rng = np.random.default_rng(0)
    others = np.tile(np.arange(size), 3), rng.integers(0, learnt.shape[1], 3 * size)
    pairs = np.vstack([learnt[true_pairs], learnt[others]])
    same = np.concatenate([np.ones(size), (others[1] == imitated.origin[others[0]]).astype(float)])
    model = LogisticRegression(max_iter=500).fit(pairs, same)
    scores = np.round(_differences(original, release.released, known) @ model.coef_[0], 9)
    best = scores.max(axis=1, keepdims=True)
    right = scores[np.arange(len(scores)), release.origin] == best[:, 0]
    return float(np.mean(right / (scores == best).sum(axis=1)))


def linked_by_equality(original: Table, release: Linked, known: Sequence[str]) -> float:
    """Return the share of records linked by an intruder who looks for equal records only."""
    rows = list(zip(*(original[name].tolist() for name in known), strict=True))
    places: dict[tuple[Any, ...], list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row, []).append(place)
    total = 0.0
    released = zip(*(release.released[name].tolist() for name in known), strict=True)
    for row, original_row in zip(released, release.origin.tolist(), strict=True):
        alike = places.get(row, [])
        total += original_row in alike and 1 / len(alike)
    return total / len(release.origin)


def _differences(original: Table, released: Table, known: Sequence[str]) -> NDArray[np.float64]:
    """Return how far each released record is from each original, column by column."""
    differences = []
    for name in known:
        after, before = released[name][:, np.newaxis], original[name][np.newaxis]
        if original[name].dtype.kind in "fiu":
            apart = np.abs(after - before) / (original[name].std() or 1.0)
            differences += [np.minimum(apart, 4.0), np.minimum(apart, 1.0)]
        else:
            differences.append((after != before).astype(np.float64))
    return np.stack(differences, axis=-1)
