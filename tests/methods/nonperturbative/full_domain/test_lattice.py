"""The walk through the lattice of recodings."""

from __future__ import annotations

import tracemalloc
from itertools import product
from typing import Any

import numpy as np

from discreet.methods.nonperturbative.full_domain.best_recoding import best_node
from discreet.methods.nonperturbative.full_domain.large_lattice import MOST_JUDGED
from discreet.methods.nonperturbative.full_domain.lattice import Verdict, search


def test_a_hopeless_node_takes_those_below_with_it() -> None:
    looked = []

    def judge(node: tuple[int, ...]) -> Verdict:
        looked.append(node)
        return Verdict(None, hopeless=True) if node != (3, 3) else Verdict(2.0)

    losses = [np.array([0.0, 0.1, 0.2, 1.0])] * 2
    found = search(losses, judge)
    assert found.node == (3, 3)
    assert len(set(looked)) == len(looked) < found.nodes


def test_of_equal_losses_the_least_recoding_is_taken() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        losses = [np.cumsum(rng.integers(0, 2, n) * 0.25) for n in (3, 4, 3)]
        goal = int(rng.integers(1, 7))

        def judge(node: tuple[int, ...], losses: Any = losses, goal: int = goal) -> Verdict:
            if sum(node) < goal:
                return Verdict(None, hopeless=goal == sum(node) + 1)
            return Verdict(float(sum(loss[n] for loss, n in zip(losses, node, strict=True))))

        nodes = list(product(*(range(len(loss)) for loss in losses)))
        verdicts = {node: judge(node).loss for node in nodes}
        fit = {node: loss for node, loss in verdicts.items() if loss is not None}
        least = min(fit.values())
        found = search(losses, judge)
        assert found.loss == least
        assert found.node is not None
        assert sum(found.node) == min(sum(n) for n, loss in fit.items() if loss == least)


def test_a_lattice_that_is_too_large_to_be_laid_out_is_searched() -> None:
    losses = [np.arange(10.0) * (j + 1) for j in range(8)]

    def judge(node: tuple[int, ...]) -> Verdict:
        if sum(node) < 5:
            return Verdict(None, hopeless=True)
        return Verdict(float(sum(loss[n] for loss, n in zip(losses, node, strict=True))))

    tracemalloc.start()
    found = best_node(losses, judge, lambda share: None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.nodes == 10**8
    assert found.node == (5, 0, 0, 0, 0, 0, 0, 0)
    assert found.loss == found.at_least == 5.0
    assert found.proven
    assert found.judged <= MOST_JUDGED
    assert peak < found.nodes  # an array of a byte for each node would take that much
