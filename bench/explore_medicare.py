"""Medicare: the best release under a linkage of 1 %, and whether it is no worse than CAMP-CREST.

The question of the search: at most 1 % of the records linked, and the class divergence X² (which
CAMP-CREST was made to lower) as small as possible. CAMP-CREST itself is among the candidates.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import discreet
from bench.data import PROJECT, reference_data
from bench.papers.li_sarkar import medicare


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="stop after a minute")
    quick = parser.parse_args(arguments).quick
    folder = reference_data()
    if folder is None:
        return
    started = time.perf_counter()
    found = discreet.explore(
        medicare(folder),
        {"distance-linkage": 0.01},
        ["class-divergence", "abico"],
        budget="1m" if quick else "5m",
        seed=1,
    )
    seconds = time.perf_counter() - started
    print(found)
    ours = [p for p in found.ranked if p.candidate.label == "camp-crest"]
    if ours and found.recommended:
        best, crest = (
            point.scores["class-divergence"].mean for point in (found.recommended, ours[0])
        )
        print(f"X² {best:.4f} of the recommended release, {crest:.4f} of {ours[0].label}")
    print(f"{len(found.points)} settings in {seconds:.0f} s (limit 300 s)")
    found.write(PROJECT / "bench" / "results" / "medicare")


if __name__ == "__main__":
    main()
