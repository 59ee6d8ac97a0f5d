"""`discreet bench`: redo what the papers report, on the reader's own machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from discreet.papers.section import Chapter

INCOMPLETE = 3


@click.group("bench", short_help="Redo the tables and figures of the papers.")
def command() -> None:
    """Redo what the papers report, and lay it beside what they print.

    'discreet bench papers --help' says more.
    """


@command.command("papers", short_help="Write one page: the paper's figure, ours, the difference.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="The folder of the reference data; without it $DISCREET_DATA, or shared/data beside a "
    "checkout of the project. The page lists each file that is missing and where to get it.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("papers.html"),
    show_default=True,
    help="The page to write; an earlier one is replaced.",
)
@click.option("--quick", is_flag=True, help="Fewer files, settings and draws: some minutes.")
@click.option(
    "--only",
    "names",
    multiple=True,
    metavar="NAME",
    help="Redo this paper only: ama, camp_crest, mart, local_synthesis or survey (repeatable).",
)
def papers(data: Path | None, out: Path, quick: bool, names: tuple[str, ...]) -> int:
    """Redo every table and figure of the papers that can be, and write one HTML page.

    Each table has the paper's figure, ours and the difference; each statement of a paper is tested
    and told to hold or not. All of it takes about ten minutes on two idle cores. Leaves
    with 3 if a part could not be redone, for want of data or because it failed; the page then says
    which.
    """
    from discreet import __version__
    from discreet.contracts import Context
    from discreet.errors import UsageError
    from discreet.io.whole_file import write_whole
    from discreet.papers.page import render
    from discreet.papers.running import NAMES, module_of, redo
    from discreet.papers.sources import data_folder
    from discreet.progress import for_command

    for name in names:
        module_of(name)
    folder = data_folder(data)
    if out.is_dir():
        out = out / "papers.html"
    out.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(out.parent, os.W_OK):
        raise UsageError(f"nothing can be written to '{out.parent}'; give another place by --out")
    asked = [name for name in NAMES if not names or name in names]
    chapters = redo(asked, folder, quick, Context(progress=for_command()))
    write_whole(out, render(chapters, __version__, quick).encode("utf-8"))
    whole = _told(chapters)
    click.echo(f"Wrote {out}")
    return 0 if whole else INCOMPLETE


def _told(chapters: list[Chapter]) -> bool:
    """Say what could not be redone; return whether everything could."""
    from discreet.papers.page import missing_files
    from discreet.papers.sources import SOURCES

    failed = [
        f"{chapter.paper.short}, {section.title}: {section.failure}"
        for chapter in chapters
        for section in chapter.sections
        if section.failure
    ]
    for words in failed:
        click.echo(f"Not redone: {words}")
    missing = missing_files(chapters)
    for file in missing:
        click.echo(f"Missing: {file} ({SOURCES[file].size}), {SOURCES[file].origin}")
    return not failed and not missing


command.order = 9  # type: ignore[attr-defined]
