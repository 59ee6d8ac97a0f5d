"""KL divergence: every released record spread over every combination that it stands for."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import inf, log2

import pytest

from tests.measures.utility.recoded_files import files, score


@pytest.mark.parametrize("seed", range(3))
def test_beside_spreading_each_record(seed: int) -> None:
    original, released, rows, sets = files(seed)
    q: Counter[tuple[object, ...]] = Counter()
    for cells in sets:
        combinations = list(product(*cells))
        for x in combinations:
            q[x] += 1 / (len(combinations) * len(rows))  # type: ignore[assignment]
    p = Counter(rows)
    expected = sum(c / len(rows) * log2(c / len(rows) / q[x]) for x, c in p.items())
    assert score("kl-divergence", original, released).value == pytest.approx(expected)


def test_a_dropped_column_is_spread_over_its_values() -> None:
    original, _, rows, _ = files(2)
    ages, towns = Counter(r[0] for r in rows), {r[1] for r in rows}
    n = len(rows)
    expected = sum(
        c / n * log2(c / n / (ages[x[0]] / n / len(towns))) for x, c in Counter(rows).items()
    )
    found = score("kl-divergence", original, original.drop(["town"]))
    assert found.value == pytest.approx(expected)


def test_everything_gone_is_its_worst_value() -> None:
    original, _, _, _ = files(2)
    found = score("kl-divergence", original, original.drop(["age", "town"]))
    assert found.value == pytest.approx(found.at_loss)


def test_a_combination_that_the_release_does_not_allow_is_infinitely_far() -> None:
    original, _, _, _ = files(2)
    moved = original.replace([original.column("age").with_values(original["age"] + 0.5)])
    assert score("kl-divergence", original, moved).value == inf
