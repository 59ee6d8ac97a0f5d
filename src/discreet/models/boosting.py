"""A learner that distinguishes two files: boosted trees, scored on records not used to grow them.

Trees that score the records they were grown on find differences in any two files, and too few of
the real ones. Here every fold of records gets its propensities from a model of the others, and
chance differences are removed by a logistic regression of the truth on the propensities (Platt
1999): where that has no slope, every record is as likely to be from the second file as any other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Kind, Microdata, Numbers
from discreet.models.logistic_regression import logistic

FOLDS = 5
MOST_CATEGORIES = 254
"""The most categories the learner takes; a column's rarest beyond that are joined into one."""
MOST_BINS = 255
"""The number of bins, with equally many records each, into which a column of numbers is cut for the
learner.
"""
ROUNDS = 30
LEAST_LEAF = 30
RATE = 0.1


def learner_matrix(original: Microdata, released: Microdata, names: Sequence[str]) -> Numbers:
    """Return the columns of both files, one under the other, as the learner takes them.

    Numbers stay numbers, categories are numbered by how often the original has them, and missing is
    NaN. Renaming the categories gives the same matrix unless two are equally frequent.

    >>> import discreet
    >>> data = discreet.read({"age": [31, None], "sex": ["f", "m"]})
    >>> learner_matrix(data.take(np.array([0, 1, 1])), data, ["age", "sex"])
    array([[31.,  1.],
           [nan,  0.],
           [nan,  0.],
           [31.,  1.],
           [nan,  0.]])
    """
    columns = []
    for name in names:
        before, after = original.column(name), released.column(name)
        stacked = np.concatenate([before.values, after.values]).astype(np.float64)
        missing = np.concatenate([before.missing, after.missing])
        if before.attribute.kind is Kind.NOMINAL:
            counts = np.bincount(
                before.values[~before.missing], minlength=len(before.attribute.categories)
            )
            place = np.empty(len(counts))
            place[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
            known = np.minimum(place, MOST_CATEGORIES)
            if len(known):
                stacked = known[np.where(missing, 0, stacked).astype(np.int64)]
        columns.append(np.where(missing, np.nan, stacked))
    return np.column_stack(columns)


def binned(values: Numbers) -> Numbers:
    """Return the bin of each number, by its rank, where there are more numbers than bins.

    The learner cuts between bins. It would look for these itself in every fold, one quantile after
    the other, which takes longer than growing the trees.

    >>> binned(np.array([0.5, np.nan, 7.0]))
    array([0.5, nan, 7. ])
    >>> np.bincount(binned(np.arange(1000.0)).astype(int))[:4]
    array([4, 4, 4, 4])
    """
    distinct, place, counts = np.unique(
        values, return_inverse=True, return_counts=True, equal_nan=True
    )
    known = ~np.isnan(distinct)
    if known.sum() <= MOST_BINS:
        return values
    counts = np.where(known, counts, 0)
    middle = np.cumsum(counts) - counts / 2
    return np.where(known, np.floor(middle * MOST_BINS / counts.sum()), np.nan)[place.reshape(-1)]


def out_of_fold(
    draws: Sequence[Numbers],
    target: Numbers,
    nominal: Sequence[bool],
    fold: NDArray[np.int64],
    weights: Numbers | None = None,
) -> Numbers:
    """Return each record's probability of being from the second file, by models of the others.

    The files may have been drawn several times: the folds then take turns with the draws.

    >>> x = np.repeat([0.0, 1.0], 200)
    >>> propensities = out_of_fold([x[:, None]], x, [False], np.arange(400) % FOLDS)
    >>> bool((propensities[:200] < 0.1).all() and (propensities[200:] > 0.9).all())
    True
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    propensities = np.full(len(target), float(np.average(target, weights=weights)))
    draws = [
        np.column_stack([x if named else binned(x) for x, named in zip(d.T, nominal, strict=True)])
        for d in draws
    ]
    # Otherwise threads of other work on the same cores delay every split of every tree.
    with threadpool_limits(limits=1):
        for number in np.unique(fold):
            held, points = fold == number, draws[number % len(draws)]
            if held.all() or len(np.unique(target[~held])) < 2:
                continue
            learner = HistGradientBoostingClassifier(
                max_iter=ROUNDS,
                learning_rate=RATE,
                max_leaf_nodes=15,
                min_samples_leaf=LEAST_LEAF,
                categorical_features=list(nominal) if any(nominal) else None,
                early_stopping=False,
                random_state=0,
            )
            counted = None if weights is None else weights[~held]
            learner.fit(points[~held], target[~held], sample_weight=counted)
            propensities[held] = learner.predict_proba(points[held])[:, 1]
    return propensities


def calibrated(target: Numbers, propensities: Numbers, weights: Numbers | None = None) -> Numbers:
    """Return propensities that are right on average wherever the learner gives the same score.

    A learner that is wrong more often than right has learned nothing. Under the null these are
    the propensities of a logistic model of one term.

    >>> calibrated(np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.9, 0.8, 0.9, 0.8]))
    array([0.5, 0.5, 0.5, 0.5])
    """
    share = float(np.average(target, weights=weights))
    bounded = np.clip(propensities, 1e-12, 1 - 1e-12)
    logits = np.log(bounded / (1 - bounded))
    logits -= logits.mean()
    spread = float(logits.std())
    apart = target - share if weights is None else weights * (target - share)
    if not spread > 1e-9 or logits @ apart <= 1e-9 * spread:
        return np.full(len(target), share)
    terms = np.column_stack([np.ones(len(target)), logits / spread])
    return logistic(target, lambda piece: terms[piece], len(target), weights).probabilities


def area_under_curve(target: Numbers, propensities: Numbers) -> float:
    """Return the chance that a record of the second file has the higher propensity; ties count ½.

    >>> area_under_curve(np.array([0.0, 0.0, 1.0]), np.array([0.1, 0.5, 0.5]))
    0.75
    """
    from scipy.stats import rankdata

    second = target > 0
    many, few = int(second.sum()), int((~second).sum())
    ranks = rankdata(propensities)[second].sum()
    return float((ranks - many * (many + 1) / 2) / (many * few))
