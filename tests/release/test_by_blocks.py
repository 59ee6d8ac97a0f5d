"""A step with `in_blocks` is run in each block of like records by itself."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import UsageError
from discreet.microdata import Microdata
from discreet.microdata.equivalence import class_sizes
from discreet.release.by_blocks import by_blocks, cut_by
from discreet.release.course import run_steps


def people(rows: int = 400) -> Microdata:
    rng = np.random.default_rng(2)
    return discreet.read(
        {
            "age": rng.integers(18, 90, rows).astype(float),
            "job": rng.choice(list("abc"), rows),
            "pay": rng.lognormal(8, 0.5, rows).round(),
        },
        roles={"quasi-identifier": ["age", "job"], "confidential": ["pay"]},
    )


def test_k_of_every_block_is_k_of_the_file() -> None:
    data = people()
    step = discreet.MART(k=4, in_blocks=120)
    release = discreet.protect(data, step, seed=1)
    assert class_sizes(release.data, data.quasi_identifiers).min() >= 4
    assert [(claim.measure, claim.bound) for claim in release.claims] == [("k-anonymity", 4)]
    note = "mart was run in each of 4 blocks of at most 120 records, cut along age, job"
    assert note in release.notes


def test_records_of_a_block_are_neighbours_and_no_other_block_has_an_influence() -> None:
    data = people()
    step = discreet.Microaggregation(discreet.partition.MDAV(k=4), columns=["age"], in_blocks=200)
    moved = data.replace(
        [data.column("age").with_values(np.where(data["age"] > 60, data["age"] * 2, data["age"]))]
    )
    tables = [run_steps(d, [step], Context(Randomness(1))).data for d in (data, moved)]
    assert not np.array_equal(tables[0]["age"], tables[1]["age"])
    below = data["age"] <= np.median(data["age"]) - 1
    assert np.array_equal(tables[0]["age"][below], tables[1]["age"][below])


def test_a_file_that_fits_in_one_block_is_treated_as_without_blocks() -> None:
    data = people(60)
    plain, blocks = (
        run_steps(data, [discreet.MART(k=4, in_blocks=most)], Context(Randomness(1)))
        for most in (None, 60)
    )
    assert plain.notes == blocks.notes
    assert plain.claims == blocks.claims
    for column in plain.data:
        assert column.same_as(blocks.data.column(column.name))


def test_drawn_values_hide_a_record_in_its_block_too() -> None:
    data = people().drop(["job"])
    step = discreet.Condensation(k=5, confidential=True, in_blocks=150)
    release = discreet.protect(data, step, seed=1)
    assert [claim.measure for claim in release.claims] == ["probabilistic-k-anonymity"]


def test_without_a_column_to_cut_along_the_order_of_the_file_decides() -> None:
    many = [f"c{i}" for i in range(150)]
    data = discreet.read({"job": many * 2}, roles={"job": "quasi-identifier"})
    assert cut_by(discreet.PRAM(), data) == ()
    masked = by_blocks(discreet.PRAM(in_blocks=150), data, Context(Randomness(1)))
    assert "cut in the order of the file" in masked.notes[-1]


def test_households_are_not_parted() -> None:
    data = discreet.read(
        {"home": [1, 1, 2, 2], "age": [30, 40, 50, 60]},
        roles={"household": ["home"], "quasi-identifier": ["age"]},
    )
    with pytest.raises(UsageError, match="would separate the members of a household"):
        run_steps(data, [discreet.Rounding(in_blocks=2)], Context())


def test_only_a_step_has_blocks() -> None:
    inside = discreet.PostMaskingOptimisation(discreet.Rounding(in_blocks=50))
    with pytest.raises(UsageError, match="'in_blocks' belongs to a step"):
        run_steps(people(), [inside], Context())
