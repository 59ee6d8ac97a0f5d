"""`discreet describe`: what a file holds, and a plan to start from."""

from __future__ import annotations

import os
from pathlib import Path

import click

from discreet.cli.options import data_options


@click.command("describe", short_help="Look at a file: columns, suggested roles, a starter plan.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Write a starter plan to this file.")
@click.option("--overwrite", is_flag=True, help="Replace the plan if it is there already.")
@data_options
def command(file: Path, out: Path | None, overwrite: bool, options: dict[str, str]) -> None:
    """Show the columns of FILE: kinds, suggested roles and why, uniqueness, missing values.

    With --out the suggestions become a plan, which you check and run with 'discreet protect'.
    """
    from discreet.describing import describe
    from discreet.errors import DataError
    from discreet.io.whole_file import write_whole
    from discreet.plan_writing import starter_plan

    if out is not None and out.exists() and not overwrite:
        raise DataError(
            f"'{out}' exists already; choose another name, or replace it with --overwrite"
        )
    description = describe(file, **options)
    click.echo(repr(description))
    if out is not None:
        relative = os.path.relpath(file, out.parent)
        write_whole(out, starter_plan(description, Path(relative).as_posix(), options).encode())
        click.echo(f"\nWrote {out}: check it, then run 'discreet protect {out}'.")


command.order = 1  # type: ignore[attr-defined]
