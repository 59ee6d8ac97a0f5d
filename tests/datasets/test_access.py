from __future__ import annotations

import subprocess
import sys

import pytest

import discreet
from discreet import datasets
from discreet.errors import UsageError
from discreet.microdata import Kind, Role


def test_every_data_set_is_described_column_by_column() -> None:
    for name in datasets.names():
        with datasets.path(name).open(encoding="utf-8") as lines:
            header = next(lines).rstrip("\n").split(",")
        assert list(datasets.roles(name)) == header
        assert list(datasets.kinds(name)) == header
        assert set(datasets.roles(name).values()) <= {role.value for role in Role}
        stated = {kind for kind in datasets.kinds(name).values() if isinstance(kind, str)}
        assert stated <= {kind.value for kind in Kind}


def test_the_demo_data_have_every_role_and_kind() -> None:
    # No role person: a patient has one record, and the number of it is an identifier.
    assert set(datasets.roles().values()) == {role.value for role in Role} - {"person"}
    data = discreet.read(datasets.path(), roles=datasets.roles(), kinds=datasets.kinds())
    assert {attribute.kind for attribute in data.schema} == set(Kind)


def test_the_categories_are_those_in_the_file(rows: list[dict[str, str]]) -> None:
    ordinal = {c: known for c, known in datasets.kinds().items() if not isinstance(known, str)}
    assert ordinal
    for column, known in ordinal.items():
        assert {row[column] for row in rows} - {""} == set(known)


@pytest.mark.parametrize("ask", [datasets.path, datasets.roles, datasets.kinds])
def test_an_unknown_name_is_explained(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(UsageError, match="did you mean 'patients'"):
        ask("patiens")
    with pytest.raises(UsageError, match="must be one of patients"):
        ask("../patients")


def test_importing_is_light() -> None:
    code = (
        "import sys; import discreet; before = set(sys.modules); import discreet.datasets; "
        "new = {name.split('.')[0] for name in set(sys.modules) - before}; "
        "sys.exit(bool(new & {'numpy', 'pandas', 'pyarrow', 'json', 'yaml'}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
