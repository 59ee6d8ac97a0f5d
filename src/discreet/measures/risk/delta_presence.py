"""δ-presence: how sure an intruder can be that a person is in the file at all."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Context, MeasureSpec, Pairing, Score, Side
from discreet.measures.population import RESTS_ON, PopulationMeasure
from discreet.microdata import Microdata


class DeltaPresence(PopulationMeasure):
    """The largest chance that a person of the population is in the file, given the release.

    Being in a file of infected people is a secret in itself. Of the F people that a class of f
    records could be, f are in the file: each of them with chance f/F. Where labels overlap, a
    person could be in several classes, and their chances are added up to 1 at most. The blind guess
    is the share of the population that is in the file. Without a register, F is estimated.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> everybody = {"age": [30, 30, 30, 30, 41, 56, 56, 56]}
    >>> score = DeltaPresence().from_population(everybody).score(data, data, Context())
    >>> score.value, score.per_record.tolist(), score.detail["least chance of a person"]
    (1.0, [0.5, 0.5, 1.0], 0.0)
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="delta-presence",
        title="δ-presence",
        citation="Nergiz, Atzori & Clifton (2007), Hiding the presence of individuals from shared "
        "databases",
        missing="a category of its own; a suppressed value could be anybody's",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        claimed_as_stated=True,
        rests_on=RESTS_ON,
        percent=True,
        formula="δ = max over people p of min(1, Σ fⱼ/Fⱼ over the classes j that p could be in)",
        cost="(n + N)·c time for n records and N people, and once more for each way in which "
        "labels overlap; memory n + N",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the largest chance; per record that of the people whom it could be."""
        behind = self.population(original, released, context, pairing)
        shares = behind.f / behind.F
        value = float(shares.max())
        interval = None
        detail: dict[str, float] = dict(behind.detail)
        if behind.presence is not None and behind.absence is not None:
            value = max(value, behind.presence)
            detail["least chance of a person"] = behind.absence
        elif behind.least is not None and behind.most is not None:
            ends = behind.f / behind.most, behind.f / behind.least
            interval = (float(min(ends[0].max(), value)), float(ends[1].max()))
        return Score(
            value,
            interval=interval,
            per_record=shares[behind.class_of],
            detail=detail,
            note=behind.note,
            blind=min(1.0, len(released) / behind.people),
        )
