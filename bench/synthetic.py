"""Every synthetic method on Medicare, Alcohol and the American Community Survey.

The methods are those that the registry has under `methods/synthetic`, with their default
parameters. What they release is rounded to as many decimals as the original has: decimals alone
would distinguish a release from its original. Fully synthetic data have the columns without a role
as background attributes. All quasi-identifiers are continuous, so that methods for numbers only can
be compared with the rest. A method that refuses the data has a row with its reason.

Utility: propensity (0 if indistinguishable from the original; by the learner, so that files of any
size are comparable) and its ratio to that of a sample of the original, marginals (mean total
variation distance) and regression-fit. Risk: distance linkage, where released records have
originals, the nearest records (50 % is what a new sample has) and the ratio of the distances within
which the nearest 5 % lie (none where a twentieth of the originals has a twin). The map has linkage
over propensity. Time is that of the method alone, on all cores together.

A few minutes on two cores.
"""

from __future__ import annotations

import argparse
import csv
import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import discreet
from bench.data import PROJECT, reference_data
from bench.synthetic_map import STYLE, Dot, ru_map
from discreet import DataError, UsageError
from discreet.contracts import Context, Measure, Method, Randomness, paired
from discreet.contracts.registry import build, entries
from discreet.errors import NotApplicable
from discreet.release.decimals import with_decimals_of
from discreet.report.html import filled, page

FOLDER = "discreet.methods.synthetic."
TEMPLATES = PROJECT / "bench" / "templates"
MEASURES = (
    {"propensity": {"model": "learner"}}, "marginals", "regression-fit", "distance-linkage",
    "nearest-record",
)  # fmt: skip
RATIOS = ("ratio to the null", "nearest 5 %: ratio")
SEED = 2003
SAMPLE = 20_000


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
    """One method on one file; a reason instead of figures if it refuses."""

    file: str
    method: str
    seconds: float = 0.0
    values: dict[str, float] = field(default_factory=dict)
    refused: str = ""


def methods(file: File) -> Iterator[Method]:
    """Return every synthetic method in the registry."""
    for entry in entries("method"):
        if entry.__module__.startswith(FOLDER):
            options = entry.example().values()
            if "background" in options:
                options["background"] = file.other
            method = entry(**options)
            assert isinstance(method, Method)
            yield method


def tried(file: File, data: discreet.Microdata, method: Method) -> Row:
    """Run one method and measure its result."""
    name = method.spec.name
    started = time.process_time()
    try:
        masked = method.protect(data, Context(Randomness(SEED)))
    except (DataError, UsageError) as refusal:
        return Row(file.title, name, refused=str(refusal))
    seconds = time.process_time() - started
    released = with_decimals_of(data, masked.data)
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    pairing = paired(origin, masked.groups)
    values = {}
    for parameters in MEASURES:
        measure = build("measure", parameters)
        assert isinstance(measure, Measure)
        if measure.spec.paired and pairing is None:
            continue
        try:
            score = measure.score(data, released, Context(Randomness(SEED)), pairing)
        except NotApplicable:
            continue
        values[measure.spec.name] = score.value
        for part in RATIOS:
            if score.detail.get(part) is not None:
                values[part] = score.detail[part]
    return Row(file.title, name, seconds, values)


COLUMNS = (
    ("propensity", "propensity", "{:.4f}"),
    ("ratio to the null", "to null", "{:.1f}"),
    ("marginals", "marginals", "{:.1%}"),
    ("regression-fit", "regression", "{:.4f}"),
    ("distance-linkage", "linkage", "{:.2%}"),
    ("nearest-record", "nearest", "{:.1%}"),
    ("nearest 5 %: ratio", "5 % ratio", "{:.2f}"),
)
HEAD = ("file", "method", *(head for _, head, _ in COLUMNS), "CPU s")


def cells(row: Row) -> list[str]:
    """Return the figures of a row as they are printed."""
    figures = [
        shape.format(row.values[figure]).replace("%", " %") if figure in row.values else "–"
        for figure, _, shape in COLUMNS
    ]
    return [row.file, row.method, *figures, f"{row.seconds:.2f}"]


def printed(rows: Sequence[Row]) -> None:
    widths = (9, 27, 11, 8, 10, 11, 9, 9, 10, 8)
    print("".join(f"{word:<{w}}" for word, w in zip(HEAD, widths, strict=True)))
    for row in rows:
        if row.refused:
            print(f"{row.file:<9}{row.method:<27}refused: {row.refused}")
        else:
            print("".join(f"{c:<{w}}" for c, w in zip(cells(row), widths, strict=True)))


def dots(rows: Sequence[Row]) -> list[Dot]:
    """Return the position of each method on the map."""
    return [
        Dot(row.file, row.method, row.values["propensity"], row.values.get("distance-linkage"))
        for row in rows
        if "propensity" in row.values
    ]


def as_csv(rows: Sequence[Row]) -> str:
    """Return the figures as they are, for other programs."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["file", "method", *(figure for figure, _, _ in COLUMNS), "seconds", "refused"])
    for row in rows:
        figures = [row.values.get(figure) for figure, _, _ in COLUMNS]
        writer.writerow([row.file, row.method, *figures, row.seconds, row.refused])
    return out.getvalue()


def drawn(rows: Sequence[Row]) -> str:
    """Return the page: the map, the table, and who refused what."""
    values = {
        "map": ru_map(dots(rows)),
        "head": HEAD,
        "figures": [cells(row) for row in rows if not row.refused],
        "refused": [row for row in rows if row.refused],
    }
    parts = [
        (part, heading, filled("synthetic.html", TEMPLATES, part=part, **values))
        for part, heading in (
            ("map", "Risk and utility"),
            ("figures", "Figures"),
            ("refused", "Methods that refuse the data"),
        )
    ]
    lead = (
        "Down is safer, to the left is more like the original. Records that come from no original "
        "cannot be linked: how near they come to originals is in the table."
    )
    return page(
        "Synthetic methods", lead, parts, discreet.__version__, style="synthetic.css",
        folder=TEMPLATES,
    )  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="every synthetic method on three files")
    parser.add_argument("--quick", action="store_true", help="at most 1,500 records of each file")
    quick = parser.parse_args(arguments).quick
    folder = reference_data()
    if folder is None:
        return
    small = FILES[1].read(folder, quick=True).take(np.arange(300))
    for method in methods(FILES[1]):
        tried(FILES[1], small, method)  # compiles, outside of the timing
    rows = []
    for file in FILES:
        data = file.read(folder, quick)
        print(
            f"\n{file.title}: {len(data):,} records, {len(data.schema.names)} columns", flush=True
        )
        rows_of_file = [tried(file, data, method) for method in methods(file)]
        printed(rows_of_file)
        rows += rows_of_file
    target = PROJECT / "bench" / "results" / "synthetic"
    target.mkdir(parents=True, exist_ok=True)
    (target / "methods.csv").write_text(as_csv(rows), encoding="utf-8")
    (target / "ru-map.svg").write_text(ru_map(dots(rows), STYLE), encoding="utf-8")
    (target / "methods.html").write_text(drawn(rows), encoding="utf-8")
    print(f"\nwrote methods.csv, ru-map.svg and methods.html in {target.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
