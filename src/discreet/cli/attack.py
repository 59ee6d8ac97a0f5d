"""`discreet attack`: do to a file what an intruder could do, and show what it gives away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.options import allow_outside_option

if TYPE_CHECKING:
    from discreet.contracts import Attack, Context, Findings, Narrowed, Target
    from discreet.microdata import Microdata
    from discreet.release.plan import Plan

FEW = 2
"""Entries of each part that are printed: about ten lines in all; a file has the rest."""
ROWS = 10
"""How many row numbers of the most exposed records are listed."""
LONGEST_CONDITION = 120
"""A label may be the concatenation of a hundred categories."""


@click.command("attack", short_help="Attack a file as an intruder would; see what it reveals.")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--data", type=click.Path(path_type=Path), help="The original, if not the plan's own file."
)
@click.option(
    "--released",
    type=click.Path(path_type=Path),
    help="Attack this release, a directory or file, instead of the original.",
)
@click.option(
    "--earlier",
    type=click.Path(path_type=Path),
    multiple=True,
    help="The directory or file of an earlier release about some of the same people: shows what "
    "all of them reveal together (may be given several times, earliest first).",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="The private record.json of the release; found automatically if it is next to it.",
)
@click.option(
    "--attack",
    "name",
    help="Which attack; 'discreet methods' lists them. Without it: regression-attack, or "
    "earlier-release if --earlier is given.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the attack, such as leaf=50 (may be given several times).",
)
@click.option(
    "--known",
    metavar="COLUMNS",
    help="What the intruder knows about people, such as age,sex; all quasi-identifiers if not "
    "given.",
)
@click.option(
    "--known-error",
    type=float,
    default=0.0,
    help="How inaccurate it is: for numbers in standard deviations, for categories the share "
    "that is wrong.",
)
@click.option(
    "--known-share",
    type=float,
    default=1.0,
    help="The share of people about whom it is known.",
    show_default=True,
)
@click.option("--ignorant", is_flag=True, help="The intruder does not know the method.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write everything that the attack found to this private file.",
)
@click.option(
    "--per-record",
    type=click.Path(path_type=Path),
    help="Write to this private CSV file, for each record, the chance of linking it to the nearest "
    "original and which cell to suppress next.",
)
@click.option("--overwrite", is_flag=True, help="Replace these files if they exist.")
@allow_outside_option
def command(
    plan: Path,
    data: Path | None,
    released: Path | None,
    earlier: tuple[Path, ...],
    record: Path | None,
    name: str | None,
    settings: tuple[str, ...],
    known: str | None,
    known_error: float,
    known_share: float,
    ignorant: bool,
    out: Path | None,
    per_record: Path | None,
    overwrite: bool,
    allow_outside: bool,
) -> None:
    """Attack the file of PLAN, whose roles say what an intruder knows and what is confidential.

    The output is about the people in the file: it is only for the owner of the data.
    """
    from discreet.cli.answers import revealed
    from discreet.cli.machine import answer
    from discreet.contracts import Attack, Context, Knowledge
    from discreet.contracts.progress import for_command
    from discreet.contracts.registry import build
    from discreet.errors import DataError, UsageError
    from discreet.io.whole_file import write_whole
    from discreet.publishing.manifest import released_file
    from discreet.release.plan import Plan

    usual = "earlier-release" if earlier else "regression-attack"
    attack = build("attack", {name or usual: _settings(settings)})
    assert isinstance(attack, Attack)
    if released is None and (earlier or record or per_record):
        raise UsageError("--earlier, --record and --per-record apply to a release: give --released")
    columns = None if known is None else tuple(name.strip() for name in known.split(","))
    knowledge = Knowledge(columns, known_error, known_share, not ignorant)
    if knowledge != Knowledge() and (released is None or not attack.by_knowledge):
        raise UsageError(
            "--known, --known-error, --known-share and --ignorant apply to attacks that look "
            "people up in a release: give --released and an --attack such as nearest-linkage"
        )
    if ignorant and attack.knows_method:
        raise UsageError(
            f"{attack.spec.name} is an attack by somebody who knows the method: leave --ignorant "
            "out, or choose another one, such as nearest-linkage"
        )
    recipe = Plan.load(plan, allow_outside=allow_outside)
    released = None if released is None else released_file(released)
    for file in (out, per_record):
        if file is not None and file.exists() and not overwrite:
            raise DataError(
                f"'{file}' exists already; choose another name, or replace it with --overwrite"
            )
    context = Context(progress=for_command())
    files: list[tuple[Path, bytes]] = []
    if per_record is not None and released is not None:
        target = _target(recipe, data, released, (), record)
        files.append((per_record, _per_record(target, context)))
    if released is not None and attack.against_people:
        target = _target(recipe, data, released, earlier, record)
        if knowledge != Knowledge():
            target = knowledge.of(target, context)
        short = whole = _attempted(attack, target, context)
        if knowledge != Knowledge():
            whole.insert(2, f"The intruder knows {knowledge}.")
    else:
        table = _table(recipe, data, released)
        findings = attack.attack(table, context)
        answer(lambda: revealed(attack, len(table), findings))
        head = f"{attack.spec.title}\n{len(table):,} records\n"
        short, whole = ([head, *_lines(findings, few)] for few in (FEW, None))
    if out is not None:
        files.append((out, "".join(f"{line}\n" for line in whole).encode()))
    for file, content in files:
        write_whole(file, content, private=True)
    click.echo("\n".join(short))
    if files:
        click.echo("")
    for file, _ in files:
        click.echo(f"Wrote {file}: it is about the people in the file, so keep it private.")
    if out is not None:
        return
    if len(short) < len(whole):
        click.echo(f"{len(whole) - len(short):,} more lines (--out FILE writes all of them)")


def _target(
    recipe: Plan,
    data: Path | None,
    released: Path,
    earlier: tuple[Path, ...],
    record: Path | None,
) -> Target:
    """Return a release, the people that it is about, and what is known about both."""
    from dataclasses import replace

    from discreet.contracts import Target
    from discreet.microdata import Role
    from discreet.publishing.manifest import released_file
    from discreet.publishing.record import held_back_from, pairing_from
    from discreet.release.holding_back import parted
    from discreet.release.imitation import imitation

    everybody = recipe.read(data)
    original, control = parted(everybody, held_back_from(record, released))
    pairing = pairing_from(record, released, len(original))
    if pairing is not None:
        pairing = replace(
            pairing, imitate=imitation(original, recipe.steps), steps=tuple(recipe.steps)
        )
    visible, hidden = (
        None if table is None else table.drop(table.having(Role.IDENTIFIER))
        for table in (original, control)
    )
    assert visible is not None
    return Target(
        visible,
        recipe.read_release(released, original),
        pairing,
        hidden,
        tuple(recipe.read_release(released_file(place), original) for place in earlier),
    )


def _attempted(attack: Attack, target: Target, context: Context) -> list[str]:
    from discreet.cli.attack_outcome import attempt_lines
    from discreet.errors import DataError, NotApplicable

    try:
        return list(attempt_lines(attack, target, context))
    except NotApplicable as reason:
        raise DataError(f"{attack.spec.name} cannot be tried on this release: {reason}") from None


def _per_record(target: Target, context: Context) -> bytes:
    from discreet.cli.attack_outcome import per_record_file
    from discreet.errors import DataError, NotApplicable

    try:
        return per_record_file(target, context)
    except NotApplicable as reason:
        raise DataError(f"the chance of each record cannot be given: {reason}") from None


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
            f"\n{count:,} records are most exposed ({100 * worst:.0f} %): "
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
