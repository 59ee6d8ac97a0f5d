"""`python -m bench [NAME …] [--quick]` runs the benchmarks: every module here with a `main`.

Words after a NAME that are not names themselves go to that benchmark: `costs mdav`, `startup
--help`.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import pkgutil
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def modules() -> list[str]:
    walked = pkgutil.walk_packages([str(HERE)], "bench.")
    names = [info.name for info in walked if not info.ispkg and not info.name.endswith("__main__")]
    return [name for name in names if "\ndef main(" in _source(name)]


def _source(name: str) -> str:
    path = HERE.joinpath(*name.split(".")[1:]).with_suffix(".py")
    return path.read_text(encoding="utf-8")


def about(name: str) -> str:
    """Return the first line of a benchmark's own description."""
    return (ast.get_docstring(ast.parse(_source(name))) or "").partition("\n")[0]


def asked(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the requested benchmarks, or all if none is requested, each with its arguments."""
    known = _short()
    chosen: list[tuple[str, list[str]]] = []
    for word in words:
        if word in known:
            chosen.append((word, []))
        elif chosen:
            chosen[-1][1].append(word)
        else:
            raise KeyError(word)
    return chosen or [(name, []) for name in known]


def _short() -> dict[str, str]:
    return {name.removeprefix("bench."): name for name in modules()}


def main(arguments: Sequence[str] | None = None) -> None:
    known = _short()
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        epilog="benchmarks:\n"
        + "\n".join(f"  {name}\n      {about(known[name])}" for name in known),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="smaller sizes, in a minute or two")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="NAME", help="a benchmark of the list below"
    )
    given = parser.parse_args(arguments)
    quick = ["--quick"] if given.quick or "--quick" in given.words else []
    try:
        chosen = asked([word for word in given.words if word != "--quick"])
    except KeyError as unknown:
        parser.error(f"there is no benchmark {unknown.args[0]}; known: {', '.join(known)}")
    for name, words in chosen:
        print(f"\n== {name}", flush=True)
        importlib.import_module(known[name]).main([*words, *quick])


if __name__ == "__main__":
    main()
