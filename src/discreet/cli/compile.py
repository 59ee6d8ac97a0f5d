"""`discreet compile`: fill the folder that keeps compiled code, for images of containers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click

WORK = """
import json, sys
from dataclasses import asdict
from discreet.release.rehearsing import rehearse
rehearsed = rehearse(sys.argv[1:], lambda text: print(text, file=sys.stderr, flush=True))
print(json.dumps(asdict(rehearsed)))
"""


@click.command("compile", short_help="Compile everything now, into a folder for later runs.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--method",
    "methods",
    multiple=True,
    help="Only what this method and the measures need (repeatable). Without it: everything.",
)
def command(folder: Path, methods: tuple[str, ...]) -> None:
    """Compile the loops of discreet into FOLDER, which takes a few minutes.

    If DISCREET_KERNELS names that folder, later runs start at once, even if the folder is
    read-only, as in a container.
    """
    from discreet.cli.machine import answer
    from discreet.contracts.registry import find
    from discreet.errors import DataError
    from discreet.kernels.compiling import VARIABLE

    for name in methods:
        find("method", name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"'{folder}' cannot be created: {error.strerror}; choose another folder"
        ) from None
    if not os.access(folder, os.W_OK):
        raise DataError(f"'{folder}' cannot be written to; choose one that can be")
    # In a separate process: where code is kept is decided when a kernel is first loaded.
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", WORK, *methods],
        env={**os.environ, VARIABLE: str(folder.absolute())},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        lines = [_shown(line.rstrip()) for line in process.stderr]
        content = process.stdout.read()
    if process.returncode:
        raise DataError(f"compiling failed: {lines[-1] if lines else 'it was stopped'}")
    rehearsed = json.loads(content)
    answer(lambda: {"folder": folder.absolute(), "kernels": len(rehearsed["ready"]), **rehearsed})
    click.echo(f"{len(rehearsed['ready'])} compiled loops are in {folder}.")
    click.echo(f"Set {VARIABLE}={folder.absolute()} where discreet runs.")


def _shown(line: str) -> str:
    if sys.stderr.isatty():
        click.echo(line, err=True)
    return line


command.order = 7  # type: ignore[attr-defined]
