"""`python -m bench [NAME …] [--quick]` runs the benchmarks: every module here with a `main`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from pathlib import Path

HERE = Path(__file__).parent


def modules() -> list[str]:
    found = pkgutil.walk_packages([str(HERE)], "bench.")
    names = [info.name for info in found if not info.ispkg and not info.name.endswith("__main__")]
    return [name for name in names if "\ndef main(" in _source(name)]


def _source(name: str) -> str:
    path = HERE.joinpath(*name.split(".")[1:]).with_suffix(".py")
    return path.read_text(encoding="utf-8")


def main() -> None:
    known = modules()
    short = {name.removeprefix("bench."): name for name in known}
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(short)}")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, in a minute or two")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in short]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; known: {', '.join(short)}")
    for name in given.names or short:
        print(f"\n== {name}")
        importlib.import_module(short[name]).main(["--quick"] if given.quick else [])


if __name__ == "__main__":
    main()
