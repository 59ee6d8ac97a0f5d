"""The page on containers, followed as far as it can be without one."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from docs.executing import blocks

from discreet.cli.main import cli
from discreet.kernels.compiling import VARIABLE
from tests.command_line import PLAN
from tests.docs.test_docs import DOCS

PAGE = (DOCS / "containers.md").read_text(encoding="utf-8")
[DOCKERFILE] = blocks(PAGE, "dockerfile")


def instructions(word: str) -> list[str]:
    return re.findall(rf"^{word} (.+)$", DOCKERFILE, re.MULTILINE)


def test_every_command_of_the_page_is_one_that_discreet_takes() -> None:
    whole = [block.replace("\\\n", "") for block in blocks(PAGE, "sh")]
    shown = [line for block in whole for line in block.splitlines()]
    commands = [line.partition("#")[0] for line in [*shown, *instructions("RUN")]]
    found = 0
    for words in map(shlex.split, commands):
        if words[:1] == ["discreet"]:
            command = cli.get_command(click.Context(cli), words[1])
            assert command is not None
            command.make_context(words[1], words[2:])
            found += 1
    assert found == 3


def test_the_image_is_run_by_somebody_who_is_not_root_with_code_that_was_compiled_before() -> None:
    assert instructions("ENV") == [f"{VARIABLE}=/opt/kernels"]
    assert instructions("USER") not in ([], ["root"], ["0"])
    assert json.loads(instructions("ENTRYPOINT")[0]) == ["discreet"]
    lines = DOCKERFILE.splitlines()
    compiled, user = (
        next(i for i, line in enumerate(lines) if line.startswith(start))
        for start in ("RUN discreet compile /opt/kernels", "USER")
    )
    assert compiled < user, "only root can write there"
    [run] = [block for block in blocks(PAGE, "sh") if "docker run" in block]
    assert {"--network none", "--read-only", "--user"} <= set(
        re.findall(r"--network none|--read-only|--user", run)
    )


STAGE = """
set -e
mount -t tmpfs none /mnt
mkdir -m 777 /mnt/work /mnt/tmp
cp people.csv plan.yaml /mnt/work
cd /mnt/work
export DISCREET_KERNELS=/mnt/kernels TMPDIR=/mnt/tmp HOME=/nonexistent
"$PYTHON" -c "$BUILD"
mount -o bind,remount,ro /
chmod -R a-w /mnt/kernels
setpriv --reuid 65534 --regid 65534 --clear-groups "$PYTHON" -B -c "$RUN"
"""
"""A file system that is read-only but for one folder, no network, and a user who is not root."""

BUILD = """
import os
from discreet.cli import compile
from discreet.cli.main import run
# What the whole command compiles takes minutes; here it is what one plan needs.
compile.WORK = '''
import contextlib, io, json
from discreet.cli.main import run
with contextlib.redirect_stdout(io.StringIO()):
    assert run(["protect", "plan.yaml", "--out", "built"]) == 0
print(json.dumps({"ready": [], "unused": []}))
'''
raise SystemExit(run(["compile", os.environ["DISCREET_KERNELS"]]))
"""

RUN = """
import json, os, socket
from pathlib import Path
import discreet
from numba.core import event
from discreet.cli.main import run

class Seen(event.Listener):
    compiled = []
    def on_start(self, event):
        Seen.compiled.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass

event.register("numba:compile", Seen())
code = run(["protect", "plan.yaml", "--out", "release"]) or run(["verify", "release"])
try:
    Path(discreet.__file__).with_name("written").touch()
    read_only = False
except OSError:
    read_only = True
named = [name for _, name in socket.if_nameindex()]
print(json.dumps({"code": code, "compiled": Seen.compiled, "user": os.getuid(),
                  "read_only": read_only, "networks": named}))
"""


CANNOT = "Operation not permitted", "Permission denied", "permission denied"
"""What is said where this user may not take a network and a file system away, or be another."""


def test_a_release_is_made_as_in_the_container(folder: Path) -> None:
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root on Linux can take a network away and become somebody else")
    columns = PLAN.partition("steps:")[0]
    plan = f"{columns}steps: [{{rounding: {{columns: [age, height]}}}}]\nmeasures: [k-anonymity]\n"
    (folder / "plan.yaml").write_text(plan, encoding="utf-8")
    done = subprocess.run(
        ["unshare", "-nm", "sh", "-c", STAGE],
        env={**os.environ, "PYTHON": sys.executable, "BUILD": BUILD, "RUN": RUN},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and any(words in done.stderr for words in CANNOT):
        pytest.skip("this machine does not let root take a network or a file system away")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == {
        "code": 0, "compiled": [], "user": 65534, "read_only": True, "networks": ["lo"],
    }  # fmt: skip
    assert "Compiling" not in done.stderr
