"""The guide 'Add a method in fifteen minutes' is true: its very lines keep the contract."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import discreet

PROJECT = Path(__file__).resolve().parents[2]


def test_the_guide_makes_a_working_method(tmp_path: Path) -> None:
    guide = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    place = re.search(r"Write `src/discreet/(.*?)`", guide)
    assert code is not None
    assert place is not None
    package = tmp_path / "discreet"
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(discreet.__file__).parent, package, ignore=skip)
    (package / place.group(1)).write_text(code.group(1), encoding="utf-8")
    script = (
        "import doctest, discreet, discreet.testing, discreet.contracts.explaining as e;"
        f"assert discreet.__file__.startswith({str(tmp_path)!r});"
        "discreet.testing.check(discreet.Tens);"
        "assert 'multiples of this' in e.explain('tens');"
        "m = discreet.Plan.parse('steps: [{tens: {base: 5}}]').steps[0]; assert m.base == 5;"
        "import sys; mod = sys.modules[discreet.Tens.__module__];"
        "r = doctest.testmod(mod); assert r.attempted and not r.failed"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
