"""`discreet verify`: whether a release matches its manifest."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("verify", short_help="Check a release against its manifest.")
@click.argument("directory", type=click.Path(path_type=Path))
@click.pass_context
def command(context: click.Context, directory: Path) -> None:
    """Check the release in DIRECTORY, using only the files in it.

    For whoever receives a release: the checksums of its files, and every figure of the manifest
    that can be computed from the file, computed again by independent code. Exits with status 1 if
    anything differs from the manifest.
    """
    from discreet.publishing.verifying import verify

    verification = verify(directory)
    click.echo(repr(verification))
    context.exit(0 if verification.holds else 1)


command.order = 5  # type: ignore[attr-defined]
