"""Classes that nearly every record has to itself are no reason for a warning."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import discreet
from discreet.models.many_classes import fit_classes


def test_the_learner_is_the_one_that_scikit_learn_fits() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=(40, 2)), generator.integers(0, 30, 40)
    weights = generator.uniform(1, 2, 40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of newer versions of scikit-learn
        expected = DecisionTreeClassifier(random_state=0).fit(x, y, sample_weight=weights)
    found = fit_classes(DecisionTreeClassifier(random_state=0), x, y, weights)
    assert (found.predict(x) == expected.predict(x)).all()
    assert found.tree_.node_count == expected.tree_.node_count


def test_synthesis_of_towns_that_nearly_every_person_has_alone() -> None:
    towns = [f"town {i % 30}" for i in range(40)]
    data = discreet.read(
        {"town": towns, "age": [20 + i % 7 for i in range(40)]}, roles={"town": "quasi-identifier"}
    )
    release = discreet.protect(data, discreet.CartSynthesis(columns=("age", "town")), seed=1)
    assert set(release.frame()["town"].to_pylist()) <= set(towns)
