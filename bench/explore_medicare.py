"""Medicare: the best release under a linkage of 1 % whose X² is no worse than CAMP-CREST's.

CAMP-CREST first finds the least k that reaches the linkage; its X² is then a limit of the search,
beside the linkage, and every method is tried for the smallest bias of correlations (ABICO). X² is
that of the groups which a method made; a release without groups is judged by its classes of equal
records, of which most hold one record, so the limit says little about such a one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import discreet
from bench.data import PROJECT, reference_data
from discreet.papers.li_sarkar import medicare

LINKAGE = 0.01
RISK, X2 = "linked-or-second", "class-divergence"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="stop after a minute")
    quick = parser.parse_args(arguments).quick
    folder = reference_data()
    if folder is None:
        return
    data = medicare(folder)
    started = time.perf_counter()
    release = discreet.protect(data, discreet.CampCrest(target_linkage=LINKAGE), seed=1)
    crest = discreet.assess(data, release, [RISK, X2, "abico"])
    x2, abico = crest.risk[X2].value, crest.utility["abico"].value
    before = time.perf_counter() - started
    print(
        f"CAMP-CREST: linkage {crest.risk[RISK].value:.2%}, X² {x2:.3f}, ABICO {abico:.1%} "
        f"({before:.0f} s)"
    )
    found = discreet.explore(
        data,
        {RISK: LINKAGE, X2: x2},
        ["abico", "propensity"],
        budget="1m" if quick else f"{285 - before:.0f}s",
        seed=1,
    )
    print(found)
    print(f"{len(found.points)} settings; {time.perf_counter() - started:.0f} s in all (limit 300)")
    found.write(PROJECT / "bench" / "results" / "medicare")


if __name__ == "__main__":
    main()
