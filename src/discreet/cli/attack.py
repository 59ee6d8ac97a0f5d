"""`discreet attack`: do to a file what an intruder could do, and show what it gives away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.options import allow_outside_option

if TYPE_CHECKING:
    from discreet.contracts import Findings, Narrowed
    from discreet.microdata import Microdata
    from discreet.release.plan import Plan

FEW = 2
"""Entries of each part that are printed: about ten lines in all, and a file has the rest."""
ROWS = 10
"""How many row numbers of the most exposed records are listed."""
LONGEST_CONDITION = 120
"""A label may be the concatenation of a hundred categories."""


@click.command("attack", short_help="Attack a file as an intruder would; see what it gives away.")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--data", type=click.Path(path_type=Path), help="The original, if not the plan's own file."
)
@click.option(
    "--released",
    type=click.Path(path_type=Path),
    help="Attack this release instead of the original.",
)
@click.option(
    "--attack",
    "name",
    default="regression-attack",
    show_default=True,
    help="Which attack; 'discreet methods' lists them.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the attack, such as leaf=50 (may be given several times).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write all that the attack found to this file, which is private.",
)
@click.option("--overwrite", is_flag=True, help="Replace that file if it exists.")
@allow_outside_option
def command(
    plan: Path,
    data: Path | None,
    released: Path | None,
    name: str,
    settings: tuple[str, ...],
    out: Path | None,
    overwrite: bool,
    allow_outside: bool,
) -> None:
    """Attack the file of PLAN, whose roles say what an intruder knows and what is confidential.

    What is printed is about the people in the file: it is only for the owner of the data.
    """
    from discreet.contracts import Attack, Context
    from discreet.contracts.progress import for_command
    from discreet.contracts.registry import build
    from discreet.errors import DataError
    from discreet.io.whole_file import write_whole
    from discreet.release.plan import Plan

    attack = build("attack", {name: _settings(settings)})
    assert isinstance(attack, Attack)
    recipe = Plan.load(plan, allow_outside=allow_outside)
    table = _table(recipe, data, released)
    if out is not None and out.exists() and not overwrite:
        raise DataError(
            f"'{out}' exists already; choose another name, or replace it with --overwrite"
        )
    findings = attack.attack(table, Context(progress=for_command()))
    head = f"{attack.spec.title}\n{len(table):,} records\n"
    whole = [head, *_lines(findings, None)]
    if out is not None:
        write_whole(out, "".join(f"{line}\n" for line in whole).encode(), private=True)
    short = [head, *_lines(findings, FEW)]
    click.echo("\n".join(short))
    if out is not None:
        click.echo(f"\nWrote {out}: it is about the people in the file, so keep it private.")
    elif len(short) < len(whole):
        click.echo(f"{len(whole) - len(short):,} lines more (--out FILE writes all of them)")


def _settings(given: tuple[str, ...]) -> dict[str, Any]:
    from discreet.errors import UsageError
    from discreet.release.plan_file import parse_plan_text

    settings = {}
    for setting in given:
        name, equals, value = setting.partition("=")
        try:
            settings[name.strip()] = parse_plan_text(value).content
        except UsageError:
            equals = ""
        if not equals or not name.strip():
            raise UsageError(
                f"a parameter is given as --set name=value, but '{setting}' is not of this form; "
                "write, for example, --set leaf=50 or --set 'columns=[age, job]'"
            )
    return settings


def _table(recipe: Plan, data: Path | None, released: Path | None) -> Microdata:
    from discreet.errors import DataError
    from discreet.microdata import Role

    original = recipe.read(data)
    if released is None:
        return original
    table = recipe.read_release(released, original)
    confidential = original.having(Role.CONFIDENTIAL)
    if confidential and not table.having(Role.CONFIDENTIAL):
        raise DataError(
            f"the release '{released.name}' has none of the confidential columns of the plan "
            f"({', '.join(confidential)}), so it says nothing about them; check that it is the "
            "release of this plan"
        )
    return table


def _lines(findings: Findings, few: int | None) -> Iterator[str]:
    from discreet.report.markup import clipped

    if findings.note:
        yield f"note: {findings.note}"
    yield "Share of a blind guess's error that the attack removes"
    for name, gain in list(findings.gains.items())[:few]:
        by_chance = (
            f" (by chance {100 * findings.chance[name]:.1f} %)" if name in findings.chance else ""
        )
        yield f"  {name}: {100 * gain:.1f} %{by_chance}"
    yield "\nWhat the intruder needs to know, by the share of the whole error that it removes"
    for name, share in list(findings.attributes.items())[:few]:
        yield f"  {name}: {100 * share:.1f} %"
    if findings.places:
        yield "\nMost exposed first"
    for place in findings.places[: None if few is None else 1]:
        rule = " and ".join(clipped(condition, LONGEST_CONDITION) for condition in place.rule)
        yield f"  {rule}  ({len(place.rows):,} records)"
        for narrowed in place.narrowed[:few]:
            yield f"    {_narrowed_line(narrowed)}"
    rows = findings.most_exposed(ROWS)
    if len(rows) and findings.exposure[rows[0]] > 0:
        worst = findings.exposure[rows[0]]
        count = int((findings.exposure == worst).sum())
        listed = ", ".join(f"{row + 1:,}" for row in rows.tolist()[:count])
        yield (
            f"\n{count:,} records are exposed most ({100 * worst:.0f} %): "
            f"row{'s' if count > 1 else ''} {listed}{', …' if count > len(rows) else ''}"
        )


def _narrowed_line(narrowed: Narrowed) -> str:
    if not narrowed.known:
        return f"{narrowed.column}: missing"
    if narrowed.low is not None and narrowed.high is not None:
        return (
            f"{narrowed.column}: {narrowed.low:g} to {narrowed.high:g}, mean {narrowed.guess:.6g}; "
            f"range {100 * (narrowed.range or 0):.1f} % and deviation "
            f"{100 * (narrowed.spread or 0):.1f} % of the file's"
        )
    return (
        f"{narrowed.column}: {narrowed.guess} for {100 * (narrowed.share or 0):.1f} %; diversity "
        f"{100 * (narrowed.spread or 0):.1f} % of the file's"
    )


command.order = 4  # type: ignore[attr-defined]
