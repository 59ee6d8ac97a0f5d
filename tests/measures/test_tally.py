"""How often values occur in groups, by a slow and obvious count."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
import pytest

from discreet.measures import tally as tallies
from discreet.measures.risk.l_diversity import entropy_l, recursive_l
from discreet.measures.risk.t_closeness import nominal_distance, ordered_distance
from discreet.measures.tally import Grouped, Tally, tally

FIGURES = (entropy_l, partial(recursive_l, c=3.0), nominal_distance, ordered_distance)


def _drawn(seed: int, records: int) -> tuple[Grouped, np.ndarray, int]:
    draw = np.random.default_rng(seed)
    labels = np.unique(draw.integers(0, records // 3 + 1, records), return_inverse=True)[1]
    units = draw.integers(0, records // 4 + 1, records)
    count = int(draw.integers(1, 30))
    values = draw.integers(0, count + 1, records)
    return Grouped(labels, int(labels.max()) + 1, units=units), values, count


@pytest.mark.parametrize("seed", range(20))
def test_a_unit_counts_once_for_each_value_that_it_has_in_a_group(seed: int) -> None:
    groups, values, count = _drawn(seed, 80)
    assert groups.units is not None
    there = {*zip(groups.labels.tolist(), values.tolist(), groups.units.tolist(), strict=True)}
    counts = sorted(Counter((group, value) for group, value, _ in there).items())
    found = tally(values, count, groups)
    assert found.group.tolist() == [group for (group, _), _ in counts]
    assert found.value.tolist() == [value for (_, value), _ in counts]
    assert found.count.tolist() == [times for _, times in counts]
    assert found.sizes.sum() == found.totals.sum() == len(there)


def test_where_no_unit_recurs_every_record_counts() -> None:
    groups = Grouped(np.array([0, 0, 1]), 2, units=np.array([4, 5, 4]))
    assert groups.counted(np.array([0, 0, 0])) == slice(None)


@pytest.mark.parametrize("at_once", [1, 3, 50])
@pytest.mark.parametrize("seed", range(5))
def test_figures_of_some_groups_after_the_others_are_those_of_all(
    monkeypatch: pytest.MonkeyPatch, seed: int, at_once: int
) -> None:
    monkeypatch.setattr(tallies, "AT_ONCE", at_once)
    groups, values, count = _drawn(seed, 300)
    counts: Tally = tally(values, count, groups)
    for figure in FIGURES:
        assert counts.for_groups(figure).tobytes() == figure(counts).tobytes()
