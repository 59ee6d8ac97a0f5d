"""`discreet hierarchy`: propose, show, write and check the hierarchy of a column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from discreet.cli.options import FileOrAddress, data_options


@click.command("hierarchy", short_help="Propose a hierarchy for a column, or check an edited one.")
@click.argument("file", type=FileOrAddress())
@click.argument("column")
@click.option("--width", type=float, help="The width of the narrowest intervals of numbers.")
@click.option(
    "--groups",
    type=click.IntRange(min=2),
    help="Make this many intervals of numbers, with about equal numbers of records.",
)
@click.option("--tree", help="Use this known tree: countries, isced, isco, nace, isic or nuts.")
@click.option("--kind", help="Treat the column as continuous, ordinal or nominal.")
@click.option("--out", type=click.Path(path_type=Path), help="Write it to this CSV file, to edit.")
@click.option("--overwrite", is_flag=True, help="Replace that file if it already exists.")
@click.option(
    "--check",
    type=click.Path(path_type=Path),
    help="Check this hierarchy file against the column instead of proposing one.",
)
@data_options
def command(
    file: Path | str,
    column: str,
    width: float | None,
    groups: int | None,
    tree: str | None,
    kind: str | None,
    out: Path | None,
    overwrite: bool,
    check: Path | None,
    options: dict[str, Any],
) -> None:
    """Propose a hierarchy for COLUMN of FILE, as a tree with the number of records at each node.

    With --out it becomes a file to edit: one line per value, with its labels from fine to coarse.
    --check says whether an edited file is still valid. Steps of a plan name it as
    hierarchies: ["COLUMN=hierarchy.csv"].
    """
    from discreet.cli.machine import answer
    from discreet.errors import DataError, UsageError
    from discreet.io.reading import read
    from discreet.io.whole_file import write_whole
    from discreet.methods.nonperturbative.full_domain.proposed import (
        as_csv,
        checked,
        proposed,
        rows_of,
        tree_lines,
    )
    from discreet.release.describing import describe

    if check is not None and (out or tree or width is not None or groups is not None):
        raise UsageError("--check only checks; leave out what would propose a hierarchy")
    if out is not None and out.exists() and not overwrite:
        raise DataError(
            f"'{out}' exists already; choose another name, or replace it with --overwrite"
        )
    if kind is None:
        [suggestion] = describe(file, columns=[column], **options).columns
        kind = suggestion.kind.value
    data = read(file, kinds={column: kind}, columns=[column], **options)
    if check is not None:
        proposal = checked(data, column, check)
    else:
        proposal = proposed(data, column, width=width, groups=groups, tree=tree)
    answer(
        lambda: {
            "column": column,
            "reason": proposal.reason,
            "levels": [list(row) for row in rows_of(proposal.hierarchy)],
            "counts": proposal.counts,
            "file": out,
        }
    )
    click.echo(f"{column}: {proposal.reason}\n")
    for line in tree_lines(proposal.hierarchy, proposal.counts):
        click.echo(line)
    if out is not None:
        write_whole(out, as_csv(proposal.hierarchy))
        click.echo(f"\nWrote {out}: edit it, then check it with --check {out}.")


command.order = 2  # type: ignore[attr-defined]
