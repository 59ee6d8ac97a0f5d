"""`discreet compare`: methods, parameters and seeds on one or several files, as one table."""

from __future__ import annotations

from pathlib import Path

import click

from discreet.cli.options import allow_outside_option, variables_option

TABLE = "comparison.csv"


@click.command("compare", short_help="Tabulate methods x parameters x seeds, for studies.")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--data",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A file, if not the plan's own (repeatable; each must have the plan's columns).",
)
@click.option(
    "--candidates",
    type=click.Path(path_type=Path),
    help="A YAML list of steps with values to try, such as "
    "'- rank-swapping: {p: {from: 1, to: 20}}'. Without it: the steps of the plan.",
)
@click.option(
    "--measure", "measures", multiple=True, required=True, help="A measure to compute (repeatable)."
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Number of draws of a random method.",
)
@click.option(
    "--cores", type=click.IntRange(min=1), help="Trials at a time; one per core if not given."
)
@click.option("--trial-budget", default="10m", show_default=True, help="When to stop one trial.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("comparison"),
    show_default=True,
    help="Where the table and the finished trials are kept; an interrupted comparison resumes.",
)
@click.option(
    "--seed-file",
    type=click.Path(path_type=Path),
    help="Take the seed from this file, to reproduce a comparison.",
)
@variables_option
@allow_outside_option
def command(
    plan: Path,
    files: tuple[Path, ...],
    candidates: Path | None,
    measures: tuple[str, ...],
    seeds: int,
    cores: int | None,
    trial_budget: str,
    out: Path,
    seed_file: Path | None,
    variables: tuple[str, ...],
    allow_outside: bool,
) -> None:
    """Run every setting with every seed on the data of PLAN, and write one tidy table.

    comparison.csv has a row for each file, setting and measure: the mean over the seeds with its
    95 % interval, and a column for each parameter. draws.csv has every draw. Both are private.
    """
    from discreet.cli.explore import listed
    from discreet.cli.machine import answer
    from discreet.contracts.flattening import columns_of
    from discreet.contracts.progress import for_command
    from discreet.exploring.comparing import compare
    from discreet.exploring.writing import write_table
    from discreet.publishing.record import seed_from
    from discreet.release.plan import Plan
    from discreet.release.plan_variables import stated_variables

    given = stated_variables(variables)
    recipe = Plan.load(plan, allow_outside=allow_outside, variables=given)
    folder = None if allow_outside else plan.parent
    steps = [list(recipe.steps)] if candidates is None else listed(candidates, folder)
    data = {file.stem: recipe.read(file) for file in files} or {plan.stem: recipe.read()}
    comparison = compare(
        data,
        steps,
        list(measures),
        seeds=seeds,
        cores=cores,
        store=out,
        trial_budget=trial_budget,
        seed=seed_from(seed_file) if seed_file else None,
        progress=for_command(),
        allow=recipe.allow,
    )
    write_table(out / TABLE, comparison.to_dict())
    write_table(out / "draws.csv", columns_of(comparison.draws()))
    answer(lambda: {"directory": out.absolute(), "rows": comparison.rows()})
    click.echo(repr(comparison))
    click.echo(f"\nWritten to {out / TABLE} (private)")


command.order = 5  # type: ignore[attr-defined]
