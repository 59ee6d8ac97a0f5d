"""The level of pruning that is taken where the user gives none."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import Context
from discreet.methods.perturbative.mart import MART
from discreet.models.regression_tree import Tree, grow
from discreet.models.regression_tree.digression import measure
from discreet.models.regression_tree.level import (
    MOST,
    USUAL,
    average_size,
    chosen_level,
    levels,
)


def people(heavy: bool) -> discreet.Microdata:
    rng = np.random.default_rng(5)
    age, noise = rng.integers(20, 60, 400), rng.normal(size=400)
    pay = 0.05 * age + noise
    return discreet.read(
        {"age": age.tolist(), "pay": (np.exp(1.5 * pay) if heavy else pay).tolist()},
        roles={"age": "quasi-identifier", "pay": "confidential"},
    )


def grown(heavy: bool, k: int = 3) -> Tree:
    return grow(people(heavy), ["age"], ["pay"], k)


def test_normal_responses_have_the_level_of_the_paper() -> None:
    tree = grown(heavy=False)
    assert chosen_level(tree, measure(tree)) == USUAL


def test_heavy_tails_have_the_highest_level_that_keeps_groups_small() -> None:
    tree = grown(heavy=True)
    measures = measure(tree)
    assert average_size(tree, USUAL, measures) > MOST * tree.k
    alpha = chosen_level(tree, measures)
    assert 0 < alpha < USUAL
    assert average_size(tree, alpha, measures) <= MOST * tree.k
    higher = [a for a in levels(tree, measures) if alpha < a <= USUAL]
    assert all(average_size(tree, a, measures) > MOST * tree.k for a in higher)


def test_a_usual_level_that_leaves_small_groups_stays() -> None:
    tree = grown(heavy=True, k=60)
    assert chosen_level(tree, measure(tree)) == USUAL


def test_mart_says_that_it_lowered_the_level() -> None:
    masked = MART(k=3).protect(people(heavy=True), Context())
    assert masked.groups is not None
    assert masked.groups.detail["alpha"] < USUAL
    assert any("instead of 0.05" in note and "(pay)" in note for note in masked.notes)
    given = MART(k=3, alpha=0.05).protect(people(heavy=True), Context())
    assert given.groups is not None
    assert given.groups.count < masked.groups.count
    assert any("leave alpha out" in note for note in given.notes)
