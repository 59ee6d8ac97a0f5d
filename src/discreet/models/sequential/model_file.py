"""The file of a kept model: numbers in arrays, everything else in JSON, nothing that is run.

A file is a ZIP archive of `model.json` and of arrays in NumPy's format. The JSON names the classes
that the model is made of; only those listed here are ever made, from their fields, so that a file
of unknown origin can be refused but cannot act.
"""

from __future__ import annotations

import dataclasses
import io
import json
import math
import zipfile
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.whole_file import write_whole
from discreet.microdata import Attribute, Kind, Role
from discreet.microdata.schema import Level
from discreet.models.design_matrix import DesignMatrix, Term, TreeMatrix
from discreet.models.sequential.categorical import Multinomial, Ordered
from discreet.models.sequential.count import Count
from discreet.models.sequential.fitted import Rounded
from discreet.models.sequential.forest import Forest
from discreet.models.sequential.kept import KeptColumn, KeptSequence
from discreet.models.sequential.leaves import Leaves
from discreet.models.sequential.linear import NormalLinear, Semicontinuous
from discreet.models.sequential.margin import Margin
from discreet.models.sequential.models import Regression
from discreet.models.sequential.rules import Comparison, Rule
from discreet.models.sequential.scored import Scored, ScoredPredictors
from discreet.models.sequential.tree import Cuts, Smoothing, Tree

FORMAT = 2
PRIVATE = (
    "This file holds values of original records. It is as private as the data that it was fitted "
    "to: keep it with them, and never pass it on with a release."
)
CLASSES: dict[str, Any] = {
    made.__name__: made
    for made in (
        KeptSequence, KeptColumn, Regression, DesignMatrix, Term, TreeMatrix, Multinomial, Ordered,
        Count, Rounded, Forest, NormalLinear, Semicontinuous, Margin, Comparison, Rule, Scored,
        ScoredPredictors, Cuts, Leaves, Smoothing, Tree, Attribute,
    )
}  # fmt: skip
WORDS: dict[str, Any] = {made.__name__: made for made in (Kind, Role, Level)}
LEFT_OUT = {"Attribute": {"decoding", "value_labels"}}
"""Fields that no draw needs."""


def save_model(model: KeptSequence, path: Path) -> None:
    """Write a model to a file that only its owner can read.

    >>> import discreet, tempfile
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": np.arange(40) % 31, "sex": ["f", "m"] * 20})
    >>> model = discreet.SequentialRegression().fitted(data, Context())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(model, Path(folder, "people.model"))
    ...     load_model(Path(folder, "people.model")).names
    ('age', 'sex')
    """
    arrays: list[NDArray[Any]] = []
    content = {"format": FORMAT, "private": PRIVATE, "model": _encoded(model, arrays)}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", json.dumps(content, indent=1))
        for number, array in enumerate(arrays):
            with archive.open(f"{number}.npy", "w") as file:
                npy.write_array(file, array, allow_pickle=False)
    write_whole(path, written.getvalue(), private=True)


def load_model(path: Path) -> KeptSequence:
    """Read a model from a file."""
    refused = DataError(
        f"'{path}' is not a model of this version of discreet; give a file that `discreet protect "
        "--save-model` wrote"
    )
    try:
        with zipfile.ZipFile(path) as archive:
            content = json.loads(archive.read("model.json"))
            if content["format"] != FORMAT:
                raise refused
            model = _decoded(content["model"], archive)
    except OSError as error:
        raise DataError(f"'{path}' cannot be read: {error.strerror or 'it is damaged'}") from None
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, IndexError):
        raise refused from None
    if not isinstance(model, KeptSequence):
        raise refused
    return model


def _encoded(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """Return a part of a model in JSON; arrays are put aside and numbered."""
    if value is None or (isinstance(value, bool | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return {"word": type(value).__name__, "is": value.value}
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise DataError("a model with values of mixed types cannot be kept")
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int | str | bool):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"number": str(value)}
    if isinstance(value, tuple | list):
        return {"tuple": [_encoded(part, arrays) for part in value]}
    if isinstance(value, frozenset):
        return {"set": sorted(value)}
    if isinstance(value, dict):
        return {"map": [[key, _encoded(part, arrays)] for key, part in value.items()]}
    name = type(value).__name__
    if CLASSES.get(name) is not type(value):
        raise DataError(
            f"a model with values of type {name} cannot be kept; turn such columns into numbers or "
            "texts before reading"
        )
    fields = {
        field.name: _encoded(getattr(value, field.name), arrays)
        for field in dataclasses.fields(value)
        if field.name not in LEFT_OUT.get(name, ())
    }
    return {"class": name, "fields": fields}


def _decoded(content: Any, archive: zipfile.ZipFile) -> Any:
    """Return the part of a model that some JSON stands for."""
    if not isinstance(content, dict):
        return content
    if "class" in content:
        parts = {name: _decoded(part, archive) for name, part in content["fields"].items()}
        return CLASSES[content["class"]](**parts)
    if "word" in content:
        return WORDS[content["word"]](content["is"])
    if "array" in content:
        with archive.open(f"{int(content['array'])}.npy") as file:
            return npy.read_array(file, allow_pickle=False)
    if "number" in content:
        return float(content["number"])
    if "set" in content:
        return frozenset(content["set"])
    if "map" in content:
        return {key: _decoded(part, archive) for key, part in content["map"]}
    return tuple(_decoded(part, archive) for part in content["tuple"])
