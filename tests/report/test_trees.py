"""The trees of dependency and of the attack: in the internal report, and nowhere else."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import discreet
from discreet.contracts import Narrowed
from discreet.models.dependency import MOST_SHOWN, shown_tree
from discreet.release.attacking import Attacked, Branch
from discreet.report import public, render
from discreet.report.content import Attribute, Content, Dependency
from discreet.report.trees import ACROSS, BAR_WIDTH, attack_picture, dependency_picture, rows, spot

from .conftest import content_of, microaggregated
from .page import check

QI = "quasi-identifier"
CANARY = "Canary & Sons <b>"
HOSTILE = "<script>alert('x')</script>\"&\u202eevil\x00 ]]> -->"


def many(columns: int, rows: int = 60) -> discreet.Microdata:
    rng = np.random.default_rng(columns)
    table = {f"c{i:03}": rng.integers(0, 2 + i % 5, rows) for i in range(columns)}
    return discreet.read(table, roles=dict.fromkeys(table, QI))


def tree_of(data: discreet.Microdata) -> Dependency:
    found = Dependency.of(shown_tree(data, data.schema.names), len(data.schema))
    assert found is not None
    return found


def places(tree: Dependency) -> list[tuple[float, float]]:
    at = rows([node.parent for node in tree.nodes])
    return [spot(node, row)[:2] for node, row in zip(tree.nodes, at, strict=True)]


def test_the_internal_report_has_the_tree_and_the_public_one_has_not(content: Content) -> None:
    found = content.dependency
    assert found is not None
    assert found.key
    internal, published = render(content), render(public(content))
    assert "Dependency tree" in internal
    assert "Dependency tree" not in published
    for node in found.nodes[1:]:
        assert f">{node.measure:.2f}</text>" in internal


def test_nodes_hang_on_nodes_before_them(content: Content) -> None:
    assert content.dependency is not None
    nodes = content.dependency.nodes
    assert nodes[0].parent is None
    for i, node in enumerate(nodes[1:], 1):
        assert node.parent is not None
        assert 0 <= node.parent < i
        assert node.depth == nodes[node.parent].depth + 1
    assert sum(node.degree for node in nodes) == 2 * (len(nodes) - 1)
    assert {node.name for node in nodes if node.key} == set(content.dependency.key)


def test_fewer_than_three_columns_have_no_tree() -> None:
    page = render(content_of(microaggregated(many(2))))
    assert "Dependency tree" not in page


@pytest.mark.parametrize("columns", [3, 4, 7, 20, MOST_SHOWN])
def test_no_two_nodes_on_top_of_each_other(columns: int) -> None:
    found = tree_of(many(columns))
    where = places(found)
    assert min(y for _, y in where) >= 0
    for i, (x, y) in enumerate(where):
        for other_x, other_y in where[:i]:
            assert x != other_x or abs(y - other_y) >= 30
    drawn = dependency_picture(found)
    assert drawn.count("<circle") == columns
    assert drawn.count("<path") == columns - 1


def test_a_larger_degree_is_drawn_larger() -> None:
    nodes = [Attribute("a", None, 0, None, degree, False, None) for degree in range(1, 6)]
    sizes = [spot(node, 0)[2] for node in nodes]
    assert sizes == sorted(set(sizes))


def test_more_columns_than_a_picture_takes() -> None:
    found = tree_of(many(MOST_SHOWN + 2))
    assert len(found.nodes) == MOST_SHOWN
    assert found.others == 2


def test_bins_are_stated() -> None:
    rng = np.random.default_rng(1)
    table = {"x": rng.normal(size=400), "y": rng.normal(size=400), "z": ["a", "b"] * 200}
    data = discreet.read(table, roles=dict.fromkeys(table, QI))
    page = render(content_of(microaggregated(data)))
    assert "x (20 bins)" in page
    assert "y (20 bins)" in page
    assert "z (" not in page


def test_hostile_names_are_only_text() -> None:
    rows = 40
    table = {HOSTILE: np.arange(rows) % 4, "<b>": np.arange(rows) % 3, "ü🙂": np.arange(rows) % 2}
    data = discreet.read(table, roles=dict.fromkeys(table, QI))
    page = render(content_of(microaggregated(data)))
    check(page)
    assert "<script" not in page
    assert "<b>" not in page


def attackable(rows: int = 200) -> discreet.Release:
    rng = np.random.default_rng(1)
    age = rng.integers(20, 80, rows)
    data = discreet.read(
        {
            "age": age.tolist(),
            "pay": (100.0 * age + rng.uniform(size=rows)).tolist(),
            "ill": np.where(age > 50, CANARY, "none").tolist(),
        },
        roles={"age": "quasi-identifier", "pay": "confidential", "ill": "confidential"},
    )
    return microaggregated(data, seed=3, allow=["pay"])


def test_the_section_stands_in_the_internal_report_only() -> None:
    content = content_of(attackable(), ["k-anonymity"])
    assert content.attack is not None
    assert content.attack.columns[0].after > 0.9
    internal = render(content)
    check(internal)
    assert "Regression attack" in internal
    assert "Tree of the attack" in internal
    published = render(public(content))
    assert "Regression attack" not in published
    assert "Tree of the attack" not in published


def test_values_in_the_picture_are_escaped() -> None:
    attack = content_of(attackable(), ["k-anonymity"]).attack
    assert attack is not None
    drawn = attack_picture(attack.tree)
    assert "<b>" not in drawn
    assert "Canary &amp; So" in drawn


def test_a_leaf_has_a_bar_where_its_values_lie() -> None:
    def node(parent: int | None, low: float, high: float) -> Branch:
        narrowed = Narrowed("pay", 5, 1.0, low, high, range=0.5, spread=0.5)
        return Branch(parent, "" if parent is None else "age > 3", 5, 0.5, 0, (narrowed,))

    drawn = attack_picture([node(None, 0, 100), node(0, 0, 50), node(0, 100, 100)])
    assert drawn.count("<rect") == 2
    assert f'width="{BAR_WIDTH / 2:g}"' in drawn
    # A single value at the end of the range stays visible and on the line.
    assert 'width="2"' in drawn
    assert drawn.count("<circle") == 1


def test_why_nothing_was_attacked_is_said(content: Content) -> None:
    page = render(replace(content, attack=Attacked(reason="a <reason>")))
    assert "Not attacked: a &lt;reason&gt;." in page


def test_a_label_of_a_hundred_categories_does_not_fill_the_page(content: Content) -> None:
    assert content.attack is not None
    place, *others = content.attack.places
    place = replace(place, rule=("town is " + "+".join(f"T{i:03}" for i in range(100)),))
    page = render(replace(content, attack=replace(content.attack, places=(place, *others))))
    assert "T001" in page
    assert "T099" not in page


def width_of(picture: str) -> float:
    found = re.search(r'viewBox="0 0 ([\d.]+) ', picture)
    assert found is not None
    return float(found[1])


def test_trees_of_usual_depth_are_no_wider_than_the_page() -> None:
    pay = Narrowed("pay", 3, 5.0, 4.0, 6.0, range=1.0, spread=1.0)
    rule = "education is upper secondary or tertiary"
    for depth in range(1, 7):
        chain = [
            Branch(i - 1 if i else None, rule if i else "", 3, 0.0, 0, (pay,))
            for i in range(depth + 1)
        ]
        drawn = attack_picture(chain)
        assert width_of(drawn) <= ACROSS
        assert drawn.count("<title>education") >= depth
        nodes = tuple(
            Attribute("education", i - 1 if i else None, i, 0.5, 2, False, None)
            for i in range(depth + 1)
        )
        picture = dependency_picture(Dependency(nodes, ("education",)))
        assert width_of(picture) <= ACROSS
    # A rule that is too long for its branch goes on below it.
    drawn = attack_picture(chain[:4])
    assert drawn.count(">education is upper secondary or</text>") == 3
    assert drawn.count(">tertiary</text>") == 3
