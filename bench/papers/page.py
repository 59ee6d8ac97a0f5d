"""The page of the papers: every section with the paper's figures, ours and the differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.papers.chart import drawn
from bench.papers.difference import (
    NEAR,
    counted,
    difference,
    is_near,
    ours_in_words,
    paper_in_words,
)
from bench.papers.section import Chapter, Finding, Pair, Quantity, Section, Table
from bench.papers.sources import SOURCES
from discreet.report.html import page
from discreet.report.markup import paragraphs, table, text

STYLE = """
h3{margin-top:1.8rem;font-size:1.08rem}
h2+p+h3,h2+h3{margin-top:.6rem}
table.pairs thead th{white-space:normal}
table.narrow{width:auto}table.narrow td{padding-left:1.5rem}
table.pairs .first{border-left:1px solid var(--line);padding-left:.75rem}
table.pairs .ours{font-weight:600}
table.pairs .far{color:var(--bad)}
table.pairs thead .group{text-align:center;color:var(--ink)}
.keys{display:flex;flex-wrap:wrap;gap:.1rem .9rem;list-style:none;padding:0;font-size:.8rem;
color:var(--soft)}
.keys i{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.4em}
.findings{list-style:none;padding:0;max-width:56rem}
.findings li{margin:.5rem 0;padding-left:6.2rem;position:relative}
.findings b{position:absolute;left:0;width:5.6rem;font-size:.85rem}
.holds b{color:var(--good)}.fails b{color:var(--bad)}
.findings small{display:block;color:var(--soft);font-size:.86rem}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));
gap:1rem 1.6rem}
.charts svg.wide{max-width:32rem}
.reason{border-left:.3rem solid var(--bad);padding:.4rem .9rem;background:var(--bad-back);
max-width:none}
"""
QUICK = "Made with --quick: fewer files, settings and random draws than without it."


def render(chapters: Sequence[Chapter], version: str, quick: bool = False) -> str:
    """Return one HTML page without outside assets.

    >>> from bench.papers.section import Paper
    >>> paper = Paper("a", "A 2001", "A: On tables. 2001.")
    >>> one = Section("Table 1", failure="no <data>")
    >>> "no &lt;data&gt;" in render([Chapter(paper, (one,), 0.0)], "0.1")
    True
    """
    parts = [("summary", "At a glance", _summary(chapters, quick))]
    parts.append(("missing", "Data that are missing, and where to get them", _missing(chapters)))
    for chapter in chapters:
        paper = chapter.paper
        body = f'<p class="quiet">{text(paper.citation)}</p>\n'
        body += "".join(_section(paper.name, i, s) for i, s in enumerate(chapter.sections))
        if paper.absent:
            body += f"<h3>What cannot be redone</h3>\n{paragraphs(paper.absent)}"
        parts.append((paper.name, paper.short, body))
    lead = (
        "The tables and figures of the papers that the methods come from, computed anew: the "
        "paper's figure, ours, and the difference."
    )
    whole = page("The papers, redone", lead, parts, version)
    return whole.replace("</style>", f"{STYLE}</style>", 1)


def _summary(chapters: Sequence[Chapter], quick: bool) -> str:
    rows = []
    for chapter in chapters:
        for i, section in enumerate(chapter.sections):
            near, all_pairs = counted(pair for one in section.tables for pair in one.compared)
            held = sum(finding.holds for finding in section.findings)
            anchor = f'<a href="#{_anchor(chapter.paper.name, i)}">{text(section.title)}</a>'
            rows.append(
                [
                    anchor,
                    text(chapter.paper.short),
                    _of(near, all_pairs),
                    _of(held, len(section.findings)),
                    text(_state(section)),
                ]
            )
    head = [
        "table or figure",
        "paper",
        f"figures within {100 * NEAR:.0f} % of the paper's",
        "statements that hold",
        "",
    ]
    minutes = sum(chapter.seconds for chapter in chapters) / 60
    words = f"<p>Computed in {minutes:.1f} minutes. {text(QUICK) if quick else ''}</p>\n"
    note = (
        '<p class="quiet">A difference is relative to the paper\'s figure, or in percentage points '
        "where the figures are percentages. Differences above "
        f"{100 * NEAR:.0f} % of the paper's figure stand in red, whichever way they go; running "
        "times are not compared.</p>\n"
    )
    return words + table(head, rows, numeric=(2, 3), caption="What was redone") + note


def _of(count: int, whole: int) -> str:
    return f"{count} of {whole}" if whole else "–"


def _state(section: Section) -> str:
    if section.missing:
        return "data missing"
    return "failed" if section.failure else ""


def _anchor(paper: str, number: int) -> str:
    return f"{paper}-{number + 1}"


def missing_files(chapters: Iterable[Chapter]) -> list[str]:
    """Return the files that some section waits for, each once."""
    named = (file for chapter in chapters for s in chapter.sections for file in s.missing)
    return list(dict.fromkeys(named))


def _missing(chapters: Sequence[Chapter]) -> str:
    rows = []
    for file in missing_files(chapters):
        source = SOURCES[file]
        rows.append([text(cell) for cell in (file, source.size, source.holds, source.origin)])
    head = ("file", "rows × columns", "what it holds", "where it comes from")
    return table(head, rows, caption="Not in the folder of the data") if rows else ""


def _section(paper: str, number: int, section: Section) -> str:
    parts = [f'<h3 id="{_anchor(paper, number)}">{text(section.title)}</h3>\n']
    if section.says:
        parts.append(f"<p>{text(section.says)}</p>\n")
    if section.missing:
        words = f"Not redone: {', '.join(section.missing)} is not in the folder of the data."
        parts.append(f'<p class="reason">{text(words)}</p>\n')
    if section.failure:
        parts.append(f'<p class="reason">{text(f"Not redone: {section.failure}")}</p>\n')
    if section.findings:
        items = "".join(map(_finding, section.findings))
        parts.append(f'<ul class="findings">{items}</ul>\n')
    parts += [_pairs(one) for one in section.tables]
    if section.charts:
        parts.append(f'<div class="charts">{"".join(map(drawn, section.charts))}</div>\n')
    parts.append(paragraphs(section.remarks))
    return "".join(parts)


def _finding(finding: Finding) -> str:
    css, word = ("holds", "holds") if finding.holds else ("fails", "does not hold")
    return (
        f'<li class="{css}"><b>{word}</b> {text(finding.says)}'
        f"<small>Here: {text(finding.here)}</small></li>"
    )


def _pairs(one: Table) -> str:
    """Return a table that has, for each quantity, the paper's figure, ours and the difference.

    A quantity for which the paper has no figure at all takes one column.
    """
    both = [any(row.pairs[i].paper is not None for row in one.rows) for i in _places(one)]
    settings = any(row.setting for row in one.rows)
    upper = f'<th scope="col" rowspan="2">{text(one.heading)}</th>'
    upper += '<th scope="col" rowspan="2">setting</th>' if settings else ""
    lower = ""
    for quantity, is_pair in zip(one.quantities, both, strict=True):
        words = text(f"{quantity.words}, {quantity.unit}" if quantity.unit else quantity.words)
        if is_pair:
            span = 3 if quantity.compared else 2
            upper += f'<th scope="colgroup" colspan="{span}" class="first group">{words}</th>'
            lower += '<th scope="col" class="num first">paper</th><th scope="col" class="num">ours'
            lower += '</th><th scope="col" class="num">difference</th>' if span == 3 else "</th>"
        else:
            upper += f'<th scope="col" rowspan="2" class="num first">{words}</th>'
    body = ""
    for row in one.rows:
        cells = f'<th scope="row">{text(row.label)}</th>'
        cells += f"<td>{text(row.setting)}</td>" if settings else ""
        for quantity, pair, is_pair in zip(one.quantities, row.pairs, both, strict=True):
            cells += _cells(pair, quantity) if is_pair else _own(pair, quantity)
        body += f"<tr>{cells}</tr>\n"
    caption = text(one.caption)
    narrow = " narrow" if len(one.quantities) == 1 else ""
    return (
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0">'
        f'<table class="pairs{narrow}"><caption>{caption}</caption>'
        f"<thead><tr>{upper}</tr><tr>{lower}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )


def _places(one: Table) -> range:
    return range(len(one.quantities))


def _cells(pair: Pair, quantity: Quantity) -> str:
    far = pair.paper is not None and pair.ours is not None and not is_near(pair)
    css = " far" if far else ""
    cells = f'<td class="num first">{paper_in_words(pair.paper, quantity)}</td>'
    cells += f'<td class="num ours">{ours_in_words(pair.ours, quantity)}</td>'
    if quantity.compared:
        cells += f'<td class="num{css}">{difference(pair, quantity)}</td>'
    return cells


def _own(pair: Pair, quantity: Quantity) -> str:
    return f'<td class="num first ours">{ours_in_words(pair.ours, quantity)}</td>'
