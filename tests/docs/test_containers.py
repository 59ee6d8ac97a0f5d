"""The page on containers, followed as far as it can be without one."""

from __future__ import annotations

import json
import re
import shlex

import click
from docs.executing import blocks

from discreet.cli.main import cli
from discreet.kernels.compiling import VARIABLE
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
