"""The figures of the papers and ours, as a tidy table and as JSON, for further analysis."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from bench.papers.section import Chapter, Chart, Section, Table

COLUMNS = (
    "paper", "section", "shown_in", "row", "setting", "quantity", "unit", "theirs", "ours",
)  # fmt: skip


def in_json(chapters: Sequence[Chapter], version: str, quick: bool) -> str:
    """Return every figure and every statement with its verdict, paper by paper.

    >>> json.loads(in_json([], "1.0", quick=True))
    {'discreet': '1.0', 'quick': True, 'papers': []}
    """
    papers = [
        {
            "name": chapter.paper.name,
            "citation": chapter.paper.citation,
            "absent": chapter.paper.absent,
            "cpu_seconds": chapter.seconds,
            "sections": [_section(section) for section in chapter.sections],
        }
        for chapter in chapters
    ]
    content = {"discreet": version, "quick": quick, "papers": papers}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def in_csv(chapters: Sequence[Chapter]) -> str:
    """Return one line for each figure; a cell is empty where the paper or we have none.

    >>> in_csv([]).strip()
    'paper,section,shown_in,row,setting,quantity,unit,theirs,ours'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for chapter in chapters:
        for section in chapter.sections:
            for figure in _figures(section):
                place = {"paper": chapter.paper.name, "section": section.title}
                writer.writerow({**place, **figure})
    return text.getvalue()


def _section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "not_redone": section.failure or None,
        "missing_files": section.missing,
        "statements": [
            {"says": f.says, "verdict": f.verdict.value, "here": f.here} for f in section.findings
        ],
        "figures": list(_figures(section)),
        "remarks": section.remarks,
    }


def _figures(section: Section) -> Iterator[dict[str, Any]]:
    for table in section.tables:
        yield from _of_table(table)
    for chart in section.charts:
        yield from _of_chart(chart)


def _of_table(table: Table) -> Iterator[dict[str, Any]]:
    for row in table.rows:
        for quantity, pair in zip(table.quantities, row.pairs, strict=True):
            yield {
                "shown_in": table.caption,
                "row": row.label,
                "setting": row.setting,
                "quantity": quantity.words,
                "unit": quantity.unit,
                "theirs": _finite(pair.paper),
                "ours": _finite(pair.ours),
            }


def _of_chart(chart: Chart) -> Iterator[dict[str, Any]]:
    """Yield the points of a figure; the curves of the paper are beside ours."""
    for curve in chart.curves:
        is_ours = curve.beside is None
        for across, up in curve.points:
            yield {
                "shown_in": chart.title,
                "row": curve.name,
                "setting": f"{chart.across} = {across:.10g}",
                "quantity": chart.up,
                "unit": "",
                "theirs": None if is_ours else _finite(up),
                "ours": _finite(up) if is_ours else None,
            }


def _finite(value: float | None) -> float | None:
    """Return a figure as JSON can represent it: None if there is none."""
    return None if value is None or value != value or abs(value) == float("inf") else float(value)
