"""The search of a large lattice against all nodes of small ones."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import GlobalRecoding
from discreet.contracts import Context
from discreet.methods.nonperturbative.full_domain import best_recoding as choosing
from discreet.methods.nonperturbative.full_domain.large_lattice import search_large
from discreet.methods.nonperturbative.full_domain.lattice import Node, Verdict

LAW = settings(max_examples=60, deadline=None, derandomize=True, database=None)


class Lattice:
    """A lattice of a few columns whose conditions are met above some nodes drawn at random."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        heights = rng.integers(1, 5, rng.integers(1, 5)).tolist()
        self.losses = [np.append(0.0, np.cumsum(rng.uniform(0, 1, h)).round(2)) for h in heights]
        self.nodes = list(itertools.product(*(range(h + 1) for h in heights)))
        self.met = [self.nodes[i] for i in rng.integers(0, len(self.nodes), 3)]
        self.extra = {node: float(rng.choice([0.0, 0.3])) for node in self.nodes}
        self.judged: list[Node] = []

    def bound(self, node: Node) -> float:
        return float(sum(losses[n] for losses, n in zip(self.losses, node, strict=True)))

    def loss(self, node: Node) -> float | None:
        if not any(all(n >= m for n, m in zip(node, met, strict=True)) for met in self.met):
            return None
        return self.bound(node) + self.extra[node]

    def judge(self, node: Node) -> Verdict:
        self.judged.append(node)
        loss = self.loss(node)
        return Verdict(loss, hopeless=loss is None)

    @property
    def least(self) -> float:
        return min(loss for node in self.nodes if (loss := self.loss(node)) is not None)


@LAW
@given(st.integers(0, 10**6))
def test_it_finds_the_best_of_all_nodes(seed: int) -> None:
    lattice = Lattice(seed)
    found = search_large(lattice.losses, lattice.judge)
    assert found.proven
    assert found.loss == pytest.approx(lattice.least)
    assert found.nodes == len(lattice.nodes)
    assert found.judged == len(lattice.judged) == len(set(lattice.judged))


@LAW
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12))
def test_what_is_proven_holds_wherever_the_effort_ends(seed: int, judged: int, taken: int) -> None:
    lattice = Lattice(seed)
    found = search_large(lattice.losses, lattice.judge, most_judged=judged, most_taken=taken)
    assert found.at_least <= lattice.least + 1e-9
    assert found.node is not None
    assert lattice.loss(found.node) == pytest.approx(found.loss)
    assert found.loss >= lattice.least - 1e-9
    if found.proven:
        assert found.loss == pytest.approx(lattice.least)


def test_a_large_lattice_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    columns = {f"c{j}": rng.integers(0, 60, 300).tolist() for j in range(10)}
    data = discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))
    short = partial(search_large, most_judged=30, most_taken=300)
    monkeypatch.setattr(choosing, "search_large", short)
    masked = GlobalRecoding(k=3, suppression=0.1).protect(data, Context())
    [note] = [note for note in masked.notes if "combinations of levels" in note]
    assert note.startswith("the best found of")
    assert "none can be below" in note
    assert masked.groups is not None


def test_both_searches_choose_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    columns = {f"c{j}": rng.integers(0, 9, 200).tolist() for j in range(3)}
    data = discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))
    whole = GlobalRecoding(k=4, suppression=0.05).protect(data, Context())
    monkeypatch.setattr(choosing, "LAID_OUT", 1)
    limited = GlobalRecoding(k=4, suppression=0.05).protect(data, Context())
    assert whole.notes[0] == limited.notes[0]
    assert "proven" in limited.notes[1]
