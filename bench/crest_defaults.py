"""CREST's defaults: X² at equal linkage, by both distances and by how wide an edge looks around.

    python -m bench crest_defaults [--quick]

For each file and level of linkage (nearest or second nearest, five seeds) the least k that keeps
the level, and X² and SSE/SST of its groups: with the distance scaled to [0, 1] and b = k, with the
paper's distance and b = k, with that and b = min(k, 10), and by the defaults, which keep the lower
X² of the last two. Lower is better. How much of it is chance is seen from the runs in which one
record in fifty is left out: their median, and the lowest and highest.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import discreet
from bench.data import reference_data
from bench.papers.li_sarkar import LEVELS, diabetes, medicare
from discreet.contracts import Context
from discreet.methods.perturbative.class_restricted.least_k import Draw, least_k
from discreet.microaggregation.class_restriction import X2
from discreet.microaggregation.partition.crest import CREST, FEW
from discreet.microaggregation.replacement.microperturbation import Microperturbation
from discreet.microdata import Microdata

FORMS: dict[str, Callable[..., CREST]] = {
    "scaled, b = k": lambda k, cut: CREST(k=k, b=k, distance="scaled", classes=cut),
    "printed, b = k": lambda k, cut: CREST(k=k, b=k, classes=cut),
    f"printed, b ≤ {FEW}": lambda k, cut: CREST(k=k, b=min(k, FEW), classes=cut),
    "the defaults": lambda k, cut: CREST(k=k, classes=cut),
}
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


def searched(data: Microdata, form: Callable[[int], CREST]) -> dict[float, CREST]:
    """Return the partition of the least k at each level."""
    names, masking = data.quasi_identifiers, Microperturbation()

    def draw_at(k: int) -> Draw:
        groups = form(k).groups(data, names, Context())
        return lambda context: data.replace(masking.replace(data, names, groups, context))

    _, path = least_k(data, draw_at, min(LEVELS), Context())
    return {level: form(next(k for k, rate in path.items() if rate <= level)) for level in LEVELS}


def left_out(data: Microdata, partition: CREST) -> list[float]:
    """X² of the groups when one record in fifty is left out, several times."""
    rng, found = np.random.default_rng(1), []
    for _ in range(TIMES):
        rows = np.sort(rng.choice(len(data), len(data) * 49 // 50, replace=False))
        groups = partition.groups(data.take(rows), data.quasi_identifiers, Context())
        found.append(float(groups.detail[X2]))
    return found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="crest_defaults", description="X² at equal linkage")
    parser.add_argument("--quick", action="store_true", help="Pima only")
    parser.add_argument("--file", choices=list(FILES), action="append", help="this file only")
    given = parser.parse_args(arguments)
    folder = reference_data()
    if folder is None:
        return
    names = given.file or [*FILES][: 1 if given.quick else None]
    print(
        f"{'file':24}{'linkage':>8}  {'form':18}{'k':>5}{'b':>5}{'groups':>8}{'SSE/SST':>9}{X2:>8}"
        "  one in fifty left out"
    )
    for name in names:
        make, cut = FILES[name]
        data = make(folder)
        for words, form in FORMS.items():
            for level, partition in searched(data, partial(form, cut=cut)).items():
                found = partition.groups(data, data.quasi_identifiers, Context())
                runs = left_out(data, partition)
                print(
                    f"{name:24}{level:8.0%}  {words:18}{partition.k:5}{found.detail['b']:5}"
                    f"{found.count:8}{found.detail['SSE/SST']:9.3f}{found.detail[X2]:8.2f}"
                    f"{np.median(runs):8.2f} ({min(runs):.2f} to {max(runs):.2f})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
