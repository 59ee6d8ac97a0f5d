from __future__ import annotations

from discreet.methods.nonperturbative.full_domain.neighbouring_recodings import Lattice, NodeSeen
from discreet.report.lattice_picture import in_words, lattice_picture

NODES = (
    NodeSeen((1, 0), True, 2, 0.2),
    NodeSeen((0, 0), False, 9, 0.0),
    NodeSeen((2, 0), True, 0, 0.4),
    NodeSeen((1, 1), True, 0, 0.6),
)
SOME = Lattice(("age", "<sex>"), (3, 1), 5, 2, NODES, whole=False)


def test_neighbours_are_joined_and_named_by_what_differs() -> None:
    drawn = lattice_picture(SOME, lambda node: f"/at?{node.levels[0]}")
    assert drawn.count("<line") == 3
    assert drawn.count('<a href="/at?') == 4
    assert "age -1" in drawn
    assert "&lt;sex&gt; +1" in drawn
    assert "<sex>" not in drawn


def test_nothing_is_said_by_colour_alone() -> None:
    drawn = lattice_picture(SOME)
    assert (drawn.count("✓"), drawn.count("✕")) == (3, 1)
    assert in_words(SOME, NODES[0]).endswith("meets the conditions, 2 suppressed, loss 20\u202f%")
