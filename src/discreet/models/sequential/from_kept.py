"""Records for a file, drawn from a model that was kept earlier: nothing is fitted to the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from discreet.contracts import Context
from discreet.errors import DataError, UsageError
from discreet.io.kept_types import dates_of, serialised_types
from discreet.microdata import Column, Microdata
from discreet.models.sequential.kept import KeptSequence
from discreet.models.sequential.model_file import load_model

KEPT = "model"
"""How the file of a kept model is named."""


def model_entry(path: Path) -> tuple[str]:
    """Return the parameter that names the file of a kept model.

    >>> model_entry(Path("people.model"))
    ('model=people.model',)
    """
    return (f"{KEPT}={path}",)


def drawn_from_kept(
    entries: Sequence[str],
    data: Microdata,
    names: Sequence[str],
    rows: int,
    context: Context,
    *,
    method: str,
    owner: str,
) -> list[Column]:
    """Return these columns of new records, from the model in the file that the entry names."""
    path = entries[0].partition("=")[2].strip() if len(entries) == 1 else ""
    if not path:
        raise UsageError(
            f"the {KEPT} of {owner} must be one entry {KEPT}=path, but {', '.join(entries)} was "
            "given"
        )
    model = load_model(Path(path))
    _refuse_other(model, path, data, names, method)
    made = model.draw(rows, context)
    # The model knows the categories; the roles are those that the plan gives the file.
    return [
        Column(replace(made.schema[name], role=data.schema[name].role), made[name])
        for name in names
    ]


def _refuse_other(
    model: KeptSequence, path: str, data: Microdata, names: Sequence[str], method: str
) -> None:
    """Refuse a model of another method, or of other columns."""
    if model.method != method:
        raise UsageError(
            f"the model in '{path}' was fitted by {model.method}, but the step is {method}; name "
            "that method"
        )
    for name in (*model.names, *names):
        if name not in model.names or name not in names:
            where = "the file" if name in model.names else "the model"
            raise DataError(
                f"the model in '{path}' and the file must have the same columns, but {where} has "
                f"no column '{name}' to draw; keep a model fitted to such a file"
            )
    drawn = {kept.attribute.name: kept.attribute for kept in model.columns}
    dates, kept_dates = dates_of(serialised_types(data)), dates_of(model.types)
    for name in names:
        same = drawn[name].kind is data.schema[name].kind
        if not same or dates.get(name) != kept_dates.get(name):
            raise DataError(
                f"the model in '{path}' and the file must have the same kinds of columns and types "
                f"of dates, but '{name}' has another; keep a model fitted to such a file"
            )
