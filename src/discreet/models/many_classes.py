"""Learners of scikit-learn fitted to classes, however many there are.

scikit-learn warns where more than half of the records have a class of their own, in case numbers
were meant. Here a column's kind says what is meant, and such a column is no mistake.
"""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import NDArray


def fit_classes(
    learner: Any, x: NDArray[Any], y: NDArray[Any], weights: Any = None, **options: Any
) -> Any:
    """Return the learner, fitted to the records; further `options` are passed to its `fit`.

    Checking its parameters, which are constants of ours, would take longer than a small tree.

    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> x = np.arange(30.0)[:, None]
    >>> fit_classes(DecisionTreeClassifier(random_state=0), x, np.arange(30)).predict(x[:2])
    array([0, 1])
    """
    from sklearn import config_context

    with warnings.catch_warnings(), config_context(skip_parameter_validation=True):
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        return learner.fit(x, y, sample_weight=weights, **options)
