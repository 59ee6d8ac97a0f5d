from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microdata
from discreet.contracts import Context, Randomness
from discreet.contracts.accounting import Neighbours
from discreet.errors import DataError, UsageError
from discreet.methods.synthetic.dp_synthesis import DPSynthesis
from discreet.models.noisy_tables import counts_of
from discreet.models.private_noise import Noise

DOMAINS: dict[str, Any] = {
    "sex": ["f", "m", "x"],
    "age": {"low": 0, "high": 100, "bins": 10, "whole": True},
    "pay": {"bins": [0, 1000, 2000, 4000]},
}


def people(rows: int = 400) -> Microdata:
    rng = np.random.default_rng(1)
    age = rng.integers(20, 90, rows)
    sex = np.where(rng.random(rows) < 0.4, "f", "m")
    pay = np.clip(40.0 * age + rng.normal(0, 100, rows), 0, 4000)
    roles = {"sex": "quasi-identifier", "age": "quasi-identifier", "pay": "confidential"}
    return discreet.read({"sex": sex.tolist(), "age": age, "pay": pay}, roles)


def made(data: Microdata, **more: Any) -> Microdata:
    method = DPSynthesis(**{"epsilon": 1.0, "domains": DOMAINS, "size_is_public": True, **more})
    return method.protect(data, Context(Randomness(1))).data


def test_with_hardly_any_noise_the_records_have_the_tables_of_the_original() -> None:
    data = people()
    drawn = made(data, epsilon=1e6)
    assert len(drawn) == 400
    assert abs((drawn["sex"] == 0).sum() - (data["sex"] == 0).sum()) <= 5
    assert np.corrcoef(drawn["age"], drawn["pay"])[0, 1] > 0.7
    assert set(drawn["age"] % 1) == {0}


@pytest.mark.parametrize("delta", [0.0, 1e-5])
def test_values_are_of_their_domains_whatever_the_noise(delta: float) -> None:
    drawn = made(people(60), epsilon=0.05, delta=delta)
    assert drawn.schema["sex"].categories == ("f", "m", "x")
    assert drawn["age"].min() >= 0
    assert drawn["age"].max() <= 100
    assert drawn["pay"].min() >= 0
    assert drawn["pay"].max() <= 4000


def test_a_secret_number_of_records_is_estimated_from_the_noisy_counts() -> None:
    data = people(300)
    sizes = {len(made(data, size_is_public=False, epsilon=0.3)) for _ in range(6)}
    assert len(sizes) > 1
    assert len(made(data, size_is_public=False, records=17)) == 17


@pytest.mark.parametrize(("public", "moved"), [(True, 12), (False, 6)])
def test_the_noise_is_for_all_tables_that_a_record_is_in(public: bool, moved: int) -> None:
    method = DPSynthesis(epsilon=0.5, domains=DOMAINS, size_is_public=public)
    assert method.noise(3) == Noise.for_budget(moved, moved, 0.5, 0.0)


def test_no_neighbour_moves_the_counts_by_more_than_was_assumed() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        cells = [rng.integers(0, size, 7) for size in (2, 3, 4)]
        other = [np.r_[rng.integers(0, c.max() + 1), c[1:]] for c in cells]
        moved = counts_of(cells, [2, 3, 4]) - counts_of(other, [2, 3, 4])
        gone = counts_of(cells, [2, 3, 4]) - counts_of([c[1:] for c in cells], [2, 3, 4])
        assert np.abs(moved).sum() <= 12
        assert (moved**2).sum() <= 12
        assert np.abs(gone).sum() == 6


def test_what_is_spent_is_stated() -> None:
    method = DPSynthesis(epsilon=0.5, delta=1e-6, domains=DOMAINS)
    spent = method.protect(people(50), Context()).spent
    assert spent is not None
    assert (spent.epsilon, spent.delta) == (0.5, 1e-6)
    assert spent.neighbours is Neighbours.PRESENCE
    assert spent.columns == {"sex", "age", "pay"}


def test_without_a_declared_domain_it_refuses_and_says_how() -> None:
    with pytest.raises(UsageError, match=r"column 'age'.*code book"):
        made(people(20), domains={"sex": ["f", "m"]})


def test_identifiers_and_households_come_out_empty() -> None:
    data = discreet.read(
        {"id": [1, 2, 3], "home": [1, 1, 2], "sex": ["f", "m", "f"]},
        {"id": "identifier", "home": "household", "sex": "quasi-identifier"},
    )
    drawn = made(data)
    assert drawn.column("id").missing.all()
    assert drawn.column("home").missing.all()


def test_too_many_cells_are_refused_before_anything_is_counted() -> None:
    with pytest.raises(UsageError, match="first for 'age'"):
        made(people(20), domains={**DOMAINS, "age": {"low": 0, "high": 1, "bins": 10**6}})


def test_a_file_without_records_is_refused() -> None:
    with pytest.raises(DataError, match="none"):
        made(people(3).take(np.zeros(0, dtype=np.int64)))


def test_a_number_of_records_that_would_be_mostly_noise_is_not_estimated() -> None:
    with pytest.raises(
        UsageError, match=r"standard deviation of .*; state the number with records"
    ):
        made(people(60), size_is_public=False, epsilon=2e-8)
    assert len(made(people(60), size_is_public=False, epsilon=2e-8, records=7)) == 7
