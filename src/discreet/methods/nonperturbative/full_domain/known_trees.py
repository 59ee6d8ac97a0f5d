"""Trees that many files share, shipped as small files in the folder `trees`.

- countries: ISO 3166-1 codes of two and of three letters; sub-regions and regions of the United
  Nations' M49 standard (https://unstats.un.org/unsd/methodology/m49/). Taiwan, which M49 does not
  list, is put into Eastern Asia, and Antarctica is a region of its own.
- isced: levels of the International Standard Classification of Education 2011 (UNESCO), with the
  three groups low, medium and high that Eurostat publishes.
- nace: sections and divisions of NACE Rev. 2 (Regulation (EC) No 1893/2006), with the ten groups of
  sections (A*10) of the national accounts. Sections and divisions of ISIC Rev. 4 are the same.
- isco: major and sub-major groups of the International Standard Classification of Occupations 2008
  (International Labour Office, 2012), without titles but those of the ten major groups.
- nuts: countries of the nomenclature of territorial units (Regulation (EC) No 1059/2003, with the
  United Kingdom and the statistical regions of EFTA and candidate countries), with the sub-regions
  of M49.

The last three build their codes by prefixes, so that of finer codes (a class of NACE, a unit group
of ISCO, a NUTS 3 region) the levels between are the code itself, shortened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from discreet.errors import UsageError, nearest
from discreet.microdata.hierarchy import Hierarchy

__all__ = ["HINTS", "known_rows", "known_tree_for"]

FOLDER = Path(__file__).with_name("trees")

HINTS = {
    "countries": ("country", "land", "nation", "pays", "pais", "paese", "iso2", "iso3"),
    "isced": ("isced", "educ", "bildung", "diplom", "ausbildung"),
    "nace": ("nace", "isic", "industry", "branche", "sector", "wirtschaft"),
    # Other lists of occupations have codes that look the same.
    "isco": ("isco",),
    "nuts": ("nuts", "region", "regio"),
}
"""Parts of the names of columns that may hold what a tree lists: 3 may mean many things besides
ISCED 3.
"""


FINER = {
    "nace": r"[A-U]?(\d{3,4}[\dA-Z]?)",
    "isco": r"(\d{3,4})",
    "nuts": r"([A-Z]{2}[\dA-Z]{1,3})",
}
"""Codes that are finer than those listed, as they are shortened; points in them do not count."""
SAME = {"isic": "nace"}
"""Other names of trees."""


def _above(name: str, code: str) -> tuple[str, ...] | None:
    """Return the labels above a code, which is listed or finer than one that is.

    >>> _above("isco", "2310"), _above("nuts", "IE041")
    (('231', '23', 'professionals'), ('IE04', 'IE0', 'IE', 'Northern Europe'))
    """
    tree = _tree(name)
    if code in tree:
        return tree[code]
    finer = re.fullmatch(FINER[name], code.replace(".", "")) if name in FINER else None
    if finer is None:
        return None
    shorter = [finer[1][:length] for length in range(len(finer[1]) - 1, 1, -1)]
    return (*shorter, *tree[shorter[-1]]) if shorter[-1] in tree else None


@cache
def _tree(name: str) -> dict[str, tuple[str, ...]]:
    """Return the labels above each code; those of files of several kinds of codes together."""
    rows: dict[str, tuple[str, ...]] = {}
    for file in sorted(FOLDER.glob(f"{name}*.csv")):
        tree = Hierarchy.from_file(file)
        for code in tree.categories:
            above = [tree.level([code], n)[0] or "" for n in range(1, tree.height)]
            rows[code] = tuple(above)
    return rows


def known_tree_for(column: str, texts: Sequence[str]) -> str | None:
    """Return the tree that a column's name hints at and that lists all its values.

    >>> known_tree_for("country", ["DE", "FR"]), known_tree_for("grade", ["1", "2"])
    ('countries', None)
    """
    for name, hints in HINTS.items():
        if (
            any(hint in column.lower() for hint in hints)
            and texts
            and all(_above(name, text) is not None for text in texts)
        ):
            return name
    return None


def known_rows(name: str, column: str, texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Return each value with its labels in a tree; a value that the tree does not list is refused.

    >>> known_rows("countries", "country", ["FR", "NZ"])[0]
    ('FR', 'Western Europe', 'Europe')
    """
    name = SAME.get(name, name)
    if name not in HINTS:
        raise UsageError(
            f"the known trees are {', '.join(HINTS)}, but '{name}' was named{nearest(name, HINTS)}"
        )
    above = {text: _above(name, text) for text in texts}
    tree = {text: labels for text, labels in above.items() if labels is not None}
    unknown = len(above) - len(tree)
    if unknown:
        raise UsageError(
            f"the tree {name} must list every value of column '{column}', but {unknown} of "
            f"{len(texts)} are not in it; correct them, or leave the tree out"
        )
    heights = {len(tree[text]) for text in texts}
    # Codes of several kinds: the lower ones are their own label at the levels that others have.
    return [(text, *[text] * (max(heights) - len(tree[text])), *tree[text]) for text in texts]
