"""`discreet protect`: run a plan."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("protect", short_help="Protect a file as a plan says, and write the release.")
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
@click.option("--overwrite", is_flag=True, help="Replace an earlier release in that directory.")
@click.option("--dry-run", is_flag=True, help="Do everything and show it, but write nothing.")
@click.option(
    "--seed-file",
    type=click.Path(path_type=Path),
    help="Take the secret seed from this file (a number, or the record.json of an earlier "
    "release) to repeat a release exactly. Without it the operating system gives one.",
)
def command(
    plan: Path,
    data: Path | None,
    out: Path,
    overwrite: bool,
    dry_run: bool,
    seed_file: Path | None,
) -> None:
    """Protect data as PLAN says, measure risk and utility, and write the release.

    The directory gets the release file, manifest.json and report-public.html, which may be passed
    on, and record.json and report-internal.html, which are for you alone.
    """
    from discreet.assessing import assess
    from discreet.cli.written import written
    from discreet.contracts.partition import said_of
    from discreet.plan import Plan
    from discreet.progress import for_command
    from discreet.publishing import refuse_over_inputs
    from discreet.record import seed_from

    recipe = Plan.load(plan)
    if not dry_run:
        refuse_over_inputs(out, [plan, *([data] if data else [])])
    original = recipe.read(data)
    seed = seed_from(seed_file) if seed_file else None
    release = recipe.run(original, seed, for_command())
    assessment = assess(original, release, recipe.measures)
    if not dry_run:
        # Written before anything is printed: a reader who stops listening loses no release.
        release.write(out, format=recipe.format, overwrite=overwrite, assessment=assessment)
    for note in original.source.notes if original.source else ():
        click.echo(note)
    click.echo(repr(release))
    if release.groups is not None:
        for line in said_of(release.groups.detail):
            click.echo(f"  {line}")
    click.echo()
    for note in release.notes:
        click.echo(f"note: {note}", err=True)
    click.echo(repr(assessment))
    click.echo("\nDry run: nothing was written." if dry_run else f"\n{written(out)}")


command.order = 2  # type: ignore[attr-defined]
