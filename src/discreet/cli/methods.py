"""`discreet methods`: everything in the registry, explained."""

from __future__ import annotations

import click


@click.command("methods", short_help="List and explain methods and measures.")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the methods, partitions, replacements, measures and attacks, or explain NAME."""
    from discreet.contracts.explaining import explain, overview

    click.echo(overview() if name is None else explain(name))


command.order = 5  # type: ignore[attr-defined]
