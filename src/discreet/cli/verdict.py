"""The verdict on the terminal: the light, the paragraph, and what lost most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from discreet.release.assessment import Assessment

COLOURS = {"red": "red", "amber": "yellow", "green": "green"}
WORST = 3


def show_verdict(assessment: Assessment) -> None:
    """Print the verdict as one paragraph, and the columns and pairs that lost most."""
    verdict = assessment.verdict
    light = verdict.light.value.upper()
    # No line ends between a number and its percent sign.
    text = f"{light}: {verdict}".replace(" %", "\N{NO-BREAK SPACE}%")
    paragraph = click.wrap_text(text, width=_width()).replace("\N{NO-BREAK SPACE}", " ")
    # Coloured after wrapping, so that colour codes do not count as width.
    lit = click.style(light, fg=COLOURS[verdict.light.value], bold=True)
    click.echo(paragraph.replace(light, lit, 1))
    for unit, losses in (
        ("columns", assessment.column_losses),
        ("pairs", assessment.pair_losses),
    ):
        if losses is not None and losses.worst[0].share > 0:
            worst = "; ".join(str(loss) for loss in losses.worst[:WORST] if loss.share > 0)
            click.echo(f"{unit} that lost most ({losses.measure}): {worst}")
    click.echo()


def _width() -> int:
    import shutil

    return max(60, min(100, shutil.get_terminal_size().columns))
