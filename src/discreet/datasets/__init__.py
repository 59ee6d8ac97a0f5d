"""Small invented files to try discreet on; every person in them is made up.

A data set is a `name.csv` in this folder with a `name.json` beside it that states what each
column is. `README.md` in the same folder describes how the values were made.

>>> names()
('patients',)
>>> with path("patients").open() as lines:
...     next(lines).split(",")[:3]
['patient_id', 'name', 'insurance_no']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["kinds", "names", "path", "roles"]


def names() -> tuple[str, ...]:
    """Return the names of the data sets in the folder.

    >>> "patients" in names()
    True
    """
    files = {file.name for file in _folder().iterdir()}
    stems = (file.removesuffix(".csv") for file in files if file.endswith(".csv"))
    return tuple(sorted(stem for stem in stems if f"{stem}.json" in files))


def path(name: str = "patients") -> Path:
    """Return where the CSV file of a data set is.

    >>> path().name
    'patients.csv'
    >>> path("patient")
    Traceback (most recent call last):
        ...
    discreet.errors.UsageError: the data set must be one of patients, but 'patient' was given;
    did you mean 'patients'?
    """
    known = names()
    if name not in known:
        from discreet.errors import UsageError, nearest

        raise UsageError(
            f"the data set must be one of {', '.join(known)}, "
            f"but '{name}' was given{nearest(name, known)}"
        )
    return _folder() / f"{name}.csv"


def roles(name: str = "patients") -> dict[str, str]:
    """Return the role of each column, in the order of the columns.

    >>> roles()["postcode"], roles()["diagnosis"]
    ('quasi-identifier', 'confidential')
    """
    return {column: about["role"] for column, about in _columns(name).items()}


def kinds(name: str = "patients") -> dict[str, str | list[str]]:
    """Return the kind of each column as `discreet.read` takes it.

    An ordinal column is given by its categories, lowest first.

    >>> kinds()["age"], kinds()["sex"]
    ('continuous', 'nominal')
    >>> kinds()["education"]
    ['none', 'primary', 'secondary', 'vocational', 'bachelor', 'master']
    """
    return {
        column: about.get("categories", about["kind"]) for column, about in _columns(name).items()
    }


def _folder() -> Path:
    """Return the folder of the data sets, an ordinary one: wheels are installed unpacked."""
    from importlib.resources import files
    from pathlib import Path

    return Path(str(files(__name__)))


def _columns(name: str) -> dict[str, dict[str, Any]]:
    """Return what the JSON file of a data set states about each column."""
    import json

    text = path(name).with_suffix(".json").read_text(encoding="utf-8")
    columns: dict[str, dict[str, Any]] = json.loads(text)["columns"]
    return columns
