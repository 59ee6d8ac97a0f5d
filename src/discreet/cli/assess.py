"""`discreet assess`: measure a released file against its original."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from discreet.cli.options import allow_outside_option, variables_option


@click.command("assess", short_help="Measure the risk and utility of a released file.")
@click.option(
    "--plan",
    type=click.Path(path_type=Path),
    required=True,
    help="The plan, for the roles and kinds of the columns.",
)
@click.option("--original", type=click.Path(path_type=Path), required=True, help="The original.")
@click.option(
    "--released",
    type=click.Path(path_type=Path),
    required=True,
    help="The release: its directory or file.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="The private record.json of the release, which has the order of its rows; found "
    "automatically if it is next to the released file.",
)
@click.option("--same-order", is_flag=True, help="The rows of both files correspond one to one.")
@click.option(
    "--measure", "measures", multiple=True, help="Only this measure (may be given several times)."
)
@click.option("--all", "every", is_flag=True, help="Every measure, including the expensive ones.")
@click.option("--by", help="Measure utility within each category of this column as well.")
@variables_option
@allow_outside_option
def command(
    plan: Path,
    original: Path,
    released: Path,
    record: Path | None,
    same_order: bool,
    measures: tuple[str, ...],
    every: bool,
    by: str | None,
    variables: tuple[str, ...],
    allow_outside: bool,
) -> None:
    """Show how much an intruder could learn from a release, and how much an analyst loses."""
    from discreet.cli.answers import assessed
    from discreet.cli.machine import answer
    from discreet.cli.verdict import show_verdict
    from discreet.contracts import Pairing
    from discreet.errors import DataError, UsageError
    from discreet.microdata import Role
    from discreet.publishing.manifest import released_file
    from discreet.publishing.record import held_back_from, pairing_from, states_synthetic
    from discreet.release.assessing import assess, unusual
    from discreet.release.holding_back import parted
    from discreet.release.imitation import imitation
    from discreet.release.plan import Plan
    from discreet.release.plan_variables import stated_variables

    if every and measures:
        raise UsageError("give either --all or --measure, not both")
    if record is not None and same_order:
        raise UsageError("give either --record or --same-order, not both")
    given = stated_variables(variables)
    recipe = Plan.load(plan, allow_outside=allow_outside, variables=given)
    released = released_file(released)
    before, control = recipe.read(original), None
    after = recipe.read_release(released, before)
    absent = [
        f"'{a.name}'"
        for a in before.schema
        if a.role is not Role.IDENTIFIER and a.name not in after.schema.names
    ]
    if absent:
        click.echo(
            f"note: the released file lacks {', '.join(absent)} of the original, which "
            "count as lost",
            err=True,
        )
    pairing, synthetic = None, False
    if same_order:
        if len(before) != len(after):
            raise DataError(
                f"rows cannot correspond one to one: the original has {len(before)} records, the "
                f"release {len(after)}; leave out --same-order"
            )
        pairing = Pairing.same_order(len(after))
    else:
        before, control = parted(before, held_back_from(record, released))
        pairing = pairing_from(record, released, len(before))
        synthetic = pairing is None and states_synthetic(record, released)
    if pairing is not None:
        # An intruder may know the plan's steps, and run them once more.
        pairing = replace(
            pairing, imitate=imitation(before, recipe.steps), steps=tuple(recipe.steps)
        )
    chosen = ["all"] if every else list(measures) or recipe.measures
    assessment = assess(
        before,
        after,
        chosen,
        pairing=pairing,
        synthetic=synthetic,
        by=by,
        analyses=recipe.analyses,
        claims=recipe.claims,
        thresholds=recipe.thresholds,
        written_as=recipe.file_format(before),
        control=control,
    )
    answer(lambda: assessed(assessment))
    show_verdict(assessment)
    click.echo(assessment.text("" if every or measures else "--all"))
    if chosen is not None and not every:
        for row in assessment.rows:
            if row.after is not None and row.after.note and row.after.ignorant is None:
                click.echo(f"{row.spec.name}: {row.after.note}")
    if chosen is None:
        click.echo(f"not measured unless asked for (--measure, --all): {', '.join(unusual())}")


command.order = 3  # type: ignore[attr-defined]
