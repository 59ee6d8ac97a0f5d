"""Change of association: figures by hand, lost columns, and a sample of large files."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness
from discreet.errors import NotApplicable
from discreet.measures.utility import association
from discreet.measures.utility.association import Association
from discreet.testing.surveys import mixed


def test_a_turned_sign_is_a_change_of_twice_what_was() -> None:
    original = discreet.read({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]})
    released = discreet.read({"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]})
    score = Association().score(original, released, Context())
    assert score.value == pytest.approx(2)
    assert score.detail["kept"] == pytest.approx(1)


def test_a_column_that_is_not_released_has_lost_all_its_company() -> None:
    data = mixed(200)
    score = Association().score(data, data.drop(["word3"]), Context())
    assert score.parts["word3",] == 1
    assert max(v for k, v in score.parts.items() if k != ("word3",)) < 0.5


def test_a_column_that_was_permuted_alone_is_cut_loose() -> None:
    draw = np.random.default_rng(3)
    first = draw.normal(size=800)
    table = {
        "a": first,
        "b": first + draw.normal(size=800),
        "ill": np.where(first + draw.normal(size=800) > 0, "yes", "no"),
        "c": first + draw.normal(size=800),
        "noise": draw.normal(size=800),
    }
    data = discreet.read({name: values.tolist() for name, values in table.items()})
    detail = Association().score(data, data, Context()).detail
    assert detail["kept by column"] == pytest.approx(dict.fromkeys(("a", "b", "ill", "c"), 1.0))
    assert detail["cut loose"] == [], "a column that had no company has lost none"
    ill = data.column("ill").with_values(draw.permutation(data["ill"]))
    score = Association().score(data, data.replace([ill]), Context())
    assert score.detail["cut loose"] == ["ill"]
    assert score.detail["kept"] > 0.5, "the file as a whole does not show it"


def test_what_rests_on_fewer_than_ten_people_is_not_missed() -> None:
    def detail(people: int) -> dict[str, object]:
        """Two rare findings that the same people have, one of them given to others."""
        rare = np.repeat(["yes", "no"], [people, 2_000 - people])
        often = np.repeat(["yes", "no"], [people + 5, 1_995 - people])
        data = discreet.read({"rare": rare.tolist(), "often": often.tolist()})
        released = data.replace([data.column("rare").with_values(data["rare"][::-1])])
        return dict(Association().score(data, released, Context()).detail)

    assert detail(10)["cut loose"] == ["rare", "often"]
    assert detail(9)["kept by column"] == {}


def test_a_sample_of_a_large_file_gives_nearly_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    data = mixed(4_000)
    order = np.random.default_rng(1).permutation(4_000)
    released = data.replace(
        [data.column("amount1").with_values(np.random.default_rng(2).permutation(data["amount1"]))]
    ).take(order)
    whole = Association().score(data, released, Context(Randomness(1)), Pairing(order))
    monkeypatch.setattr(association, "MOST_RECORDS", 2_000)
    sample = Association().score(data, released, Context(Randomness(1)), Pairing(order))
    apart = Association().score(data, released, Context(Randomness(1)))
    assert sample.value == pytest.approx(whole.value, abs=0.02)
    assert sample.value != whole.value
    # Without the pairing two samples differ by chance as well.
    assert apart.value == pytest.approx(whole.value, abs=0.15)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"a": [1, 2]}, "two columns"),
        ({"a": [1], "b": [2]}, "two records"),
        ({"a": [1, 1], "b": [2, 3]}, "no two columns"),
    ],
)
def test_what_it_needs(columns: dict[str, list[int]], reason: str) -> None:
    data = discreet.read(columns)
    with pytest.raises(NotApplicable, match=reason):
        Association().score(data, data, Context())
