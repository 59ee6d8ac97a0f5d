from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import UsageError
from discreet.methods.nonperturbative.full_domain.neighbouring_recodings import SHOWN_WHOLE

DRAW = np.random.default_rng(3)
NAMES = ("age", "town", "sex", "job")
PEOPLE = discreet.read(
    {
        "age": DRAW.integers(20, 60, 200),
        "town": DRAW.choice(list("abcdef"), 200),
        "sex": DRAW.choice(["f", "m"], 200),
        "job": DRAW.choice(list("uvwxyz"), 200),
    },
    roles=dict.fromkeys(NAMES, "quasi-identifier"),
)


def recoded(levels: dict[str, int]) -> discreet.Release:
    step = discreet.GlobalRecoding(k=None, levels=levels)
    return discreet.protect(PEOPLE, step, claims={}, shuffle=False)


@pytest.mark.parametrize("columns", [("age", "sex"), NAMES])
def test_each_node_is_what_recoding_to_it_gives(columns: tuple[str, ...]) -> None:
    lattice = discreet.GlobalRecoding(k=5, columns=columns).lattice(PEOPLE, Context())
    assert lattice.whole == (len(lattice.nodes) > 2 * len(columns) + 1)
    assert not lattice.whole or len(lattice.nodes) <= SHOWN_WHOLE
    best = min(node.loss for node in lattice.nodes if node.meets)
    assert lattice.nodes[0].meets
    assert lattice.nodes[0].loss == pytest.approx(best)
    for node in lattice.nodes[:6]:
        levels = dict(zip(lattice.columns, node.levels, strict=True))
        table = recoded(levels).data
        sizes = np.unique(np.stack([table[n] for n in columns]), axis=1, return_counts=True)[1]
        assert node.small == sizes[sizes < 5].sum()
        assert node.meets == (node.small == 0)


def test_a_recoding_without_a_k_has_no_neighbours() -> None:
    with pytest.raises(UsageError, match="give a k"):
        discreet.GlobalRecoding(k=None).lattice(PEOPLE, Context())
