"""One paper's sections, printed: `discreet bench papers` draws them on a page instead."""

from __future__ import annotations

import argparse

from bench.data import reference_data
from discreet.contracts import Context
from discreet.papers.plain import in_text
from discreet.papers.running import redo
from discreet.progress import for_command


def printed(name: str, arguments: list[str] | None) -> None:
    """Redo a paper and print its tables."""
    parser = argparse.ArgumentParser(description=f"the paper '{name}', redone")
    parser.add_argument("--quick", action="store_true", help="fewer files, settings and draws")
    quick = parser.parse_args(arguments).quick
    folder = reference_data()
    if folder is None:
        return
    for chapter in redo([name], folder, quick, Context(progress=for_command())):
        print(chapter.paper.citation)
        for section in chapter.sections:
            print(f"\n{in_text(section)}")
        print("", *chapter.paper.absent, sep="\n")
