"""`python -m bench.first_look` says how suggestions agree with labels; --errors lists where not.

A quarter of the columns, chosen by a hash of file and column, is set aside: of it only the figures
are shown, so that nothing can be tuned to it.
"""

from __future__ import annotations

import argparse

from bench.first_look.measuring import agreement, confusion, outcomes


def main() -> None:
    """Print agreement and confusion of both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="list what differs while tuning")
    asked = parser.parse_args()
    found = outcomes()
    for title, part in (
        ("for tuning", [o for o in found if not o.column.set_aside]),
        ("set aside", [o for o in found if o.column.set_aside]),
    ):
        figures = agreement(part)
        files = len({o.column.file for o in part})
        print(f"\n{title}: {figures.columns} columns of {files} files")
        print(f"  identifiers found  {figures.identifiers:6.1%}")
        print(f"  roles              {figures.roles:6.1%}")
        print(f"  kinds              {figures.kinds:6.1%}")
        for what in ("role", "kind"):
            print(f"\n{what} of the steward (rows), suggested (columns)\n{confusion(part, what)}")
    if asked.errors:
        for o in found:
            wrong = o.role != o.column.role or o.kind != o.column.kind
            if wrong and not o.column.set_aside:
                label = f"{o.column.role}, {o.column.kind}"
                print(
                    f"{o.column.file}/{o.column.name}: {label}; not {o.role}, {o.kind}: {o.reason}"
                )


if __name__ == "__main__":
    main()
