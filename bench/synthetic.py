"""Every synthetic method on Medicare, Alcohol and the American Community Survey.

The methods are those that the registry has under `methods/synthetic`, with their default
parameters, except that columns of whole numbers are rounded again where a method can: decimals
alone would tell a release from its original. All quasi-identifiers are continuous, so that methods
for numbers only can be compared with the others. A method that refuses the data has a row with its
reason.

Utility: propensity (0 is what cannot be told from the original), marginals (mean total variation
distance) and regression-fit. Risk: distance linkage, where released records have originals,
the nearest records (50 % is what a new sample has) and the ratio of the distances within which the
nearest 5 % lie (none where a twentieth of the originals has a twin). The map has linkage over
propensity, for the methods whose records have originals.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import discreet
from bench.data import PROJECT, reference_data
from discreet import DataError, UsageError
from discreet.contracts import Context, Measure, Method, NotApplicable, paired
from discreet.randomness import Randomness
from discreet.registry import build, entries
from discreet.report.html import page
from discreet.report.markup import table, text
from discreet.report.svg import drawing, label, line, place

FOLDER = "discreet.methods.synthetic."
UTILITY = ("propensity", "marginals", "regression-fit")
RISK = ("distance-linkage", "nearest-record")
SEED = 2003
SAMPLE = 20_000
WIDTH, HEIGHT = 760.0, 420.0
COLOURS = ("#0072b2", "#d55e00", "#009e73")


@dataclass(frozen=True)
class File:
    """A file, the columns that it is cut to, and which of them are confidential."""

    title: str
    path: str
    quasi_identifiers: tuple[str, ...]
    confidential: tuple[str, ...]
    other: tuple[str, ...] = ()
    sample: int | None = None

    def read(self, folder: Any, quick: bool) -> discreet.Microdata:
        roles = dict.fromkeys(self.quasi_identifiers, "quasi-identifier")
        roles |= dict.fromkeys(self.confidential, "confidential")
        data = discreet.read(folder / self.path, roles=roles)
        kept = {*roles, *self.other}
        data = data.drop([name for name in data.schema.names if name not in kept])
        size = min(len(data), self.sample or len(data))
        size = min(size, 1_500) if quick else size
        rows = np.random.default_rng(SEED).choice(len(data), size, replace=False)
        return data.take(np.sort(rows))


FILES = (
    File(
        "Medicare", "medicare_nmes1988.csv", ("age", "school", "income"),
        ("visits", "hospital", "chronic"), ("health", "gender", "married", "region"),
    ),
    File(
        "Alcohol", "alcohol_kenkel_terza.csv", ("educ", "income"), ("drinks",),
        ("age", "race", "marital", "region", "empstatus"),
    ),
    File(
        "ACS", "gov_census_acs2018.parquet",
        ("age", "education_level", "hours_worked", "weeks_worked", "family_size"), ("salary",),
        ("sex", "race", "marital", "nativity"), SAMPLE,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One method on one file; a reason in place of figures where it refuses."""

    file: str
    method: str
    seconds: float = 0.0
    values: dict[str, float] = field(default_factory=dict)
    refused: str = ""


def methods() -> Iterator[Method]:
    """Give every synthetic method that the registry has, rounding where it can."""
    for entry in entries("method"):
        if entry.__module__.startswith(FOLDER):
            options = entry.example().values()
            if "round" in options:
                options["round"] = True
            method = entry(**options)
            assert isinstance(method, Method)
            yield method


def tried(file: File, data: discreet.Microdata, method: Method) -> Row:
    """Run one method and measure what comes out."""
    name = method.spec.name
    started = time.process_time()
    try:
        masked = method.protect(data, Context(Randomness(SEED)))
    except (DataError, UsageError) as refusal:
        return Row(file.title, name, refused=str(refusal))
    seconds = time.process_time() - started
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    pairing = paired(origin, masked.groups)
    values = {}
    for which in (*UTILITY, *RISK):
        measure = build("measure", which)
        assert isinstance(measure, Measure)
        if measure.spec.paired and pairing is None:
            continue
        try:
            found = measure.score(data, masked.data, Context(Randomness(SEED)), pairing)
        except NotApplicable:
            continue
        values[which] = found.value
        ratio = found.detail.get("nearest 5 %: ratio")
        if ratio is not None:
            values["ratio"] = ratio
    return Row(file.title, name, seconds, values)


def cells(row: Row) -> list[str]:
    """Return the figures of a row as they are printed."""

    def percent(which: str, digits: int = 1) -> str:
        return f"{100 * row.values[which]:.{digits}f} %" if which in row.values else "–"

    def number(which: str) -> str:
        return f"{row.values[which]:.4f}" if which in row.values else "–"

    return [
        row.file, row.method, number("propensity"), percent("marginals"), number("regression-fit"),
        percent("distance-linkage", 2), percent("nearest-record"),
        f"{row.values['ratio']:.2f}" if "ratio" in row.values else "–", f"{row.seconds:.2f}",
    ]  # fmt: skip


HEAD = (
    "file", "method", "propensity", "marginals", "regression-fit", "linkage", "nearest record",
    "5 % ratio", "CPU s",
)  # fmt: skip


def printed(rows: Sequence[Row]) -> None:
    widths = (9, 26, 11, 10, 15, 9, 15, 10, 8)
    print("".join(f"{word:<{w}}" for word, w in zip(HEAD, widths, strict=True)))
    for row in rows:
        if row.refused:
            print(f"{row.file:<9}{row.method:<26}refused: {row.refused}")
        else:
            print("".join(f"{c:<{w}}" for c, w in zip(cells(row), widths, strict=True)))


def ru_map(rows: Sequence[Row]) -> str:
    """Return linkage over propensity: a colour for each file, a number for each method."""
    shown = [r for r in rows if {"propensity", "distance-linkage"} <= r.values.keys()]
    names = sorted({row.method for row in shown})
    left, bottom, top, right = 60.0, 40.0, 30.0, 190.0
    base, end = HEIGHT - bottom, WIDTH - right
    most_risk = max((r.values["distance-linkage"] for r in shown), default=0.0) or 1.0
    most_loss = max((r.values["propensity"] for r in shown), default=0.0) or 1.0
    # Square roots: most methods are near zero on one axis or the other.
    parts = [line(left, base, end, base, "strong-axis"), line(left, base, left, top, "strong-axis")]
    for share in (0.0, 0.04, 0.16, 0.36, 0.64, 1.0):
        x = left + (end - left) * share**0.5
        y = base - (base - top) * share**0.5
        parts.append(label(x, base + 14, f"{most_loss * share:.4f}", "middle", "soft"))
        parts.append(label(left - 5, y + 4, f"{100 * most_risk * share:.1f} %", "end", "soft"))
    words = "propensity, on a scale of square roots: less like the original to the right"
    parts.append(label((left + end) / 2, HEIGHT - 6, words, "middle", "soft"))
    parts.append(label(6, 12, "records linked", "start", "soft"))
    colours = {file.title: colour for file, colour in zip(FILES, COLOURS, strict=True)}
    for row in shown:
        x = left + (end - left) * (row.values["propensity"] / most_loss) ** 0.5
        y = base - (base - top) * (row.values["distance-linkage"] / most_risk) ** 0.5
        parts.append(_point(x, y, colours[row.file], f"{row.method}, {row.file}"))
        parts.append(label(x + 6, y + 4, str(names.index(row.method) + 1), "start", "soft"))
    for at, (title, colour) in enumerate(colours.items()):
        parts.append(_point(end + 16, top + 16 * at, colour, title))
        parts.append(label(end + 26, top + 16 * at + 4, title))
    for at, name in enumerate(names):
        parts.append(label(end + 12, top + 16 * (at + 4), f"{at + 1} {name}"))
    return drawing(
        WIDTH, HEIGHT, "R-U map of synthetic methods",
        "Share of records linked over the propensity score of each method", "".join(parts),
    )  # fmt: skip


def _point(x: float, y: float, colour: str, words: str) -> str:
    return (
        f'<circle cx="{place(x)}" cy="{place(y)}" r="4" fill="{colour}">'
        f"<title>{text(words)}</title></circle>"
    )


def drawn(rows: Sequence[Row]) -> str:
    """Return the page: the map, the table, and who refused what."""
    figures = table(
        HEAD, [cells(r) for r in rows if not r.refused], numeric=range(2, 9),
        caption="Every synthetic method; whole numbers are rounded where a method can",
    )  # fmt: skip
    refused = [[r.file, r.method, text(r.refused)] for r in rows if r.refused]
    parts = [
        ("map", "Risk and utility", f"<figure>{ru_map(rows)}</figure>"),
        ("figures", "Figures", figures),
    ]
    if refused:
        reasons = table(["file", "method", "reason"], refused, numeric=(), caption="Refused")
        parts.append(("refused", "Methods that refuse the data", reasons))
    lead = (
        "Records that come from no original cannot be linked and are not in the map: their "
        "nearest records are in the table."
    )
    return page("Synthetic methods", lead, parts, discreet.__version__)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="every synthetic method on three files")
    parser.add_argument("--quick", action="store_true", help="at most 1,500 records of each file")
    quick = parser.parse_args(arguments).quick
    folder = reference_data()
    if folder is None:
        return
    small = FILES[1].read(folder, quick=True).take(np.arange(300))
    for method in methods():
        tried(FILES[1], small, method)  # compiles, outside of the timing
    rows = []
    for file in FILES:
        data = file.read(folder, quick)
        print(
            f"\n{file.title}: {len(data):,} records, {len(data.schema.names)} columns", flush=True
        )
        found = [tried(file, data, method) for method in methods()]
        printed(found)
        rows += found
    target = PROJECT / "bench" / "results" / "synthetic.html"
    target.parent.mkdir(exist_ok=True)
    target.write_text(drawn(rows), encoding="utf-8")
    print(f"\nwrote {target.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
