"""The model behind a synthetic release, kept to draw more copies or other sizes without the
data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.contracts import Context, Method, Progress
from discreet.errors import UsageError

if TYPE_CHECKING:
    from discreet.models.sequential.kept import KeptSequence
    from discreet.release.release import Release


def refuse_without_model(steps: Sequence[Method]) -> None:
    """Refuse steps whose model cannot be kept.

    >>> import discreet
    >>> refuse_without_model([discreet.AdditiveNoise()])
    Traceback (most recent call last):
    discreet.errors.UsageError: a model can be kept only for a single step that draws ...
    """
    if len(steps) == 1 and hasattr(steps[0], "fitted"):
        return
    names = " and ".join(step.spec.name for step in steps)
    raise UsageError(
        "a model can be kept only for a single step that draws all columns in sequence, such as "
        f"cart-synthesis with everything or sequential-regression, but the steps are {names}; "
        "leave the model out"
    )


def model_of(release: Release, progress: Progress | None = None) -> KeptSequence:
    """Return the model that a release was drawn from, fitted again with the release's seed.

    >>> import discreet
    >>> data = {"age": list(range(40)), "sex": ["f", "m"] * 20}
    >>> release = discreet.protect(data, "sequential-regression", roles={"confidential": ["age"]})
    >>> model_of(release).table(3).num_rows
    3
    """
    refuse_without_model(release.steps)
    (step,) = release.steps
    context = Context(release.randomness, progress or Progress())
    model: KeptSequence = step.fitted(  # type: ignore[attr-defined]
        release.original, context.within("step 1", step.spec.name)
    )
    return model
