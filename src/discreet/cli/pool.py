"""`discreet pool`: small batches wait until enough records have come to be released together."""

from __future__ import annotations

from pathlib import Path

import click

from discreet.cli.machine import answer
from discreet.cli.options import allow_outside_option, variables_option
from discreet.errors import DataError

WAITING = 4


@click.command("pool", short_help="Hold small batches until they can be released together.")
@click.argument("room", type=click.Path(path_type=Path, file_okay=False))
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The batch to add. Without it, only the records already waiting are tried.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("release"),
    show_default=True,
    help="The directory for the release, once there is one; it must be new or empty.",
)
@variables_option
@allow_outside_option
def command(
    room: Path,
    plan: Path,
    data: Path | None,
    out: Path,
    variables: tuple[str, ...],
    allow_outside: bool,
) -> int:
    """Add a batch to ROOM, a private folder, and release everything there if PLAN allows it.

    If a claim of the plan does not hold yet, or a method needs more records, the batch waits, and
    the command exits with status 4. Otherwise the release is written and ROOM is emptied.
    """
    from dataclasses import replace

    from discreet.cli.protect import finish
    from discreet.contracts.progress import for_command
    from discreet.io.formats import kind_of_path
    from discreet.publishing.waiting_room import WaitingRoom
    from discreet.release.plan import Plan
    from discreet.release.plan_variables import stated_variables

    given = stated_variables(variables)
    recipe = Plan.load(plan, allow_outside=allow_outside, variables=given)
    waiting = WaitingRoom.at(room)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DataError(f"'{out}' is in use; choose a new or empty directory for the release")
    if data is not None:
        recipe.read(data)  # a batch that the plan refuses does not get in
        waiting.add(data)
    if not waiting.batches:
        raise DataError(f"no batch is waiting in '{room}'; add one with --data")
    count, kind = len(waiting.batches), kind_of_path(waiting.batches[0])[0].name
    recipe = replace(recipe, format=recipe.format or kind)
    records = waiting.together(recipe)
    try:
        release = recipe.run(records, progress=for_command())
    except DataError as error:
        reason = str(error)
        answer(
            lambda: {"waiting": len(records), "batches": count, "reason": reason, "releases": []}
        )
        waits = "1 record waits" if len(records) == 1 else f"{len(records):,} records wait"
        click.echo(f"{waits} in {_batches(count)}: {reason}")
        return WAITING
    answer(lambda: {"waiting": 0, "batches": 0, "reason": None})
    with waiting.leaving(out):
        finish(recipe, release, out, False, [f"{_batches(count)} released together"], False)
    return 0


def _batches(count: int) -> str:
    return "1 batch" if count == 1 else f"{count} batches"


command.order = 4  # type: ignore[attr-defined]
