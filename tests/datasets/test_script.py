from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from discreet import datasets

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_patients.py"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    if not SCRIPT.is_file():
        pytest.skip("the script is not part of the source distribution")
    spec = importlib.util.spec_from_file_location("make_patients", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_the_script_makes_the_file(script: ModuleType) -> None:
    assert script.make() == datasets.path().read_bytes()


def test_check_finds_one_changed_byte(
    script: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(script, "TARGET", tmp_path / "patients.csv")
    assert script.main(["--check"]) == 1
    assert script.main([]) == 0
    assert script.main(["--check"]) == 0
    changed = script.TARGET.read_bytes().replace(b"Ixholm", b"Ixhoim", 1)
    script.TARGET.write_bytes(changed)
    assert script.main(["--check"]) == 1
    assert script.TARGET.read_bytes() == changed
    assert "differs" in capsys.readouterr().out
