"""`discreet verify`: whether a release matches its manifest."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("verify", short_help="Check a release against its manifest.")
@click.argument("directory", metavar="DIRECTORY|ANSWER", type=click.Path(path_type=Path))
@click.option(
    "--database",
    help="The database whose table received the records (protect --into): the table is also "
    "compared with the file and counted.",
)
@click.pass_context
def command(context: click.Context, directory: Path, database: str | None) -> None:
    """Check the release in DIRECTORY, using only the files in it.

    For recipients of a release. Checks the checksums of its files, and recomputes with independent
    code every figure of the manifest that can be computed from the file. Exits with status 1 if
    anything differs from the manifest.

    ANSWER is a file with the output of 'discreet protect --json': the releases that it names are
    checked, including the checksum of each manifest.
    """
    from discreet.cli.answers import verified
    from discreet.cli.machine import add
    from discreet.publishing.verifying import verify

    holds = True
    for place, published in _releases(directory):
        verification = verify(place, published, database=database)
        holds = holds and verification.holds
        add("releases", lambda v=verification, p=place: verified(v, p))  # type: ignore[misc]
        click.echo(repr(verification))
    context.exit(0 if holds else 1)


def _releases(place: Path) -> list[tuple[Path, str | None]]:
    """Return the directories to check, each with the checksum of its manifest if that is known."""
    from discreet.errors import DataError
    from discreet.publishing.manifest import MANIFEST

    if not place.is_file():
        return [(place, None)]
    try:
        named = json.loads(place.read_text(encoding="utf-8"))["result"]["releases"]
        releases: list[tuple[Path, str | None]] = [
            (
                Path(release["directory"]),
                next(str(f["sha256"]) for f in release["files"] if f["name"] == MANIFEST),
            )
            for release in named
        ]
    except (ValueError, LookupError, TypeError, StopIteration, RecursionError):
        releases = []
    if not releases:
        raise DataError(
            f"'{place}' does not name a release that was written; give what 'discreet protect "
            "--json' printed, or the directory of a release"
        )
    return releases


command.order = 5  # type: ignore[attr-defined]
