"""`discreet protect`: run a plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from discreet.cli.machine import add, answer
from discreet.cli.options import allow_outside_option, variables_option
from discreet.errors import DataError, UsageError

if TYPE_CHECKING:
    from discreet.contracts import Seed
    from discreet.io.into.target import TableTarget
    from discreet.release.assessment import Assessment
    from discreet.release.plan import Plan
    from discreet.release.release import Release
    from discreet.scaling.engine import Engine


@click.command("protect", short_help="Protect a file according to a plan, and write the release.")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--data", type=click.Path(path_type=Path), help="The file to protect, if not the plan's own."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("release"),
    show_default=True,
    help="The directory to write to; it must be new or empty.",
)
@click.option(
    "--into",
    metavar="DATABASE",
    help="Also write the records to a new table: the address of a PostgreSQL database, or an "
    "SQLite or DuckDB file. All in one transaction, checked before it is committed.",
)
@click.option("--table", help="The name of that table, such as persons or survey.persons.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier release in that directory.")
@click.option(
    "--dry-run", is_flag=True, help="Do everything and show the outcome, but write nothing."
)
@click.option(
    "--seed-file",
    type=click.Path(path_type=Path),
    help="Take the secret seed from this file (a number, or the record.json of an earlier "
    "release) to reproduce a release exactly. Without it, the operating system provides one.",
)
@click.option(
    "--copies",
    type=click.IntRange(min=1),
    help="Make this many releases, each with its own random numbers, in OUT/copy-1, "
    "OUT/copy-2, ...: analysts of synthetic data combine the results of all of them.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    help="How much memory may be used, such as 2GB; by default half of what is free. A Parquet "
    "file, or a DuckDB or PostgreSQL table, that would need more, and any folder of files, is "
    "protected on disk.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the workers of a Dask cluster, such as tcp://10.0.0.5:8786, each within --memory; "
    "they must see the file and the output directory under the same paths.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Start this many Dask workers on this machine; they share --memory.",
)
@click.option(
    "--estimate",
    is_flag=True,
    help="Say what protecting on disk would need, stage by stage, and do nothing.",
)
@click.option(
    "--freeze",
    type=click.Path(path_type=Path),
    help="Write what was chosen for this file (levels, cut points, matrices, scales of noise) as a "
    "plan for other files; with --save-model it draws from the saved model. It contains values "
    "from the data: keep it private.",
)
@click.option(
    "--save-model",
    type=click.Path(path_type=Path),
    help="Save the fitted models of a synthesis to this file: `discreet draw` makes more copies, "
    "or files of other sizes, without the data. It contains values from the data: keep it private.",
)
@click.option("--all", "every", is_flag=True, help="Show all measures that were left out.")
@variables_option
@allow_outside_option
def command(
    plan: Path,
    data: Path | None,
    out: Path,
    into: str | None,
    table: str | None,
    overwrite: bool,
    dry_run: bool,
    seed_file: Path | None,
    copies: int | None,
    memory: str | None,
    scheduler: str | None,
    workers: int | None,
    estimate: bool,
    freeze: Path | None,
    save_model: Path | None,
    every: bool,
    variables: tuple[str, ...],
    allow_outside: bool,
) -> None:
    """Protect data according to PLAN, measure risk and utility, and write the release.

    The directory receives the release file, manifest.json and report-public.html, which may be
    passed on, and record.json and report-internal.html, which are private.
    """
    from dataclasses import replace
    from functools import partial

    from discreet.contracts.progress import for_command
    from discreet.io.into.target import chosen_target
    from discreet.publishing.directory import refuse_over_inputs, refuse_target
    from discreet.publishing.record import seed_from
    from discreet.release.copies import drawn, refuse_held_back
    from discreet.release.modelling import refuse_without_model
    from discreet.release.plan import Plan
    from discreet.release.plan_variables import stated_variables
    from discreet.scaling.cluster import cluster_engine
    from discreet.scaling.memory import LEAST

    given = stated_variables(variables)
    recipe = Plan.load(plan, allow_outside=allow_outside, variables=given)
    if not dry_run:
        refuse_over_inputs(out, [plan, *([data] if data else [])])
        if copies is None and not estimate:
            refuse_target(out, overwrite)
    target = chosen_target(into, table)
    if target is not None:
        if copies is not None:
            raise UsageError("a table receives one release; leave out --copies or --into")
        # Refused before the work, not after it.
        target.refuse_existing()
        recipe = replace(recipe, format=recipe.format or "parquet")
    seed = seed_from(seed_file) if seed_file else None
    large = _on_disk(recipe, data, memory, estimate)
    if estimate:
        return
    if large is not None:
        path, limit = large
        if copies is not None or dry_run or freeze is not None or target is not None:
            raise UsageError(
                "a file that is protected on disk gives one release, written to files; leave out "
                "--copies, --freeze, --into and --dry-run, or use --estimate to see what it needs"
            )
        with cluster_engine(scheduler, workers, limit, for_command()) as engine:
            share = limit if workers is None else max(LEAST, limit // (workers + 1))
            _protect_on_disk(recipe, path, out, seed, share, engine, overwrite, every)
        return
    if scheduler or workers:
        click.echo("a file that fits in memory needs no cluster: working in memory", err=True)
    original = recipe.read(data)
    reading_notes = list(original.source.notes) if original.source else []
    run = partial(recipe.run, original, progress=for_command())
    if freeze is not None:
        _refuse_to_keep("--freeze", freeze, copies, overwrite)
    if save_model is not None:
        refuse_without_model(recipe.steps)
        _refuse_to_keep("--save-model", save_model, copies, overwrite)
    if copies is None:
        release = run(seed=seed)
        place = None if dry_run else out
        finish(recipe, release, place, overwrite, reading_notes, every, target)
        if freeze is not None:
            _freeze(recipe, release, freeze, save_model)
        if save_model is not None:
            _save_model(release, save_model)
        return
    _refuse_equal_copies(recipe)
    refuse_held_back(recipe.hold_back)
    places = [out / f"copy-{number}" for number in range(1, copies + 1)]
    for place in () if dry_run else places:
        refuse_target(place, overwrite)
    for place, release in zip(places, drawn(run, copies, seed), strict=True):
        head = [*(reading_notes if place is places[0] else []), f"{place.name} of {copies}"]
        finish(recipe, release, None if dry_run else place, overwrite, head, every)
        click.echo()


def _on_disk(
    recipe: Plan, data: Path | None, memory: str | None, estimate: bool
) -> tuple[Path | str, int] | None:
    """Return file and limit if it is too large for memory, and say so; an estimate on request."""
    from dataclasses import asdict

    from discreet.io.database import is_address
    from discreet.io.memory_guard import available_memory
    from discreet.scaling.deciding import estimate as estimated
    from discreet.scaling.deciding import estimate_lines, refuse_large_csv, size_of
    from discreet.scaling.memory import memory_limit
    from discreet.scaling.protecting import refuse_large_files
    from discreet.scaling.stepping import large_steps

    limit = memory_limit(memory)
    refuse_large_files(recipe, limit)
    named = recipe.file if data is None else data
    path: Path | str = ""
    if named is not None:
        path = recipe.folder / named if data is None and not is_address(named) else named
    size = size_of(path, recipe.options) if path else None
    if path:
        # Half of what is free is for work on the disk: a file that is read whole may have it all.
        free = limit if memory is not None else max(limit, available_memory() or limit)
        refuse_large_csv(path, recipe.options, free)
    if size is None:
        if estimate or memory is not None:
            read = "the files of the plan are" if recipe.files else "this file is"
            click.echo(f"{read} read whole: working in memory", err=True)
        return None
    if estimate:
        steps, _ = large_steps(recipe.steps)
        stages = estimated(size, steps, limit, recipe.roles, recipe.format, recipe.hold_back)
        answer(lambda: {"estimate": {**asdict(size), "stages": [asdict(s) for s in stages]}})
        click.echo("\n".join(estimate_lines(size, stages, limit)))
    elif memory is not None or size.exceeds(limit):
        click.echo(size.words(limit), err=True)
    return (path, limit) if size.exceeds(limit) else None


def _protect_on_disk(
    recipe: Plan,
    path: Path | str,
    out: Path,
    seed: Seed,
    limit: int,
    engine: Engine,
    overwrite: bool,
    every: bool,
) -> None:
    """Protect a file that is larger than memory, and show it."""
    from discreet.cli.answers import released
    from discreet.cli.written import written
    from discreet.scaling.protecting import protect_large

    protected = protect_large(
        recipe, out, data=path, seed=seed, memory=limit, engine=engine, overwrite=overwrite
    )
    source = protected.release.original.source
    head = [*(source.notes if source else ()), engine.closing(protected.records)]
    add(
        "releases",
        lambda: released(protected.release, protected.assessment, out, protected.records),
    )
    _show(protected.release, protected.assessment, head, every, repr(protected))
    click.echo(f"\n{written(out)}")


def finish(
    recipe: Plan,
    release: Release,
    out: Path | None,
    overwrite: bool,
    head: Sequence[str],
    every: bool,
    target: TableTarget | None = None,
) -> None:
    """Measure a release, write it if there is a place for it, and show it under these lines."""
    from discreet.cli.answers import released
    from discreet.cli.written import written
    from discreet.release.assessing import assess

    assessment = assess(
        release.original,
        release,
        recipe.measures,
        thresholds=recipe.thresholds,
        written_as=recipe.file_format(release.original),
    )
    if out is not None:
        # Written before anything is printed: a reader who closes the pipe loses no release.
        release.write(
            out,
            format=recipe.format,
            overwrite=overwrite,
            assessment=assessment,
            spreadsheet_safe=recipe.spreadsheet_safe,
            into=None if target is None else target.address,
            table=None if target is None else target.name,
        )
    filled = None if out is None else target
    add("releases", lambda: released(release, assessment, out, table=filled))
    _show(release, assessment, head, every)
    click.echo("\nDry run: nothing was written." if out is None else f"\n{written(out)}")
    if filled is not None:
        click.echo(f"Wrote the records into the table '{filled.name}' ({filled.system}) too.")


def _show(
    release: Release,
    assessment: Assessment,
    head: Sequence[str],
    every: bool,
    title: str | None = None,
) -> None:
    """Print the verdict, the claims, the notes and the measures under some lines."""
    from discreet.cli.verdict import show_verdict
    from discreet.contracts.partition import detail_lines

    for line in head:
        click.echo(line)
    show_verdict(assessment)
    click.echo(title or repr(release))
    if release.groups is not None:
        lines = detail_lines(release.groups.detail)
        if lines:
            click.echo("  groups, by the distance that they were formed with:")
        for line in lines:
            click.echo(f"    {line}")
    click.echo()
    for note in release.notes:
        click.echo(f"note: {note}", err=True)
    click.echo(assessment.text("" if every else "--all"))


def _refuse_to_keep(option: str, place: Path, copies: int | None, overwrite: bool) -> None:
    if copies is not None:
        raise UsageError(f"{option} keeps what was chosen for one release; leave out --copies")
    if place.exists() and not overwrite:
        raise DataError(
            f"'{place}' exists already; choose another name, or replace it with --overwrite"
        )


def _freeze(recipe: Plan, release: Release, place: Path, model: Path | None) -> None:
    """Write the frozen plan, readable only by its owner, and say what is not frozen.

    A model that is kept with it is what the plan draws from.
    """
    from dataclasses import replace

    from discreet.release.freezing import anew, frozen_plan, with_model

    frozen = replace(frozen_plan(release, recipe), file=None)
    if model is not None:
        frozen = with_model(frozen, model)
    frozen.save(place, overwrite=True)
    chosen_anew = anew(frozen.steps)
    answer(lambda: {"frozen": {"file": place.absolute(), "found_anew": chosen_anew}})
    click.echo(f"\nWrote {place}: it contains values from the data, so keep it private.")
    for name, chosen in chosen_anew.items():
        click.echo(f"Found afresh in each file: {chosen} ({name}).")


def _save_model(release: Release, place: Path) -> None:
    """Write the model of a synthesis, readable only by its owner."""
    from discreet.contracts.progress import for_command
    from discreet.models.sequential.model_file import PRIVATE, save_model
    from discreet.release.modelling import model_of

    save_model(model_of(release, for_command()), place)
    answer(lambda: {"model": place.absolute()})
    click.echo(f"\nWrote {place}. {PRIVATE}")


def _refuse_equal_copies(recipe: Plan) -> None:
    if not any(step.is_random for step in recipe.steps):
        names = " and ".join(step.spec.name for step in recipe.steps)
        raise UsageError(
            f"copies differ only in their random numbers, but {names} draws none, so all would be "
            "the same; leave out --copies, or use a method that draws, such as fully-synthetic"
        )


command.order = 2  # type: ignore[attr-defined]
