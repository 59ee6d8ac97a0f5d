"""`discreet verify`: whether a release is what its manifest says."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("verify", short_help="Check a release against its manifest.")
@click.argument("directory", type=click.Path(path_type=Path))
@click.pass_context
def command(context: click.Context, directory: Path) -> None:
    """Check the release in DIRECTORY, from what lies there alone.

    For whoever receives a release: the checksums of its files, and every figure of the manifest
    that the file can show, counted again by other code than it was measured with. Ends with
    status 1 if anything is not as the manifest says.
    """
    from discreet.publishing.verifying import verify

    found = verify(directory)
    click.echo(repr(found))
    context.exit(0 if found.holds else 1)


command.order = 5  # type: ignore[attr-defined]
