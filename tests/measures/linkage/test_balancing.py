"""Links by balanced chances: people whom many records resemble are less likely for each of them."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Outcome, Randomness
from discreet.measures.attack.rank_window_linkage import RankWindowLinkage
from discreet.measures.linkage import attempt, balancing
from discreet.measures.linkage.assignment import Owners, cheapest
from discreet.measures.linkage.balancing import balanced, balanced_in_part
from discreet.measures.linkage.cells import Matrix, Rows


def windows(records: int, p: float) -> Outcome:
    draw = np.random.default_rng(3)
    table = {f"x{c}": draw.normal(size=records) for c in range(10)}
    data = discreet.read(table, roles=dict.fromkeys(table, "quasi-identifier"))
    release = discreet.protect(data, discreet.RankSwapping(p=p), seed=3, allow=None)
    return RankWindowLinkage().attempt(release.target, Context(Randomness(3)))


def noisy(records: int, people: int, noise: float, seed: int) -> Matrix:
    """Costs of the first people, in four columns, with normal noise."""
    draw = np.random.default_rng(seed)
    values = draw.normal(size=(people, 4))
    released = values[:records] + noise * draw.normal(size=(records, 4))
    gaps = released[:, None] - values[None]
    return np.asarray((gaps**2).sum(axis=2) / (2 * noise**2), dtype=np.float32)


@pytest.mark.parametrize(("records", "people"), [(300, 300), (150, 300), (300, 150)])
def test_unrelated_records_are_linked_as_by_a_blind_guess(records: int, people: int) -> None:
    draw = np.random.default_rng(1)
    rates = [
        balanced(
            draw.gamma(2.0, size=(records, people)).astype(np.float32),
            Owners(draw.integers(0, people, records)),
        ).mean()
        for _ in range(30)
    ]
    error = np.std(rates) / np.sqrt(len(rates))
    assert abs(np.mean(rates) - 1 / people) < 3 * error


def test_nobody_is_lost_where_few_people_are_released() -> None:
    costs = noisy(100, 400, 0.3, 1)
    owners = Owners(np.arange(100))
    assert balanced(costs, owners).mean() >= cheapest(costs, owners).mean() - 0.05


def test_equal_records_are_told_apart_by_chance_only() -> None:
    costs = np.zeros((4, 4), dtype=np.float32)
    assert balanced(costs, Owners(np.arange(4))).tolist() == [0.25] * 4


def test_costs_without_a_bound_are_balanced_without_a_warning() -> None:
    costs = np.full((3, 3), 1e6, dtype=np.float32)
    np.fill_diagonal(costs, [0.0, 1e5, 1e6])
    assert balanced(costs, Owners(np.arange(3)))[:2].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("noise", [0.2, 0.5])
def test_the_links_of_a_whole_file_are_estimated_around_some_of_its_records(
    noise: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = 1_500
    costs = noisy(people, people, noise, 2)
    owners = Owners(np.arange(people))

    def compare(rows: Rows, originals: Rows | slice) -> Matrix:
        return costs[rows][:, originals]

    monkeypatch.setattr(balancing, "SAMPLE", people // 4)
    mixed = np.random.default_rng(2).permutation(people)
    way = balanced_in_part(compare, owners, people, mixed)
    assert way.gains is not None
    found = float(way.chances.mean() + way.gains.mean())
    reach = 3 * float((way.chances + way.gains[:, 0]).std()) / np.sqrt(len(way.chances))
    assert abs(found - balanced(costs, owners).mean()) < reach + way.error


def test_pairs_that_are_compared_once_cost_what_they_cost_around_each_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records, people = 700, 900
    costs = noisy(records, people, 0.4, 5)
    mixed = np.random.default_rng(5).permutation(records)
    compared = []

    def compare(rows: Rows, originals: Rows | slice) -> Matrix:
        found = costs[rows][:, originals]
        compared.append(found.size)
        return found

    monkeypatch.setattr(balancing, "SAMPLE", 300)
    once = balanced_in_part(compare, Owners(np.arange(records)), people, mixed)
    few = sum(compared)
    monkeypatch.setattr(balancing, "WHOLE", 0)
    anew = balanced_in_part(compare, Owners(np.arange(records)), people, mixed)
    assert once.chances == pytest.approx(anew.chances)
    assert once.gains == pytest.approx(anew.gains)
    assert 4 * few < sum(compared)


@pytest.mark.parametrize("grouped", [False, True])
def test_people_whom_records_do_not_resemble_are_found_by_chance_only(
    grouped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People who are far from all records are in nobody's way, and were found for that reason."""
    draw = np.random.default_rng(8)
    people = 1_200
    popular = draw.permutation(people) < people // 5
    costs = 0.1 * draw.gamma(2.0, size=(people, people)).astype(np.float32)
    costs[:, ~popular] += 6.0
    owners = Owners(draw.permutation(people))
    if grouped:
        owners = Owners.within(owners.origin, draw.permutation(people) // 4)

    def compare(rows: Rows, originals: Rows | slice) -> Matrix:
        return costs[rows][:, originals]

    monkeypatch.setattr(balancing, "SAMPLE", people // 4)
    monkeypatch.setattr(balancing, "NEAR", 10)
    way = balanced_in_part(compare, owners, people, draw.permutation(people))
    assert way.chances.mean() <= 4 / people + 3 * (1 / people / len(way.chances)) ** 0.5
    assert balanced(costs, owners).mean() < 4 / people


def test_wide_windows_are_not_told_better_than_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = windows(1_500, 40).detail
    truth = whole["balanced"]
    assert truth > 1.2 * whole["one to one"] > whole["one to many"]
    monkeypatch.setattr(attempt, "EXACT", 0)
    monkeypatch.setattr(balancing, "SAMPLE", 300)
    estimate = windows(1_500, 40)
    assert estimate.interval is not None
    assert estimate.interval[0] < truth < estimate.interval[1]
