"""The page of the papers: every section with the paper's figures, ours and the differences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.papers.chart import drawn, key
from bench.papers.difference import (
    NEAR,
    counted,
    difference,
    is_near,
    ours_in_words,
    paper_in_words,
)
from bench.papers.section import CHANCE, Chapter, Pair, Section, Verdict
from bench.papers.sources import SOURCES
from discreet.report.html import filled, page

TEMPLATES = Path(__file__).parent / "templates"


def render(chapters: Sequence[Chapter], version: str, quick: bool = False) -> str:
    """Return one HTML page without outside assets.

    >>> from bench.papers.section import Paper
    >>> paper = Paper("a", "A 2001", "A: On tables. 2001.")
    >>> one = Section("Table 1", failure="no <data>")
    >>> "no &lt;data&gt;" in render([Chapter(paper, (one,), 0.0)], "0.1")
    True
    """
    summary = filled(
        "summary.html",
        TEMPLATES,
        chapters=chapters,
        quick=quick,
        near=NEAR,
        sure=1 - CHANCE,
        counted=_counted,
        verdicts=tuple(Verdict),
        load=_load(),
        cores=os.cpu_count(),
    )
    missing = filled("missing.html", TEMPLATES, missing=missing_files(chapters), sources=SOURCES)
    words = {
        "difference": difference,
        "drawn": drawn,
        "is_far": _is_far,
        "key": key,
        "ours_in_words": ours_in_words,
        "paper_in_words": paper_in_words,
    }
    parts = [
        ("summary", "At a glance", summary),
        ("missing", "Data that are missing, and where to get them", missing),
    ]
    for chapter in chapters:
        body = filled("chapter.html", TEMPLATES, chapter=chapter, **words)
        parts.append((chapter.paper.name, chapter.paper.short, body))
    lead = (
        "The tables and figures of the papers that the methods come from, computed anew: the "
        "paper's figure, ours, and the difference."
    )
    return page("The papers, redone", lead, parts, version, style="papers.css", folder=TEMPLATES)


def missing_files(chapters: Iterable[Chapter]) -> list[str]:
    """Return the files that some section needs, each once."""
    named = (file for chapter in chapters for s in chapter.sections for file in s.missing)
    return list(dict.fromkeys(named))


def _load() -> float:
    """Return how many processes were recently ready to run; 0 if the system does not say."""
    return os.getloadavg()[-1] if hasattr(os, "getloadavg") else 0.0


def _counted(section: Section) -> tuple[int, int]:
    return counted(pair for table in section.tables for pair in table.compared)


def _is_far(pair: Pair) -> bool:
    return pair.paper is not None and pair.ours is not None and not is_near(pair)
