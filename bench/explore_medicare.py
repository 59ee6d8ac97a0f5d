"""Medicare: the best release under a linkage of 1 %, and whether it matches CAMP-CREST.

At most 1 % of the records may be linked, and the class divergence X², which CAMP-CREST was designed
to reduce, is to be as small as possible; the bias of correlations (ABICO) is also shown. Releases
without groups have no X²; their rows give this reason. CAMP-CREST itself is among the candidates.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import discreet
from bench.data import PROJECT, reference_data
from bench.papers.li_sarkar import medicare

LINKAGE = 0.01
X2 = "class-divergence"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="stop after a minute")
    quick = parser.parse_args(arguments).quick
    folder = reference_data()
    if folder is None:
        return
    started = time.perf_counter()
    exploration = discreet.explore(
        medicare(folder),
        {"linked-or-second": LINKAGE},
        [X2, "abico"],
        budget="1m" if quick else "290s",
        seed=1,
    )
    seconds = time.perf_counter() - started
    print(exploration)
    crest = [p for p in exploration.ranked if p.candidate.label == "camp-crest"]
    if crest and exploration.recommended:
        best, other = (p.scores[X2].mean for p in (exploration.recommended, crest[0]))
        print(f"X² {best:.3f} of {exploration.recommended.label}, {other:.3f} of {crest[0].label}")
    print(f"{len(exploration.points)} settings in {seconds:.0f} s (limit 300 s)")
    exploration.write(PROJECT / "bench" / "results" / "medicare")


if __name__ == "__main__":
    main()
