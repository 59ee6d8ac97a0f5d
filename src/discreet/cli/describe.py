"""`discreet describe`: what a file holds, and a plan to start from."""

from __future__ import annotations

import os
from pathlib import Path

import click

from discreet.cli.options import FileOrAddress, data_options


@click.command("describe", short_help="Look at a file: columns, suggested roles, a starter plan.")
@click.argument("file", type=FileOrAddress())
@click.option("--out", type=click.Path(path_type=Path), help="Write a starter plan to this file.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    help="Write a page for any browser to this file: the columns, and how they depend on each "
    "other as a picture.",
)
@click.option("--overwrite", is_flag=True, help="Replace plan and page if they already exist.")
@data_options
def command(
    file: Path | str,
    out: Path | None,
    report: Path | None,
    overwrite: bool,
    options: dict[str, str],
) -> None:
    """Show the columns of FILE: kinds, suggested roles and why, uniqueness, missing values.

    FILE may be the address of a database, postgresql://host/name, with --table or --query; the
    password comes from ~/.pgpass or PGPASSWORD.

    With --out the suggestions become a plan, which you check and run with 'discreet protect'.
    """
    from discreet.io.memory_guard import keep_memory

    keep_memory()
    from discreet.cli.answers import described
    from discreet.cli.machine import answer
    from discreet.io.whole_file import write_whole
    from discreet.release.describing import describe
    from discreet.release.starter_plan import starter_plan

    _refuse_to_replace(file, out, report, overwrite)
    description = describe(file, **options)
    answer(lambda: {**described(description), "plan": out, "report": report})
    click.echo(repr(description))
    if out is not None:
        source = file if isinstance(file, str) else _from(out.parent, file)
        write_whole(out, starter_plan(description, source, options).encode())
        click.echo(f"\nWrote {out}: check it, then run 'discreet protect {out}'.")
    if report is not None:
        from discreet.report.description import render_description

        write_whole(report, render_description(description).encode(), private=True)
        click.echo(f"\nWrote {report}: it shows figures of the original, so keep it private.")


def _from(folder: Path, file: Path) -> str:
    return Path(os.path.relpath(file, folder)).as_posix()


def _refuse_to_replace(
    file: Path | str, out: Path | None, report: Path | None, overwrite: bool
) -> None:
    from discreet.errors import DataError, UsageError

    if out is not None and report is not None and out.absolute() == report.absolute():
        raise UsageError(f"--out and --report both name '{out}'; give each a file of its own")
    for path in (out, report):
        if path is None or not path.exists():
            continue
        if isinstance(file, Path) and file.exists() and path.samefile(file):
            raise UsageError(f"'{path}' is the file to be described; choose another name")
        if not overwrite:
            raise DataError(
                f"'{path}' exists already; choose another name, or replace it with --overwrite"
            )


command.order = 1  # type: ignore[attr-defined]
