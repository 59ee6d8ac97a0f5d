"""`discreet demo`: the main job on the embedded data."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("demo", short_help="See everything at work on invented patients.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("demo"),
    show_default=True,
    help="The directory to write the release to; an earlier demo there is replaced.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Only write the file of invented patients to this path, to try the other commands on.",
)
@click.pass_context
def command(context: click.Context, out: Path, data: Path | None) -> None:
    """Protect 3,000 invented patients: describe, protect, assess, write, report, verify."""
    if data is not None:
        if context.get_parameter_source("out") is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError("--data writes the patients only: leave out --out", context)
        _write_patients(data)
        return
    from discreet import datasets
    from discreet.cli.answers import released, verified
    from discreet.cli.machine import answer
    from discreet.cli.verdict import show_verdict
    from discreet.cli.written import written
    from discreet.io.reading import read
    from discreet.methods.perturbative.microaggregation import Microaggregation
    from discreet.microaggregation.partition.mdav import MDAV
    from discreet.publishing.directory import refuse_target
    from discreet.publishing.verifying import verify
    from discreet.release.assessing import assess
    from discreet.release.describing import describe
    from discreet.release.protecting import protect

    file = datasets.path("patients")
    overwrite = _is_demo(out, file)
    refuse_target(out, overwrite)
    patients = read(file, roles=datasets.roles("patients"), kinds=datasets.kinds("patients"))
    release = protect(patients, Microaggregation(MDAV(k=5)))
    assessment = assess(patients, release)
    release.write(out, overwrite=overwrite, assessment=assessment)
    click.echo(f"1. Describe {file.name}, a file of invented patients\n")
    click.echo(repr(describe(file)))
    click.echo("\n2. Protect it: microaggregation, groups of at least 5 households (MDAV)\n")
    click.echo(repr(release))
    click.echo("\n3. Assess it: what an intruder could learn, what an analyst loses\n")
    show_verdict(assessment)
    click.echo(repr(assessment))
    click.echo(f"\n4. Released: see {out / 'report-internal.html'} in a browser\n{written(out)}")
    click.echo("\n5. Verify it, as its recipients can: figures computed again from the file\n")
    verification = verify(out)
    answer(
        lambda: {
            "releases": [released(release, assessment, out)],
            "verified": verified(verification, out),
            "data": None,
        }
    )
    click.echo(repr(verification))


def _write_patients(place: Path) -> None:
    from discreet import datasets
    from discreet.cli.machine import answer
    from discreet.errors import DataError
    from discreet.io.whole_file import write_whole

    file = datasets.path("patients")
    if place.is_dir():
        place = place / file.name
    content = file.read_bytes()
    if place.exists() and place.read_bytes() != content:
        raise DataError(f"'{place}' exists already; choose another name")
    write_whole(place, content)
    answer(lambda: {"releases": [], "verified": None, "data": place.absolute()})
    records = content.count(b"\n") - 1
    click.echo(
        f"Wrote {place}: {records:,} invented patients; look at them with "
        f"'discreet describe {place}'."
    )


def _is_demo(directory: Path, patients: Path) -> bool:
    """Whether a directory holds a demo, which may be replaced; any other release may not."""
    from discreet.errors import DataError
    from discreet.publishing.checksum import sha256
    from discreet.publishing.manifest import RECORD
    from discreet.publishing.record import read_record

    try:
        source = read_record(directory / RECORD).get("input")
    except DataError:
        return False
    return isinstance(source, dict) and source.get("sha256") == sha256(patients)


command.order = 6  # type: ignore[attr-defined]
