"""`discreet explore`: which method with which parameters loses least within a limit on risk?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from discreet.cli.options import allow_outside_option, variables_option

STORE = "trials.sqlite"
NOT_MET = 3
STOPPED = 1


@click.command("explore", short_help="Find the method that loses least within a limit on risk.")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="The file, if not the plan's own.")
@click.option(
    "--risk",
    "risks",
    multiple=True,
    help="A measure to keep within a limit, such as k-anonymity; may be given several times, each "
    "with its own --limit. Without it: strongest-linkage.",
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    type=float,
    help="The worst acceptable value of the measure (a share: 0.05 is 5 %, which is also the limit "
    "of strongest-linkage if none is given).",
)
@click.option(
    "--utility",
    "utilities",
    multiple=True,
    default=("propensity",),
    show_default=True,
    help="A utility measure to optimise; may be given several times, the first sets the ranking.",
)
@click.option("--method", "methods", multiple=True, help="Try only this method (repeatable).")
@click.option(
    "--candidates",
    type=click.Path(path_type=Path),
    help="A YAML list of steps with values to try, instead of the methods' own, such as "
    "'- rank-swapping: {p: {from: 1, to: 20}}'.",
)
@click.option("--every", is_flag=True, help="Try every value instead of bisecting to the limit.")
@click.option("--budget", help="When to stop: 90s, 10m, 2h. Without it, all settings are tried.")
@click.option("--trial-budget", default="2m", show_default=True, help="When to stop one trial.")
@click.option(
    "--trial-megabytes",
    type=click.FloatRange(min=0, min_open=True),
    default=4096.0,
    show_default=True,
    help="Memory limit of one trial.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Number of draws of a random method.",
)
@click.option(
    "--may-lose",
    is_flag=True,
    help="Recommend a release even if a column that varied is now the same for all records, or "
    "less than half of the association between columns is kept.",
)
@click.option(
    "--records",
    type=click.Choice(["masked", "synthetic", "either"]),
    default="masked",
    show_default=True,
    help="Which kind of records to recommend if both are within the limits: those of the file, "
    "masked; synthetic ones; or either, whichever has the better figures. The other kind gets a "
    "plan too.",
)
@click.option(
    "--cores", type=click.IntRange(min=1), help="Trials at a time; one per core if not given."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("exploration"),
    show_default=True,
    help="Where the map, the recommended plan and the finished trials are kept; an interrupted "
    "search resumes from there.",
)
@click.option(
    "--seed-file",
    type=click.Path(path_type=Path),
    help="Take the secret seed from this file, to reproduce a search exactly.",
)
@variables_option
@allow_outside_option
def command(
    plan: Path,
    data: Path | None,
    risks: tuple[str, ...],
    limits: tuple[float, ...],
    utilities: tuple[str, ...],
    methods: tuple[str, ...],
    candidates: Path | None,
    every: bool,
    budget: str | None,
    trial_budget: str,
    trial_megabytes: float,
    repeats: int,
    may_lose: bool,
    records: str,
    cores: int | None,
    out: Path,
    seed_file: Path | None,
    variables: tuple[str, ...],
    allow_outside: bool,
) -> int:
    """Try methods and parameters on the data of PLAN, and recommend one.

    The plan's columns are used, its steps are not. The outcome is a map of risk and utility
    (ru-map.html), a table of all settings, and recommended.yaml, a plan that can be run as it is.
    Exits with status 3 if no setting stays within the limits.
    """
    from discreet.cli.answers import explored
    from discreet.cli.machine import answer
    from discreet.contracts.progress import for_command
    from discreet.contracts.registry import build
    from discreet.errors import UsageError
    from discreet.exploring.running import STRONGEST, USUAL_LIMIT, explore
    from discreet.exploring.writing import plans
    from discreet.publishing.record import seed_from
    from discreet.release.plan import Plan
    from discreet.release.plan_variables import stated_variables

    if not risks:
        risks, limits = (STRONGEST,), limits or (USUAL_LIMIT,)
    if len(risks) != len(limits):
        raise UsageError(
            f"each --risk needs a --limit, but {len(risks)} and {len(limits)} were given"
        )
    if methods and candidates:
        raise UsageError("give either --method or --candidates, not both")
    if len(set(risks)) < len(risks):
        raise UsageError("a --risk is given two limits; give only one")
    given = stated_variables(variables)
    recipe = Plan.load(plan, allow_outside=allow_outside, variables=given)
    steps = listed(candidates, None if allow_outside else plan.parent) if candidates else None
    if data is not None:
        recipe = replace(recipe, file=str(data.resolve()))
    original = recipe.read()
    try:
        exploration = explore(
            original,
            dict(zip(risks, limits, strict=True)),
            list(utilities),
            candidates=steps,
            methods=list(methods) or None,
            budget=budget,
            trial_budget=trial_budget,
            trial_megabytes=trial_megabytes,
            repeats=repeats,
            every=every,
            cores=cores,
            store=out / STORE,
            seed=seed_from(seed_file) if seed_file else None,
            progress=for_command(),
            analyses=recipe.analyses,
            may_lose=may_lose,
            records=records,
            allow=recipe.allow,
        )
    except KeyboardInterrupt:
        click.echo(
            f"discreet: stopped; what was tried is kept in {out}, and the same command resumes",
            err=True,
        )
        return STOPPED
    exploration.write(out, recipe)
    answer(lambda: explored(exploration, out))
    click.echo(repr(exploration))
    click.echo(f"\nWritten to {out}: the map in ru-map.html (private)")
    if exploration.recommended is None:
        return NOT_MET
    for name, point in plans(exploration).items():
        if point is not None:
            outside = any(build("method", step).files() for step in point.steps)
            allowed = " --allow-outside" if outside else ""
            first = "Next:" if point is exploration.recommended else "Or, with"
            kind = "" if point is exploration.recommended else f" {point.records} records:"
            click.echo(f"{first}{kind} discreet protect {out / name}{allowed}")
    return 0


def listed(path: Path, folder: Path | None) -> list[Any]:
    """Read a list of candidates; the files that its steps name must lie in the folder, if given."""
    from discreet.errors import UsageError
    from discreet.exploring.candidates import from_list
    from discreet.release.plan_file import read_plan_text, refuse_foreign

    refuse_foreign(path, None)
    text = read_plan_text(path)
    if not isinstance(text.content, list) or not text.content:
        raise UsageError(f"'{path}' must hold a list of steps, each line starting with '- '")
    for number, entry in enumerate(text.content):
        try:
            for candidate in from_list([entry]):
                for file in candidate.files():
                    refuse_foreign(Path(file), folder)
        except UsageError as error:
            text.wrong((number,), str(error))
    return text.content


command.order = 5  # type: ignore[attr-defined]
