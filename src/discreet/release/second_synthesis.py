"""A second synthesis, of half of the records: what synthetic records reveal about those used.

Nobody was held back from the release itself, so there is nobody to compare its members with. The
same steps are therefore run again on half of the records, and the other half is the control. The
second file is measured and thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from discreet.contracts import Context, Grain, Score
from discreet.errors import DiscreetError
from discreet.microdata import Microdata, Role
from discreet.release.course import run_steps
from discreet.release.holding_back import parted, rows_held_back
from discreet.release.release import Release

MEASURES = ("membership", "nearest-record")
"""Measured on the second synthesis, since they need people whom the method never saw."""
MOST = 10_000
"""Records of a larger file, drawn at random, of which half are used."""
FEWEST = 200


SECOND = "of a second synthesis"
"""How the note on a score measured on a second synthesis begins."""


@dataclass(frozen=True, eq=False)
class SecondSynthesis:
    """The records that it was made from, its records, and those held back."""

    used: Microdata
    made: Microdata
    control: Microdata

    @classmethod
    def of(cls, release: Release, context: Context) -> SecondSynthesis | None:
        """Run the steps of a synthetic release again; None where it has records of originals.

        >>> import discreet, numpy as np
        >>> data = discreet.read({"age": np.arange(400) % 90}, roles={"age": "quasi-identifier"})
        >>> release = discreet.protect(data, discreet.CartSynthesis(everything=True))
        >>> second = SecondSynthesis.of(release, Context())
        >>> len(second.used), len(second.made), len(second.control)
        (200, 200, 200)
        """
        data = release.original
        if release.control is not None or len(data) < FEWEST or not _new(release):
            return None
        try:
            if len(data) > MOST:
                share = min(0.5, MOST / len(data))
                data = data.take(rows_held_back(data, share, context.generator("some")))
            held = rows_held_back(data, 0.5, context.generator("held back"))
            used, control = parted(data, held)
            made = run_steps(used, release.steps, context).data
        except DiscreetError:
            # Half of the records may be too few for what the whole file allows.
            return None
        if control is None:
            return None
        identifiers = data.having(Role.IDENTIFIER)
        return cls(*(table.drop(identifiers) for table in (used, made, control)))

    def noted(self, score: Score) -> Score:
        """Return a score that says what it was measured on."""
        words = (
            f"{SECOND}, from {len(self.used):,} records with {len(self.control):,} "
            "held back; it is not released"
        )
        return replace(score, note=f"{words}; {score.note}" if score.note else words)


def _new(release: Release) -> bool:
    """Whether all released records are new ones, of models fitted to this file."""
    fitted = [step for step in release.steps if step.grain is Grain.FILE]
    kept = any(getattr(step, "model", None) is not None for step in fitted)
    return bool(fitted) and not kept and len(release.origin) > 0 and release.origin.max() < 0
