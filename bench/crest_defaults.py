"""CREST's defaults: X² at equal linkage, by both distances and by how wide an edge looks around.

    python -m bench crest_defaults [--quick] [--file NAME]

For each file and level of linkage (nearest or second nearest, five seeds) the least k that keeps
the level, and X² and SSE/SST of its groups: with the distance scaled to [0, 1] and b = k, with the
paper's distance and b = min(k, 10), and by the defaults, which keep the lower X² of b = k and of
b = min(k, 10). Lower is better.

How much of it is chance is seen by doing all of it again, several times, with one record in fifty
left out and other noise in the linkage, which also moves k: the lowest, median and highest X².
Beside them stands what an implementation of its own, with random numbers of its own, found for the
same settings, and whether that lies within the range of ours.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np

import discreet
from bench.data import reference_data
from bench.papers.camp_crest_runs import least_by_halving
from bench.papers.li_sarkar import LEVELS, diabetes, medicare
from discreet.contracts import Context, Randomness
from discreet.methods.perturbative.class_restricted.least_k import SEEDS, linkage
from discreet.microaggregation.class_restriction import X2
from discreet.microaggregation.partition.crest import CREST, FEW
from discreet.microaggregation.replacement.microperturbation import Microperturbation
from discreet.microdata import Microdata

SCALED, PRINTED, DEFAULTS = "scaled, b = k", f"printed, b ≤ {FEW}", "the defaults"
FORMS: dict[str, Callable[..., CREST]] = {
    SCALED: lambda k, cut: CREST(k=k, b=k, distance="scaled", classes=cut),
    PRINTED: lambda k, cut: CREST(k=k, b=min(k, FEW), classes=cut),
    DEFAULTS: lambda k, cut: CREST(k=k, classes=cut),
}
ELSEWHERE = {
    ("Pima", 0.05): {SCALED: 1.82, PRINTED: 1.37},
    ("Pima", 0.01): {SCALED: 8.99, PRINTED: 2.55},
    ("thyroid, hypo", 0.05): {SCALED: 1.35, PRINTED: 0.94},
    ("thyroid, hypo", 0.01): {SCALED: 2.39, PRINTED: 1.58},
    ("thyroid, TT4 tertiles", 0.05): {SCALED: 3.18, PRINTED: 2.79},
    ("thyroid, TT4 tertiles", 0.01): {SCALED: 9.34, PRINTED: 9.72},
}
"""X² of the other implementation. Which columns of thyroid it took is not known: ours are those of
four sets that came nearest."""
NUMBERS = ("age", "TSH", "T3", "T4U")
"""Without FTI, the free thyroxine index, from which TT4 is computed."""
HYPO = "class_allhypo"
TIMES = 10


def thyroid(folder: Path, confidential: str) -> Microdata:
    """Four numbers of the complete thyroid records, and one confidential column.

    Hypothyroid of any kind is one class: of one kind the file has a single record, which would
    decide X² alone.
    """
    roles = dict.fromkeys(NUMBERS, "quasi-identifier") | {confidential: "confidential"}
    names = [*NUMBERS, confidential]
    data = discreet.read(folder / "thyroid_complete_1947.csv", roles, columns=names)
    if confidential != HYPO:
        return data
    negative = data.schema[HYPO].categories.index("negative")
    ill = ["no" if code == negative else "yes" for code in data[HYPO]]
    return discreet.read({**{name: data[name].tolist() for name in NUMBERS}, HYPO: ill}, roles)


FILES: dict[str, tuple[Callable[[Path], Microdata], int | None]] = {
    "Pima": (diabetes, None),
    "thyroid, hypo": (partial(thyroid, confidential=HYPO), None),
    "thyroid, TT4 tertiles": (partial(thyroid, confidential="TT4"), 3),
    "Medicare": (medicare, None),
}


def least(
    data: Microdata, form: Callable[[int], CREST], seeds: Sequence[int]
) -> dict[float, CREST]:
    """Return the partition of the least k at each level, by halving; noise is that of the seeds."""
    names, masking = data.quasi_identifiers, Microperturbation()

    @cache
    def rate(k: int) -> float:
        groups = form(k).groups(data, names, Context())
        drawn = (masking.replace(data, names, groups, Context(Randomness(s))) for s in seeds)
        return float(np.mean([linkage(data, data.replace(columns)) for columns in drawn]))

    return {
        level: form(least_by_halving(lambda k, level=level: rate(k) <= level, len(data) // 2))  # type: ignore[misc]
        for level in LEVELS
    }


def again(data: Microdata, form: Callable[[int], CREST], times: int) -> dict[float, list[float]]:
    """Return X² at each level when one record in fifty is left out and other noise is drawn."""
    rng = np.random.default_rng(1)
    found: dict[float, list[float]] = {level: [] for level in LEVELS}
    for _ in range(times):
        rows = np.sort(rng.choice(len(data), len(data) * 49 // 50, replace=False))
        part, seeds = data.take(rows), rng.integers(2**31, size=len(SEEDS)).tolist()
        for level, partition in least(part, form, seeds).items():
            groups = partition.groups(part, part.quasi_identifiers, Context())
            found[level].append(float(groups.detail[X2]))
    return found


def verdict(figure: float | None, runs: Sequence[float]) -> str:
    """Return whether a figure of elsewhere is one that these runs might have had.

    >>> verdict(1.8, [1.5, 2.0]), verdict(2.5, [1.5, 2.0]), verdict(None, [1.0])
    ('1.80 within', '2.50 outside, by 0.50', '')
    """
    if figure is None:
        return ""
    beyond = max(min(runs) - figure, figure - max(runs), 0.0)
    return f"{figure:.2f} {f'outside, by {beyond:.2f}' if beyond else 'within'}"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="crest_defaults", description="X² at equal linkage")
    parser.add_argument("--quick", action="store_true", help="Pima only, three runs")
    parser.add_argument("--file", choices=list(FILES), action="append", help="this file only")
    parser.add_argument("--times", type=int, default=TIMES, help="runs with records left out")
    given = parser.parse_args(arguments)
    folder = reference_data()
    if folder is None:
        return
    names = given.file or [*FILES][: 1 if given.quick else None]
    print(
        f"{'file':24}{'linkage':>8}  {'form':18}{'k':>5}{'b':>5}{'groups':>8}{'SSE/SST':>9}{X2:>8}"
        "  again: median (range)     elsewhere"
    )
    for name in names:
        make, cut = FILES[name]
        data = make(folder)
        for words, form in FORMS.items():
            at = partial(form, cut=cut)
            runs = again(data, at, 3 if given.quick else given.times)
            for level, partition in least(data, at, SEEDS).items():
                found = partition.groups(data, data.quasi_identifiers, Context())
                drawn = runs[level]
                span = f"{np.median(drawn):.2f} ({min(drawn):.2f} to {max(drawn):.2f})"
                print(
                    f"{name:24}{level:8.0%}  {words:18}{partition.k:5}{found.detail['b']:5}"
                    f"{found.count:8}{found.detail['SSE/SST']:9.3f}{found.detail[X2]:8.2f}"
                    f"  {span:24}  {verdict(ELSEWHERE.get((name, level), {}).get(words), drawn)}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
