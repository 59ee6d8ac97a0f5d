from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import Pairing
from discreet.release.attacking import LEAST_RECORDS, MOST_RECORDS, _used, attacked


def people(rows: int = 200) -> discreet.Microdata:
    rng = np.random.default_rng(1)
    age = rng.integers(20, 80, rows)
    return discreet.read(
        {"age": age.tolist(), "pay": (100.0 * age + rng.uniform(size=rows)).tolist()},
        roles={"age": "quasi-identifier", "pay": "confidential"},
    )


def test_an_assessment_carries_the_attack() -> None:
    data = people()
    method = {"microaggregation": {"partition": {"mdav": {"k": 5}}}}
    release = discreet.protect(data, method, allow=["pay"])
    found = discreet.assess(data, release, ["k-anonymity"]).attack
    assert found is not None
    (gain,) = found.columns
    assert gain.name == "pay"
    assert min(gain.before, gain.after) > 0.9 > gain.chance
    assert found.tree[0].parent is None
    assert found.tree[0].records == len(data)


def test_rows_are_those_of_the_original() -> None:
    data = people()
    order = np.random.default_rng(2).permutation(len(data))
    shuffled = data.take(order)
    found = attacked(data, shuffled, Pairing(order))
    assert found is not None
    exposure = np.empty(len(data))
    exposure[order] = discreet.attack.RegressionAttack(responses=("pay",)).run(shuffled).exposure
    rows = np.array(found.rows) - 1
    np.testing.assert_array_equal(np.sort(exposure[rows]), np.sort(exposure)[-len(rows) :])
    without = attacked(data, data, None)
    assert without is not None
    assert without.rows == ()


def test_where_there_is_nothing_to_attack() -> None:
    data = discreet.read({"age": [1.0, 2, 3, 4]}, roles={"age": "quasi-identifier"})
    assert attacked(data, data, None) is None


def test_a_long_file_is_attacked_in_part() -> None:
    data = people(MOST_RECORDS + 10)
    found = attacked(data, data, None)
    assert found is not None
    assert (found.records, found.of) == (MOST_RECORDS, MOST_RECORDS + 10)


def test_the_more_there_is_to_guess_the_fewer_records_are_used() -> None:
    jobs = [f"j{i}" for i in range(100)]
    data = discreet.read({f"job{n}": jobs for n in range(9)})
    assert _used(people(), ["pay"]) == MOST_RECORDS
    assert LEAST_RECORDS < _used(data, ["job0"]) < MOST_RECORDS
    assert _used(data, list(data.schema.names)) == LEAST_RECORDS
