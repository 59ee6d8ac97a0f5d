"""What all linkage attacks share: simulations with a known truth, small files and samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Imitated, Pairing, Randomness, Target
from discreet.contracts.registry import find
from discreet.errors import DataError, NotApplicable
from discreet.measures.attack.tolerance_linkage import ToleranceLinkage
from discreet.measures.linkage import attempt

QI = "quasi-identifier"
LINKAGE = (
    "difference-linkage", "imitation-linkage", "learned-linkage", "nearest-linkage",
    "rank-linkage", "rank-window-linkage", "tolerance-linkage",
)  # fmt: skip
NEAREST: Any = find("attack", "nearest-linkage")
EACH = pytest.mark.parametrize("entry", [find("attack", name) for name in LINKAGE], ids=LINKAGE)


def people(rows: int, seed: int, columns: int = 4) -> discreet.Microdata:
    draw = np.random.default_rng(seed)
    values = {f"x{c}": draw.normal(size=rows) for c in range(columns)}
    values["town"] = draw.choice(list("abcde"), rows)
    return discreet.read(values, roles=dict.fromkeys(values, QI))


def known(released: discreet.Microdata, rows: int) -> Pairing:
    return Pairing(np.arange(rows), imitate=lambda _: Imitated(released, np.arange(rows)))


@EACH
def test_everybody_is_linked_where_nothing_was_protected(entry: Any) -> None:
    data = people(120, 1)
    outcome = entry().attempt(Target(data, data, known(data, 120)), Context(Randomness(1)))
    assert outcome.success > 0.99


@EACH
def test_independent_data_are_linked_no_more_often_than_by_a_blind_guess(
    entry: Any,
) -> None:
    """Files of 40 people: the number of right links is Poisson with mean 1 in each."""
    links = 0.0
    files = 15 if entry.spec.name == "tolerance-linkage" else 50  # its EM is slow
    for seed in range(files):
        data, other, third = (people(40, 3 * seed + part, columns=2) for part in range(3))
        target = Target(data, other, known(third, 40))
        links += 40 * entry().attempt(target, Context(Randomness(seed))).success
    # The better of two ways of linking is taken, and each has one right link a file.
    assert links < 1.56 * files + 4 * files**0.5


def test_above_the_exact_size_a_sample_is_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = people(900, 2)
    draw = np.random.default_rng(5)
    noisy = data.replace(
        data.column(f"x{c}").with_values(data[f"x{c}"] + draw.normal(0, 0.25, 900))
        for c in range(4)
    )
    target = Target(data, noisy, Pairing.same_order(900))
    whole = NEAREST().attempt(target, Context(Randomness(1)))
    monkeypatch.setattr(attempt, "EXACT", 100)
    monkeypatch.setattr(attempt, "SAMPLED_PAIRS", 500 * 900)
    sampled = NEAREST().attempt(target, Context(Randomness(1)))
    assert whole.interval is None
    assert sampled.interval is not None
    assert sampled.per_record is None
    low, high = sampled.interval
    assert low <= whole.success <= high
    assert sampled.detail["one to one"] == pytest.approx(whole.detail["one to one"], abs=0.05)


def test_once_nearly_everybody_is_linked_no_way_to_link_more_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = people(900, 2)
    outcomes = {}
    monkeypatch.setattr(attempt, "EXACT", 500)
    monkeypatch.setattr(attempt, "MOST_SAMPLED", 300)
    for noise in (1e-6, 0.3):
        moved = [
            data.column(n).with_values(data[n] + noise * (data["x0"] - 1)) for n in ("x1", "x2")
        ]
        release = data.replace(moved)
        for enough in (900, 899):
            monkeypatch.setattr(attempt, "ENOUGH_PEOPLE", enough)
            outcomes[noise, enough] = NEAREST().attempt(
                Target(data, release, known(release, 900)), Context(Randomness(1))
            )
    short = outcomes[1e-6, 899]
    assert attempt.NO_NEED in short.note
    assert short.success >= 0.99
    assert short.interval is not None
    assert short.interval[1] == 1.0, "one to one might link all of them"
    assert short.interval[0] < outcomes[1e-6, 900].success
    assert outcomes[0.3, 899].detail == outcomes[0.3, 900].detail, "others are linked in all ways"
    assert outcomes[0.3, 899].success < 0.99


def test_what_all_records_together_rule_out_is_seen_in_neighbourhoods(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Windows of ranks link half as many again one to one, because others have taken the rest."""
    draw = np.random.default_rng(1)
    columns = {f"x{c}": draw.normal(size=800) for c in range(5)}
    data = discreet.read(columns, roles=dict.fromkeys(columns, QI))
    target = discreet.protect(data, discreet.RankSwapping(p=15), seed=1, allow=None).target
    windows: Any = find("attack", "rank-window-linkage")
    whole = windows().attempt(target, Context(Randomness(1)))
    monkeypatch.setattr(attempt, "EXACT", 100)
    monkeypatch.setattr(attempt, "MOST_SAMPLED", 400)
    sampled = windows().attempt(target, Context(Randomness(1)))
    assert whole.success > 1.3 * whole.detail["one to many"]
    assert sampled.interval is not None
    low, high = sampled.interval
    assert low <= whole.success <= high
    assert low > 1.1 * sampled.detail["one to many"]


def test_shuffled_rows_change_nothing() -> None:
    data = people(200, 3)
    order = np.random.default_rng(1).permutation(200)
    straight = Target(data, data, Pairing.same_order(200))
    shuffled = Target(data, data.take(order), Pairing(order))
    attack = NEAREST()
    assert attack.attempt(straight, Context()).success == pytest.approx(
        attack.attempt(shuffled, Context()).success
    )


@EACH
def test_what_cannot_be_tried_is_explained(entry: Any) -> None:
    data = discreet.read({"pay": [1, 2, 3]}, roles={"pay": "confidential"})
    with pytest.raises(NotApplicable, match="quasi-identifier"):
        entry().attempt(Target(data, data, Pairing.same_order(3)), Context())
    with pytest.raises(DataError, match="cannot be tried on this file"):
        entry().attack(data, Context())


def test_large_files_are_linked_by_few_records_with_a_wide_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Groups of five: the few records that are compared see all of their group."""
    data = people(900, 2, columns=2)
    masked = discreet.Microaggregation(discreet.partition.MDAV(k=5)).protect(data, Context()).data
    monkeypatch.setattr(attempt, "EXACT", 100)
    monkeypatch.setattr(attempt, "MOST_RIVALS", 100)
    monkeypatch.setattr(attempt, "SAMPLED_PAIRS", 1)
    sampled = NEAREST().attempt(Target(data, masked, Pairing.same_order(900)), Context())
    assert sampled.success < 0.4
    assert sampled.interval is not None
    assert sampled.interval[1] - sampled.interval[0] > 0.05
    assert "one to one" not in sampled.detail
    assert "one to one was not tried" in sampled.note


def test_tolerance_linkage_of_many_pairs_chooses_by_a_sample_and_links_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    values = {"a": rng.normal(size=60), "b": rng.normal(size=60)}
    noisy = {name: column + rng.normal(scale=0.1, size=60) for name, column in values.items()}
    roles = dict.fromkeys("ab", "quasi-identifier")
    target = Target(
        discreet.read(values, roles=roles),
        discreet.read(noisy, roles=roles),
        Pairing.same_order(60),
    )
    whole = ToleranceLinkage().attempt(target, Context())
    monkeypatch.setattr("discreet.measures.attack.tolerance_linkage.MOST_PAIRS", 60 * 20)
    chosen = ToleranceLinkage().attempt(target, Context())
    assert chosen.per_record is not None
    assert len(chosen.per_record) == 60
    assert chosen.success == whole.detail[f"τ = {chosen.detail['tolerance']:g}"]
    assert chosen.success <= whole.success


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    data = people(300, 2, columns=2)
    masked = discreet.Microaggregation(discreet.partition.MDAV(k=3)).protect(data, Context()).data
    target = Target(data, masked, Pairing.same_order(300))
    monkeypatch.setattr(attempt, "EXACT", 100)
    found = []
    for threads in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda threads=threads: threads)
        found.append(NEAREST().attempt(target, Context(Randomness(1))))
    one, several = (outcome.ways[1] for outcome in found)
    assert one.gains is not None
    assert np.array_equal(one.gains, several.gains)


@EACH
def test_a_number_far_off_all_others_that_only_another_run_has(entry: Any) -> None:
    sums = np.r_[1e139, np.arange(1.0, 61.0)]
    data = discreet.read({"sum": sums, "age": np.arange(61) % 7}, roles={"sum": QI, "age": QI})
    rows, others = np.arange(1, 51), np.arange(50)
    pairing = Pairing(rows, imitate=lambda _: Imitated(data.take(others), others))
    outcome = entry().attempt(Target(data, data.take(rows), pairing), Context(Randomness.of(1)))
    assert 0 <= outcome.success <= 1
