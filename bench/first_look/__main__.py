"""`python -m bench.first_look` says how suggestions agree with labels; --errors lists exceptions.

A quarter of the columns, chosen by a hash of file and column, is set aside: only its figures are
shown, so that nothing can be tuned to it. Of the files with public headers, which were labelled
before they were described, half are set aside as a whole, and so are those of offices of many
countries; their figures before and after tuning to the other half (bench/README.md) are the best
guide to what to expect.
"""

from __future__ import annotations

import argparse

from bench.first_look.measuring import agreement, confusion, outcomes


def main() -> None:
    """Print agreement and confusion of both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="list what differs while tuning")
    asked = parser.parse_args()
    suggestions = outcomes()
    known = [o for o in suggestions if o.column.list in ("reference", "invented")]
    public, abroad, unseen = (
        [o for o in suggestions if o.column.list == name] for name in ("public", "abroad", "unseen")
    )
    for title, part in (
        ("for tuning", [o for o in known if not o.column.set_aside]),
        ("set aside", [o for o in known if o.column.set_aside]),
        ("public headers, for tuning", [o for o in public if not o.column.set_aside]),
        ("public headers, set aside", [o for o in public if o.column.set_aside]),
        ("registries, banks and schools", [o for o in suggestions if o.column.list == "fresh"]),
        ("offices of many countries, for tuning", [o for o in abroad if not o.column.set_aside]),
        ("offices of many countries, set aside", [o for o in abroad if o.column.set_aside]),
        ("a second lot of these", [o for o in suggestions if o.column.list == "later"]),
        ("a third lot, for tuning", [o for o in unseen if not o.column.set_aside]),
        ("a third lot, set aside", [o for o in unseen if o.column.set_aside]),
        (
            "sheets, calls and four more languages",
            [o for o in suggestions if o.column.list == "untried"],
        ),
    ):
        figures = agreement(part)
        files = len({o.column.file for o in part})
        print(f"\n{title}: {figures.columns} columns of {files} files")
        print(f"  identifiers found  {figures.identifiers:6.1%}")
        print(f"  roles              {figures.roles:6.1%}")
        print(f"  kinds              {figures.kinds:6.1%}")
        print(f"  missing codes      {figures.missing_codes:6.1%}")
        for aspect in ("role", "kind"):
            print(
                f"\n{aspect} of the steward (rows), suggested (columns)\n{confusion(part, aspect)}"
            )
    if asked.errors:
        for o in suggestions:
            right = o.right_role and o.right_kind and o.right_codes
            if not right and not o.column.set_aside:
                label = f"{o.column.role}, {o.column.kind}"
                print(
                    f"{o.column.file}/{o.column.name}: {label}; not {o.role}, {o.kind}: {o.reason} "
                    f"{o.missing_codes or ''}"
                )


if __name__ == "__main__":
    main()
