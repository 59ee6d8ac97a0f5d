"""`discreet report`: draw the reports of a release again."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report", short_help="Redraw the reports of a release.")
@click.argument("directory", type=click.Path(path_type=Path))
def command(directory: Path) -> None:
    """Draw the reports of the release in DIRECTORY: self-contained pages for any browser.

    The internal report shows original figures and needs the private record.json; without it, only
    the public one is drawn.
    """
    from discreet.cli.machine import add
    from discreet.publishing.redrawing import draw_reports

    for path in draw_reports(directory):
        add("files", path.absolute)
        click.echo(f"Wrote {path}")


command.order = 4  # type: ignore[attr-defined]
