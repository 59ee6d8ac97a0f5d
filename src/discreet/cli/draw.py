"""`discreet draw`: synthetic records from a kept model, without the data."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from discreet.cli.machine import answer
from discreet.errors import DataError


@click.command("draw", short_help="Draw synthetic records from a saved model.")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--records",
    type=click.IntRange(min=1),
    help="How many records to draw; as many as the original file had, if not given.",
)
@click.option(
    "--copies",
    type=click.IntRange(min=1),
    help="Draw this many files, each with its own random numbers: OUT with -1, -2, ... before "
    "its suffix.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("drawn.csv"),
    show_default=True,
    help="The file to write; its suffix (.csv, .parquet, ...) sets the format.",
)
@click.option(
    "--seed-file",
    type=click.Path(path_type=Path),
    help="Take the secret seed from this file, to draw the same records again. Without it, the "
    "operating system provides one.",
)
@click.option("--overwrite", is_flag=True, help="Replace files that already exist.")
def command(
    model: Path,
    records: int | None,
    copies: int | None,
    out: Path,
    seed_file: Path | None,
    overwrite: bool,
) -> None:
    """Draw synthetic records from MODEL, a file written by `discreet protect --save-model`.

    Records are drawn column by column, as in the release; none comes from an original. Nothing is
    measured, since that needs the original: use `discreet assess`. The seed is kept beside the
    first file, with the suffix .seed; like the model, it is private.
    """
    from discreet.contracts import Context, Randomness
    from discreet.contracts.progress import for_command
    from discreet.io.files import write_table
    from discreet.io.formats import kind_of_path
    from discreet.io.whole_file import write_whole
    from discreet.models.sequential.model_file import load_model
    from discreet.publishing.record import seed_from

    kept = load_model(model)
    places = [out]
    if copies is not None:
        places = [out.with_name(f"{out.stem}-{n}{out.suffix}") for n in range(1, copies + 1)]
    secret = out.with_name(f"{out.name}.seed")
    occupied = [place for place in (*places, secret) if place.exists()]
    if occupied and not overwrite:
        raise DataError(
            f"'{occupied[0]}' exists already; choose another name, or replace it with --overwrite"
        )
    kind, suffix = kind_of_path(out)
    randomness = seed_from(seed_file) if seed_file else Randomness()
    rows = kept.records if records is None else records
    for number, place in enumerate(places, start=1):
        context = Context(randomness, for_command()).within("copy", number)
        table = kept.table(rows, context)
        fresh = place.with_name(f".{secrets.token_hex(4)}.{place.name}")
        try:
            write_table(table, fresh, kind.format_for(suffix, {}))
            fresh.replace(place)
        finally:
            fresh.unlink(missing_ok=True)
    write_whole(secret, f"{randomness.reveal()}\n".encode(), private=True)
    answer(
        lambda: {
            "files": [place.absolute() for place in places],
            "records": rows,
            "method": kept.method,
            "seed": secret.absolute(),
        }
    )
    for place in places:
        click.echo(f"Wrote {place}: {rows:,} synthetic records by {kept.method}.")
    click.echo(f"The seed is in {secret}; keep it private, as the model is.")
    click.echo("Nothing was measured: discreet assess ORIGINAL FILE compares them with the data.")


command.order = 3  # type: ignore[attr-defined]
