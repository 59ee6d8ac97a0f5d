"""Nearest records: copies, new samples, and what lies between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Bootstrap, Microdata, SequentialRegression, UsageError
from discreet.contracts import Context, Method, Randomness
from discreet.errors import NotApplicable
from discreet.measures.risk.nearest_record import NearestRecord, against_holdout

ROLES = {"x": "quasi-identifier", "y": "quasi-identifier", "town": "quasi-identifier"}


def sample(rng: np.random.Generator, rows: int = 600, part: str | None = None) -> Microdata:
    columns = {
        "x": rng.normal(0, 1, rows),
        "y": rng.gamma(2, 3, rows),
        "town": [("Ayle", "Bron")[i] for i in rng.integers(0, 2, rows)],
    }
    if part is not None:
        columns["part"] = [part] * (rows // 2) + ["test"] * (rows - rows // 2)
    return discreet.read(columns, ROLES)


def value(original: Microdata, released: Microdata, **options: Any) -> float:
    return NearestRecord(**options).score(original, released, Context(Randomness(1))).value


def test_a_copy_has_one_and_a_new_sample_one_half() -> None:
    rng = np.random.default_rng(1)
    data = sample(rng)
    assert value(data, data) == 1
    found = [value(sample(rng), sample(rng)) for _ in range(20)]
    assert np.mean(found) == pytest.approx(0.5, abs=0.01)


def test_by_hand() -> None:
    data = discreet.read({"x": [0.0, 1.0, 3.0, 7.0]}, {"x": "quasi-identifier"})
    released = discreet.read({"x": [0.5, 3.0, 9.0]}, {"x": "quasi-identifier"})
    # To originals 0.5, 0, 2; of the originals to each other 1, 1, 2, 4.
    found = NearestRecord().score(data, released, Context())
    assert found.value == pytest.approx((4 + 4 + 1 + 0.5) / 12)
    assert found.detail["released records equal to an original"] == 1
    spread = data["x"].std()
    assert found.per_record == pytest.approx(np.array([0.5, 0, 2]) / spread)


def test_against_a_holdout_one_half_is_no_memory() -> None:
    rng = np.random.default_rng(2)
    used, holdout = sample(rng, 900), sample(rng, 300)
    # Which records are left out is drawn; without a context it would be with a secret seed.
    seeded = [Context(Randomness(seed)) for seed in range(10)]
    fresh = [against_holdout(used, sample(rng, 500), holdout, None, c).value for c in seeded]
    assert np.mean(fresh) == pytest.approx(0.5, abs=0.02), "of more records one is not nearer"
    noise = used.replace([used.column("x").with_values(used["x"] + 1e-4)])
    same = against_holdout(used, noise.take(np.arange(300)), used.take(np.arange(300, 900)))
    assert (
        against_holdout(used.take(np.arange(300)), noise.take(np.arange(300)), holdout).value > 0.98
    )
    assert same.detail["nearest 5 %: ratio"] is None or same.detail["nearest 5 %: ratio"] < 1


def test_a_holdout_read_by_itself_has_the_same_categories() -> None:
    rows = {"x": [0.0, 0.0, 5.0, 5.0], "town": ["a", "b", "a", "b"]}
    roles = {"x": "quasi-identifier", "town": "quasi-identifier"}
    used = discreet.read(rows, roles)
    holdout = discreet.read({"x": [0.0, 5.0, None], "town": ["b", "b", "b"]}, roles)
    released = discreet.read({"x": [0.0, 5.0], "town": ["b", "b"]}, roles)
    found = against_holdout(holdout, released, used.take(np.array([0, 2, 2])))
    assert found.detail["columns"] == ["x"], "the used records have no town a"
    found = against_holdout(used, released, holdout, context=Context(Randomness(1)))
    assert found.detail["columns"] == ["x", "town"]
    assert found.value <= 0.5, "the holdout has both records"


def test_a_holdout_can_be_marked_in_the_file() -> None:
    rng = np.random.default_rng(3)
    data = sample(rng, 600, part="train")
    train = data.take(np.arange(300))
    assert value(data, train, holdout="part=test") > 0.98
    assert value(data, data.take(np.arange(300, 600)), holdout="part = test") < 0.02
    assert value(data, sample(rng, 2000), holdout="part=test") == pytest.approx(0.5, abs=0.05)


def test_a_method_that_remembers_is_told_from_one_that_does_not() -> None:
    data = sample(np.random.default_rng(5), 800, part="train")
    train = data.take(np.arange(400)).drop(["part"])

    def against(method: Method) -> float:
        made = method.protect(train, Context(Randomness(1))).data
        return value(data, made, holdout="part=test")

    assert against(Bootstrap(bandwidth=0.01)) > 0.9
    assert against(SequentialRegression(scale="raw")) == pytest.approx(0.5, abs=0.06)
    # The distribution of each column comes back from 400 records, which brings values near them.
    assert against(SequentialRegression()) < 0.65


def test_missing_values_and_categories_are_as_near_as_everywhere() -> None:
    data = discreet.read(
        {"x": [0.0, 10.0, None], "town": ["a", "b", "a"]},
        {"x": "quasi-identifier", "town": "quasi-identifier"},
    )
    found = NearestRecord().score(data, data.take(np.array([2, 2])), Context())
    assert found.per_record == pytest.approx([0, 0])


def test_a_label_has_one_of_its_values() -> None:
    data = discreet.read({"x": [0.0, 10.0, 20.0]}, {"x": "quasi-identifier"})
    bands = discreet.read({"x": ["10", "[5–15]"]}, {"x": "quasi-identifier"})
    found = NearestRecord().score(data, bands, Context(Randomness(1)))
    assert found.per_record is not None
    assert found.per_record[0] == 0
    assert 0 < found.per_record[1] <= 5 / np.std([0, 10, 20]) + 1e-9, "rounded to nine digits"


def test_it_asks_for_what_it_needs() -> None:
    data = discreet.read({"x": [1.0, 2.0]}, {"x": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="nothing about any quasi-identifier"):
        value(data, discreet.read({"x": ["low", "low"]}, {"x": "quasi-identifier"}))
    with pytest.raises(UsageError, match="column 'z'"):
        value(data, data, columns=["z"])
    with pytest.raises(UsageError, match="given as column=category"):
        value(data, data, holdout="x=1")
