"""`discreet studio`: the whole job in a browser."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("studio", short_help="Do everything in a browser, on this machine.")
@click.argument("target", metavar="[FILE|PLAN]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder whose files can be opened; that of FILE, or the current one, if not given.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port to listen on; a free one if not given.",
)
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
@click.option(
    "--idle",
    type=click.FloatRange(min=0, min_open=True),
    metavar="HOURS",
    default=8.0,
    show_default=True,
    help="Stop after this many hours without a request or a running job.",
)
def command(
    target: Path | None, folder: Path | None, port: int, no_browser: bool, idle: float
) -> None:
    """Open FILE or PLAN in a browser: columns, risk, steps, verdict, release.

    Nothing leaves this machine: the pages are served only to a browser on it. All work is kept in a
    folder beside the file, as a plan that 'discreet protect' can run too.
    """
    from discreet.cli.machine import answer, answer_now
    from discreet.studio.serving import serve

    def say(root: Path, address: str) -> None:
        answer(lambda: {"folder": root.absolute(), "address": address})
        answer_now("studio")
        click.echo(f"discreet studio: {root}\n\n  {address}\n\nCtrl-C ends it.")

    serve(target, folder, port, browser=not no_browser, idle=idle * 3600, say=say)


command.order = 1  # type: ignore[attr-defined]
