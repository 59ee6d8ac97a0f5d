"""The sections as text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.papers.difference import difference, ours_in_words, paper_in_words
from bench.papers.section import Chart, Section, Table


def in_text(section: Section) -> str:
    """Return a section as lines of text.

    >>> print(in_text(Section("Table 1", failure="the file is empty")))
    Table 1
    not redone: the file is empty
    """
    return "\n".join(_lines(section))


def _lines(section: Section) -> Iterator[str]:
    yield section.title
    if section.missing:
        yield f"not redone: {', '.join(section.missing)} is not in the folder of the data"
    if section.failure:
        yield f"not redone: {section.failure}"
    for finding in section.findings:
        verdict = finding.verdict.upper()
        yield f"{verdict}: {finding.says} (here: {finding.here})"
    for table in section.tables:
        yield from ("", table.caption, *_aligned(table))
    for chart in section.charts:
        yield from _points(chart)
    yield from section.remarks


def _aligned(table: Table) -> Sequence[str]:
    lines = [[table.heading, "setting"], *([row.label, row.setting] for row in table.rows)]
    for i, quantity in enumerate(table.quantities):
        pairs = [row.pairs[i] for row in table.rows]
        both = any(pair.paper is not None for pair in pairs)
        name = f"{quantity.words} {quantity.unit}".strip()
        lines[0] += [f"{name}: paper", "ours"] if both else [name]
        lines[0] += ["difference"] if both and quantity.compared else []
        for line, pair in zip(lines[1:], pairs, strict=True):
            line += [paper_in_words(pair.paper, quantity)] if both else []
            line.append(ours_in_words(pair.ours, quantity))
            line += [difference(pair, quantity)] if both and quantity.compared else []
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]


def _points(chart: Chart) -> Iterator[str]:
    yield f"\n{chart.title}: {chart.up} over {chart.across}"
    for curve in chart.curves:
        yield f"{curve.name}: " + ", ".join(f"{x:.4g}: {y:.4g}" for x, y in curve.points)
