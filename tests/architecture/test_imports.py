"""Imports point one way, libraries stay in their rooms, and importing loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys

from docs.layers import CALLS_UP, LEVEL, edges, imports, modules, room_of

# Libraries that one kind of room alone may know.
KNOWN_BY = {
    "numba": {"kernels"},
    "llvmlite": {"kernels"},
    "pyreadstat": {"io"},
    "click": {"cli"},
    "starlette": {"studio"},
    "uvicorn": {"studio"},
    "dask": {"scaling"},
    "distributed": {"scaling"},
}


def test_every_room_has_a_layer() -> None:
    assert {room_of(path) for path in modules()} == set(LEVEL)


def test_imports_point_one_way() -> None:
    wrong = []
    for item in imports():
        target = item.target_room
        if target in (None, item.room):
            continue
        # What is in no layer is the front door, discreet/__init__.py, which lies above all rooms.
        if LEVEL.get(target, len(LEVEL)) < LEVEL[item.room]:
            continue
        if item.at_top or (item.room, target) not in CALLS_UP:
            wrong.append(f"{item.module} imports {item.target}, which is not below {item.room}")
    assert not wrong, "\n".join(wrong)


def test_no_exemption_is_left_over() -> None:
    assert set(CALLS_UP) <= set(edges())


def test_libraries_stay_in_their_rooms() -> None:
    wrong = [
        f"{item.module} imports {item.target}"
        for item in imports()
        if item.room not in KNOWN_BY.get(item.target.split(".")[0], {item.room})
    ]
    assert not wrong, "\n".join(wrong)


def test_no_drawers_and_no_long_files() -> None:
    for path in modules():
        assert path.stem not in {"utils", "helpers", "misc", "common"}, path
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, discreet; heavy = {'numba', 'scipy', 'sklearn', 'pandas', 'polars', "
        "'pyarrow', 'pyreadstat', 'matplotlib', 'rich', 'click'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
