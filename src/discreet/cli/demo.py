"""`discreet demo`: the main job on the embedded data."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("demo", short_help="See all of it on invented patients.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("demo"),
    show_default=True,
    help="The directory to write the release to; an earlier demo there is replaced.",
)
def command(out: Path) -> None:
    """Protect 3,000 invented patients: describe, protect, assess, write, report."""
    from discreet import datasets
    from discreet.assessing import assess
    from discreet.describing import describe
    from discreet.methods.perturbative.microaggregation import Microaggregation
    from discreet.partition.mdav import MDAV
    from discreet.protecting import protect
    from discreet.reading import read

    file = datasets.path("patients")
    click.echo(f"1. Describe {file.name}, a file of invented patients\n")
    click.echo(repr(describe(file)))
    click.echo("\n2. Protect it: microaggregation, groups of at least 5 records (MDAV)\n")
    data = read(file, roles=datasets.roles("patients"), kinds=datasets.kinds("patients"))
    release = protect(data, Microaggregation(MDAV(k=5)))
    click.echo(repr(release))
    click.echo("\n3. Assess it: what an intruder could learn, what an analyst lost\n")
    assessment = assess(data, release)
    click.echo(repr(assessment))
    release.write(out, overwrite=True, assessment=assessment)
    click.echo(f"\n4. Released: see {out / 'report-internal.html'} in a browser")
    for path in sorted(out.iterdir()):
        private = " (private)" if not path.stat().st_mode & 0o077 else ""
        click.echo(f"   {path}{private}")


command.order = 6  # type: ignore[attr-defined]
