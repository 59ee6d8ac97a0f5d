"""The examples of a page, run from top to bottom as a reader would, and held to what they show.

- `python` blocks with prompts are run as doctests that share their names;
- `console` blocks hold commands after `$`, and below each what it prints (all of it; `…` stands for
  lines that are left out); one that fails is followed by `echo $?`;
- a `yaml` block whose first line is `# name.yaml` becomes that file;
- every release that is there in the end must be what its manifest says.

All of it happens in a folder that is empty at first, as that of a reader who begins here.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from discreet.cli.main import run
from discreet.publishing.manifest import MANIFEST
from discreet.publishing.verifying import verify

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
LEFT_OUT = "…"
CODE = "echo $?"


def blocks(text: str, language: str) -> list[str]:
    """Return the contents of a page's blocks of one language."""
    return [content for tag, content in FENCE.findall(text) if tag == language]


def failures(text: str, folder: Path) -> list[str]:
    """Run the examples of a page in a folder; return what did not come out as shown."""
    names: dict[str, Any] = {}
    faults: list[str] = []
    with contextlib.chdir(folder):
        for language, content in FENCE.findall(text):
            if language == "python" and ">>>" in content:
                faults += _prompts(content, names)
            elif language == "console":
                faults += _console(content)
            elif language == "yaml" and (file := re.match(r"# (\S+\.yaml)\n", content)):
                Path(file[1]).write_text(content, encoding="utf-8")
    return faults + [
        f"{manifest.parent}: {fault}"
        for manifest in sorted(folder.rglob(MANIFEST))
        for fault in verify(manifest.parent).faults
    ]


def _prompts(content: str, names: dict[str, Any]) -> list[str]:
    output: list[str] = []
    test = doctest.DocTestParser().get_doctest(content, names, "example", "page", 0)
    # The parser copies the names; those of one block are there for the next.
    test.globs = names
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=output.append, clear_globs=False)
    return ["".join(output)] if output else []


def _console(content: str) -> list[str]:
    """Run the commands of a block; a failure of one is expected where its code is shown next."""
    faults: list[str] = []
    code = 0
    for part in re.split(r"^\$ ", content.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        command = " ".join(command.split())
        if command == CODE:
            printed, code = f"{code}\n", 0
        elif code:
            faults.append(f"the command before '{command}' ends with code {code}")
            return faults
        else:
            printed, code = _ran(command)
        if not _matches(shown, printed):
            faults.append(f"'{command}' prints\n{printed}\nbut the page shows\n{shown}")
    if code:
        faults.append(f"'{command}' ends with code {code}")
    return faults


def _ran(command: str) -> tuple[str, int]:
    """Run a command; return what it printed and its exit code."""
    words = shlex.split(command)
    if words[0] == "discreet":
        words, file = (words[:-2], Path(words[-1])) if words[-2:-1] == [">"] else (words, None)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out if not file else err):
            code = run(words[1:])
        if file is not None:
            file.write_text(out.getvalue(), encoding="utf-8")
        return err.getvalue() if file else out.getvalue(), code
    if words[0] == "python":
        # The one that has discreet, whatever the shell would find.
        command = shlex.join([sys.executable, *words[1:]])
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, done.returncode


def _matches(shown: str, printed: str) -> bool:
    """Whether the lines are those shown; blank lines and the widths of columns do not matter."""
    pattern = "".join(
        "(?:.*\n)*?" if line == LEFT_OUT else re.escape(line) + "\n" for line in _lines(shown)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(printed))) is not None


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]
