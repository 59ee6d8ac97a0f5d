"""The page of the bench camp_crest: its tables, what they show, and Figure 6."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import discreet
from bench.papers.li_sarkar import BENCHMARK, FULL, NARROW, PAPER, PARTIAL
from discreet.report.html import page
from discreet.report.markup import table
from discreet.report.svg import WIDTH, drawing, label, line, place


def lines_of(rows: Iterable[dict[str, Any]]) -> list[list[str]]:
    """Return table rows of text, the paper's figure behind each of ours."""
    lines = []
    for row in rows:
        paper = PAPER.get((row["data"], row["level"], row["method"]))
        ours = (
            row["seconds"], 100 * row["linkage"], row["x2"], 100 * row["abim"],
            100 * row["abisd"], 100 * row["abico"],
        )  # fmt: skip
        cells = [
            f"{value:.2f} ({paper[i]:g})" if paper else f"{value:.2f}"
            for i, value in enumerate(ours)
        ]
        sizes = f"{row['k']}" if row["t"] is None else f"{row['k']}, t {row['t']:g}"
        unscaled = f"{100 * row['unscaled']:.2f}"
        lines.append([row["data"], f"{row['level']:.0%}", row["method"], sizes, *cells, unscaled])
    return lines


HEAD = [
    "file", "level", "method", "k", "seconds", "linkage %", "X²", "ABIM %", "ABISD %", "ABICO %",
    "unscaled linkage %",
]  # fmt: skip


CENTRED = (
    "ABIM is 0, and ABISD and ABICO are smaller than the paper's, because our noise is centred "
    "within groups; the second table has the procedure as printed, whose figures are of the size "
    "of the paper's (ABIM about a third below them)."
)
SCALED = (
    "k and X² are larger than the paper's at the same linkage. Where X² is the paper's (second "
    "table), ABISD is near the paper's too, so the groups are alike; but there our linkage, on "
    "columns divided by their range, is several times the paper's. The paper does not say how it "
    "scales columns for linkage; not scaling them at all gives the last column, which is too large "
    "for Diabetes and too small for Medicare, so that does not explain it either."
)
SET_BY_T = (
    "The benchmark's X² depends on t, which the paper sets so that X² is not below that of the "
    "others, and so does this bench where some t allows it: that the benchmark comes last is a "
    "choice, not a finding. The finding is in the rows 'as mixed': with classes mixed as by "
    "CAMP-CREST, at the same linkage, its deviations are 40 to 58 % too small, those of CAMP-CREST "
    "about 1 %."
)
FEW_GROUPS = (
    "Diabetes at 1 % needs groups of 58 records and more, the benchmark of 136, whatever t from "
    "0.15 on: it then has four groups, the others eight or nine. X² as the mean over so few groups "
    "leaps from one k to the next (Partial CAMP-CREST: between 1.7 and 6.9 for k from 30 to 98), "
    "so the order of X² in that row means little."
)
WIDE = (
    "With b = k and a large k, X² of CAMP-CREST can exceed that of Partial CAMP-CREST, as on "
    "Diabetes at 1 %; with at most 10 records around an edge it does not, and is smaller in every "
    "row. A likely reason, not proved here: the classes of many records around an edge hardly "
    "change when one more joins, so that growing the tree mixes them no longer. The bound of 10 "
    "was chosen after trying 5, 10 and 20 on Diabetes, so only the rows of Medicare test it. "
    "The paper's groups were probably smaller, and do not show this."
)
NEAR_ZERO = (
    "ABICO is dominated by pairs whose correlation is nearly zero, so it moves much with t, with "
    "the seed and with the coding of categories."
)


def findings(found: dict[str, Any]) -> list[str]:
    """Return what the figures show, and why some are far from the paper's."""
    said = []
    rows = {(r["data"], r["level"], r["method"]): r for r in found["table 1"]}
    for name, level in dict.fromkeys((r["data"], r["level"]) for r in found["table 1"]):
        for full in (FULL, NARROW):
            ways = [rows[name, level, method] for method in (full, PARTIAL, BENCHMARK)]
            x2 = [way["x2"] for way in ways]
            single = max(way["abisd"] for way in ways[:2]) < 0.1
            said.append(
                f"{name}, {level:.0%}: X² in the order {full} < Partial < benchmark: "
                f"{'yes' if x2 == sorted(set(x2)) else 'NO'}; ABISD of both perturbed files in "
                f"single digits: {'yes' if single else 'NO'}."
            )
    return [*said, CENTRED, SCALED, SET_BY_T, FEW_GROUPS, WIDE, NEAR_ZERO]


def chart(lines: dict[str, list[tuple[float, float]]]) -> str:
    """Return Figure 6: ABICO over linkage, in percent, linkage falling to the right."""
    height, left, bottom, top = 220.0, 44.0, 30.0, 10.0
    farthest = max(x for points in lines.values() for x, _ in points)
    most = max(y for points in lines.values() for _, y in points)

    def spot(x: float, y: float) -> tuple[float, float]:
        across = WIDTH - 12 - (WIDTH - left - 12) * x / farthest
        return across, height - bottom - (height - bottom - top) * y / most

    parts = [line(left, height - bottom, WIDTH - 12, height - bottom, "strong-axis")]
    for share in (0.0, 0.5, 1.0):
        level = spot(0, share * most)[1]
        parts.append(line(left, level, WIDTH - 12, level, "axis"))
        parts.append(label(left - 5, level + 4, f"{100 * share * most:.0f} %", "end", "soft"))
    for x in (farthest, 0.01):
        at = spot(x, 0)[0]
        parts.append(label(at, height - bottom + 13, f"{100 * x:.0f} %", "middle", "soft"))
    parts.append(label((left + WIDTH) / 2, height - 4, "linkage", "middle", "soft"))
    for side, points in zip(("original", "released"), lines.values(), strict=True):
        spots = [tuple(map(place, spot(x, y))) for x, y in points]
        parts.append(f'<path d="M{"L".join(" ".join(s) for s in spots)}" class="{side}-line"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" class="{side}-mark"/>' for x, y in spots]
    return drawing(WIDTH, height, "Figure 6", "ABICO over linkage", "".join(parts))


def _shown(rows: Sequence[dict[str, Any]], caption: str) -> str:
    return table(HEAD, lines_of(rows), numeric=range(4, len(HEAD)), caption=caption)


def drawn(found: dict[str, Any]) -> str:
    """Return the page with both tables and Figure 6."""
    legend = (
        '<p class="legend"><span><i class="key original"></i>benchmark</span>'
        '<span><i class="key released"></i>CAMP-CREST</span></p>'
    )
    said = "".join(f"<p>{sentence}</p>" for sentence in findings(found))
    printed = _shown(found["as printed"], "as printed, at the k whose X² is nearest the paper's")
    sections = [
        ("table-1", "Table 1", _shown(found["table 1"], "Table 1") + said),
        ("printed", "The procedure as printed", printed),
        ("figure-6", "Figure 6: Diabetes", f"{legend}{chart(found['figure 6'])}"),
    ]
    lead = "Li & Sarkar (2013): ours, with the paper's figures in brackets."
    return page("CAMP-CREST", lead, sections, discreet.__version__)
