"""`python -m bench.papers`: redo what the papers report, on the reader's own machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from bench.papers.figures import in_csv, in_json
from bench.papers.page import missing_files, render
from bench.papers.running import NAMES, module_of, redo
from bench.papers.section import Chapter
from bench.papers.sources import SOURCES, data_folder
from discreet.cli.main import run_command
from discreet.contracts import Context
from discreet.contracts.progress import for_command
from discreet.errors import UsageError
from discreet.io.whole_file import write_whole
from discreet.version import version

INCOMPLETE = 3


@click.command()
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
    help="The page to write; its figures are written beside it as CSV and JSON. Earlier ones are "
    "replaced.",
)
@click.option("--quick", is_flag=True, help="Fewer files, settings and draws: some minutes.")
@click.option(
    "--only",
    "names",
    multiple=True,
    metavar="NAME",
    help="Redo this paper only: ama, camp_crest, mart, local_synthesis or survey (repeatable).",
)
def command(data: Path | None, out: Path, quick: bool, names: tuple[str, ...]) -> int:
    """Redo every table and figure of the papers that can be; write one HTML page, CSV and JSON.

    Each table has the paper's figure, ours and the difference; each statement of a paper is tested,
    and reported to hold or not. Everything takes about five minutes on one core. Exits with status
    3 if a part could not be redone, because data were missing or it failed; the page then says
    which.
    """
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
    written = {
        out: render(chapters, version(), quick),
        out.with_suffix(".csv"): in_csv(chapters),
        out.with_suffix(".json"): in_json(chapters, version(), quick),
    }
    for place, text in written.items():
        write_whole(place, text.encode("utf-8"))
    whole = _all_redone(chapters)
    click.echo(f"Wrote {', '.join(map(str, written))}")
    return 0 if whole else INCOMPLETE


def _all_redone(chapters: list[Chapter]) -> bool:
    """Report what could not be redone; return whether everything could."""
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


if __name__ == "__main__":
    sys.exit(run_command(command, "python -m bench.papers"))
