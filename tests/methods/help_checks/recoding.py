"""Recoding: conditions, levels and shares as the help states them."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from discreet import GlobalRecoding, LocalRecoding, Microdata
from discreet.methods.nonperturbative.full_domain import local
from discreet.methods.nonperturbative.full_domain.best_recoding import best_recoding
from discreet.microdata.equivalence import class_sizes, classes
from tests.methods.help_checks import CHECKS, masked, quasi, released, words_of

QUASI = ("age", "town")
TOWNS = "Ayle;coast;*\nBron;coast;*\nCull;hills;*\nDore;hills;*\n"


def people(rows: int = 600) -> Microdata:
    rng = np.random.default_rng(6)
    ill = rng.integers(0, 4, rows)
    return quasi(
        {
            "age": np.minimum(rng.gamma(6, 6, rows), 99).round(),
            "town": [
                ("Ayle", "Bron", "Cull", "Dore")[i] for i in (ill + rng.integers(0, 3, rows)) % 4
            ],
            "ill": [f"i{i}" for i in ill],
        },
        roles={"ill": "confidential"},
    )


@contextlib.contextmanager
def towns_in_the_working_directory() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "towns.csv").write_text(TOWNS, encoding="utf-8")
        with contextlib.chdir(folder):
            yield "town=towns.csv"


def k_holds(method: type[Any]) -> None:
    sizes = {k: class_sizes(released(people(), method(k=k)), QUASI) for k in (3, 20, 100)}
    assert all(by_record.min() >= k for k, by_record in sizes.items())
    assert sizes[3].mean() < sizes[100].mean(), "and no more than it takes"


def l_holds(method: type[Any]) -> None:
    def fewest(l: int | None) -> int:  # noqa: E741
        now = released(people(), method(k=2, l=l))
        labels = classes(now, QUASI)
        return min(len(set(now["ill"][labels == c])) for c in range(labels.max() + 1))

    assert fewest(None) < 3
    assert fewest(4) == 4


def t_holds(method: type[Any]) -> None:
    def farthest(t: float | None) -> float:
        now = released(people(), method(k=2, t=t))
        labels, whole = classes(now, QUASI), np.bincount(now["ill"], minlength=4) / len(now)
        by_class = [
            np.bincount(now["ill"][labels == c], minlength=4) / (labels == c).sum()
            for c in range(labels.max() + 1)
        ]
        return max(float(np.abs(shares - whole).sum()) / 2 for shares in by_class)

    assert farthest(None) > 0.3
    assert farthest(0.3) <= 0.3
    assert farthest(0.05) <= 0.05


def hierarchies_hold(method: type[Any]) -> None:
    data = quasi({"town": ["Ayle", "Bron", "Bron", "Cull", "Dore", "Dore"]})
    with towns_in_the_working_directory() as entry:
        now = released(data, method(k=3, hierarchies=[entry]))
    assert words_of(now, "town") == ["coast"] * 3 + ["hills"] * 3


def intervals_hold(method: type[Any]) -> None:
    data = quasi({"age": [3.0, 19.0, 20.0, 64.0, 65.0, 80.0]})
    now = words_of(released(data, method(k=2, intervals={"age": [20, 65]})), "age")
    assert now == ["below 20"] * 2 + ["20–64"] * 2 + ["65 and above"] * 2


def widths_hold(method: type[Any]) -> None:
    data = quasi({"age": [0.0, 4.0, 5.0, 9.0, 10.0, 14.0, 15.0, 19.0]})
    once, twice = (words_of(released(data, method(k=k, widths={"age": 5})), "age") for k in (2, 4))
    assert once == [w for w in ("0–4", "5–9", "10–14", "15–19") for _ in range(2)]
    assert twice == ["0–9"] * 4 + ["10–19"] * 4


def mappings_hold(method: type[Any]) -> None:
    data = quasi({"town": ["Ayle", "Bron", "Cull", "Cull"]})
    mappings = {"town": {"coast": ["Ayle", "Bron"]}}
    assert words_of(released(data, method(k=2, mappings=mappings)), "town") == [
        "coast",
        "coast",
        "Cull",
        "Cull",
    ]


SHARED = {
    "k": ("minimum number of records that share their recoded values", k_holds),
    "l": ("minimum number of different values of every confidential column", l_holds),
    "t": ("largest distance, from 0 to 1, of the confidential values", t_holds),
    "hierarchies": (
        "column=path; a relative path starts from the plan's folder, in Python from the working",
        hierarchies_hold,
    ),
    "intervals": ("[20, 65] makes below 20, 20 to below 65, and 65 and above", intervals_hold),
    "widths": (
        "in their own unit: column and number; each further level is twice as wide",
        widths_hold,
    ),
    "mappings": ("categories that are not named stay", mappings_hold),
}
for recoding in (GlobalRecoding, LocalRecoding):
    for parameter, (words, check) in SHARED.items():
        CHECKS[f"{recoding.spec.name}.{parameter}"] = (words, partial(check, recoding))


def k_of_nothing_recodes_as_told() -> None:
    k_holds(GlobalRecoding)
    data = quasi({"age": [3.0, 30.0], "town": ["Ayle", "Bron"]})
    now = released(data, GlobalRecoding(k=None, intervals={"age": [20]}))
    assert words_of(now, "age") == ["below 20", "20 and above"], "though each is alone"
    assert words_of(now, "town") == ["Ayle", "Bron"]


def suppression_is_a_fraction() -> None:
    data = people()
    gone = {}
    for share in (0.0, 0.02, 0.1):
        now = released(data, GlobalRecoding(k=10, suppression=share))
        gone[share] = float((now.column("age").missing & now.column("town").missing).mean())
        assert gone[share] <= share
    assert gone[0.0] == 0 < gone[0.1]
    assert gone[0.1] > 0.02, "0.1 is ten percent, and they are used where they save recoding"


def levels_are_fixed() -> None:
    data = people()
    for level, words in (
        (0, {"Ayle", "Bron", "Cull", "Dore"}),
        (1, {"coast", "hills"}),
        (2, {"*"}),
    ):
        with towns_in_the_working_directory() as entry:
            method = GlobalRecoding(k=5, hierarchies=[entry], levels={"town": level})
            assert set(words_of(released(data, method), "town")) == words


def left_over_bounds_each_round() -> None:
    rounds: list[tuple[int, int]] = []

    def watched(columns: Any, *others: Any) -> Any:
        best = best_recoding(columns, *others)
        assert best is not None
        times = others[3]  # how many records each combination stands for
        rounds.append((int(times.sum()), int(times[best.suppressed].sum())))
        return best

    lost = {}
    for share in (0.0, 0.2, 0.5):
        rounds.clear()
        with mock.patch.object(local, "best_recoding", watched):
            outcome = masked(people(), LocalRecoding(k=10, left_over=share))
        assert all(left <= share * records for records, left in rounds)
        assert (len(rounds) > 1) == (share > 0)
        lost[share] = float(outcome.notes[0].split(": ")[1].split()[0])
    assert lost[0.5] < lost[0.0], "may keep more detail"


CHECKS |= {
    "global-recoding.k": (
        "without a k, columns are recoded as specified",
        k_of_nothing_recodes_as_told,
    ),
    "global-recoding.suppression": ("0.05 is 5 % of the records", suppression_is_a_fraction),
    "global-recoding.levels": ("column and whole number, 0 leaves it as it is", levels_are_fixed),
    "local-recoding.left_over": ("a round may leave to the next", left_over_bounds_each_round),
}
