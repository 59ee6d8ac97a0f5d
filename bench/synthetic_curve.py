"""CART synthesis by leaf size and smoothing: utility against measured risk.

Half of each file is synthesised, the other half is held back. Utility: how far Spearman's
correlations and Cramér's V move on average, S_pMSE of all columns and pairs (1 is a new sample),
and the share of coefficients of three regressions that lie within the intervals of the synthetic
file. Risk: the share of right answers about who was in the file and of synthetic records nearer to
one used than to one held back (both 50 % for a new sample), and of synthetic records that repeat a
unique original. Means of three runs. Writes curve.svg.

About five minutes on two cores.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from bench.data import PROJECT, reference_data
from bench.synthetic_map import STYLE
from bench.synthetic_quality import FILES, covered, cramer, labels, numbers, read, spearman
from discreet import CartSynthesis, Microdata
from discreet.contracts import Context, Measure, Randomness
from discreet.contracts.registry import build
from discreet.models.sequential.assembly import replicas
from discreet.report.svg import drawing, label, line, place

TITLES = ("Medicare", "Alcohol", "ACS", "Adult")
RECORDS, RUNS, SEED = 10_000, 3, 11
LEAVES = (3, 5, 10, 20, 50)
PANEL, GAP, LEFT, TOP, FOOT = 200.0, 40.0, 50.0, 40.0, 46.0
COLOURS = {True: "#0072b2", False: "#d55e00"}


@dataclass(frozen=True)
class Setting:
    """One setting on one file."""

    file: str
    leaf: int
    smoothing: bool
    dependence: float
    tables: float
    covered: float
    membership: float
    nearer: float
    replicated: float


def _score(name: str, used: Microdata, made: Microdata, context: Context) -> float:
    measure = build("measure", name)
    assert isinstance(measure, Measure)
    return measure.score(used, made, context).value


def measured(file: str, used: Microdata, held: Microdata, leaf: int, smooth: bool) -> Setting:
    """Return the means of a few runs of one setting."""
    method = CartSynthesis(everything=True, leaf=leaf, smoothing=smooth)
    rows = []
    for run in range(RUNS):
        made = method.protect(used, Context(Randomness(SEED + run))).data
        context = Context(Randomness(SEED + run), control=held)
        moved = [
            np.abs(of(used, names) - of(made, names))
            for of, names in ((spearman, numbers(used)), (cramer, labels(used)))
            if len(names) > 1
        ]
        rows.append(
            (
                float(np.concatenate(moved).mean()),
                _score("table-propensity", used, made, context),
                covered(used, made),
                _score("membership", used, made, context),
                _score("nearest-record", used, made, context),
                float(replicas(used, made).mean()),
            )
        )
    return Setting(file, leaf, smooth, *np.mean(rows, axis=0).tolist())


def curve(settings: Sequence[Setting]) -> str:
    """Return the picture: a panel for each file, dependence lost over membership."""
    files = list(dict.fromkeys(setting.file for setting in settings))
    most = 1.1 * max(setting.dependence for setting in settings)
    low, high = 0.48, max(0.6, 0.01 + max(setting.membership for setting in settings))
    parts = [
        label(LEFT, TOP + PANEL + 40, "right answers about who was in the file", css="soft"),
        label(4, 14, "dependence lost; blue: smoothed, orange: not; numbers: leaf", css="soft"),
    ]
    for number, file in enumerate(files):
        left = LEFT + number * (PANEL + GAP)
        foot = TOP + PANEL
        parts += [line(left, foot, left + PANEL, foot, "strong-axis")]
        parts += [line(left, TOP, left, foot, "strong-axis"), label(left, TOP - 8, file)]
        for share in (0.5, 0.55, 0.6):
            if share <= high:
                x = left + PANEL * (share - low) / (high - low)
                parts.append(line(x, TOP, x, foot, "axis"))
                parts.append(label(x, foot + 16, f"{100 * share:.0f} %", "middle", "soft"))
        for lost in (0.01, 0.02, 0.03, 0.04):
            if lost <= most and not number:
                parts.append(label(left - 6, foot - PANEL * lost / most + 4, lost, "end", "soft"))
        for smooth, colour in COLOURS.items():
            spots = [
                (
                    left + PANEL * (setting.membership - low) / (high - low),
                    foot - PANEL * setting.dependence / most,
                    setting.leaf,
                )
                for setting in settings
                if setting.file == file and setting.smoothing is smooth
            ]
            points = " ".join(f"{place(x)},{place(y)}" for x, y, _ in spots)
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
            for x, y, leaf in spots:
                parts.append(f'<circle cx="{place(x)}" cy="{place(y)}" r="3" fill="{colour}"/>')
                parts.append(label(x + 5, y - 4, leaf))
    return drawing(
        LEFT + len(files) * (PANEL + GAP), TOP + PANEL + FOOT, "Leaf size and smoothing",
        "Dependence lost over the share of right answers about membership, for each leaf size",
        "".join(parts), style=STYLE,
    )  # fmt: skip


HEAD = ("file", "leaf", "smoothed", "lost", "S_pMSE", "covered", "member", "nearer", "repeated")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="CART synthesis over leaf size and smoothing")
    parser.add_argument("--quick", action="store_true", help="two leaf sizes, one file")
    quick = parser.parse_args(arguments).quick
    folder = reference_data()
    if folder is None:
        return
    warnings.simplefilter("ignore")
    print("{:<10}{:>5}{:>10}{:>7}{:>8}{:>9}{:>8}{:>8}{:>10}".format(*HEAD), flush=True)
    settings = []
    for file in TITLES[1:2] if quick else TITLES:
        data = read(folder / FILES[file], RECORDS)
        rows = np.random.default_rng(SEED).permutation(len(data))
        half = len(data) // 2
        used, held = data.take(np.sort(rows[:half])), data.take(np.sort(rows[half:]))
        for smooth in (True, False):
            for leaf in LEAVES[1:3] if quick else LEAVES:
                setting = measured(file, used, held, leaf, smooth)
                settings.append(setting)
                print(
                    "{:<10}{:>5}{!s:>10}{:>7.3f}{:>8.2f}{:>9.0%}{:>8.1%}{:>8.1%}{:>10.2%}".format(
                        *astuple(setting)
                    ),
                    flush=True,
                )
    target = PROJECT / "bench" / "results" / "synthetic"
    target.mkdir(parents=True, exist_ok=True)
    (target / "curve.svg").write_text(curve(settings), encoding="utf-8")
    print(f"\nwrote curve.svg in {target.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
