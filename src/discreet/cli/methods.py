"""`discreet methods`: everything in the registry, explained."""

from __future__ import annotations

import click


@click.command("methods", short_help="List and explain methods and measures.")
@click.argument("name", required=False)
@click.option(
    "--cite", is_flag=True, help="Print the sources as BibTeX, for NAME or for everything."
)
def command(name: str | None, cite: bool) -> None:
    """List the methods, partitions, replacements, measures and attacks, or explain NAME."""
    from discreet.cli.answers import entry
    from discreet.cli.machine import answer
    from discreet.contracts.citing import bibtex
    from discreet.contracts.explaining import explain, named, overview
    from discreet.contracts.registry import entries

    chosen = entries() if name is None else named(name)
    answer(lambda: {"entries": [entry(e) for e in chosen], "bibtex": bibtex(chosen)})
    if cite:
        click.echo(bibtex(chosen))
    else:
        click.echo(overview() if name is None else explain(name))


command.order = 5  # type: ignore[attr-defined]
