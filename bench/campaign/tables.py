"""Random tables: frames of three libraries and files of every format that can be written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from bench.campaign import values
from bench.campaign.columns import LIBRARIES, Make, cells
from bench.campaign.values import Source, chance

FRAMES = ("arrow", "pandas", "polars")
STATISTICAL = ("sav", "zsav", "dta", "xpt")
FORMS = (*FRAMES, "csv", "parquet", *STATISTICAL)
NAMES = ("q1", "q2", "q3", "s1", "s2", "o1", "o2")
ODD_NAMES = (
    *("Größe", "a b", "no", "null", "1", "2018", "=sum", "a+b", "a=b", "x,y", "x;y", 'x"y', "*"),
    *("\u00e9", "e\u0301", "x'y", "{q}", "[q]", "q: 1", "# q", "🙂", "Q1", "missing", "x.y", "~"),
)

ORDINARY = {"int8", "finite", "date32", "dictionary", "ordered dictionary", "bool", "string"} | {
    *("float64", "category", "ordered category", "str", "Int8", "String", "Enum", "Categorical"),
    *("whole", "decimals", "days", "words", "int"),
}
"""Types of columns on which every method works; drawn more often than the others."""
COPIED_ROWS = 120
"""With fewer records nothing shows for sure that one column is a function of another."""
WEIGHTS = Make("continuous", st.sampled_from(["1", "2", "3"]), "", "1")
_DIGITS = st.integers(-3, 12).map(str)
CSV: dict[str, Make] = {
    name: Make(kind, levels.map(repr), "{values}", "''")
    for name, kind, levels in (
        ("whole", "continuous", _DIGITS),
        ("long", "continuous", values.whole_numbers(-(2**63), 2**64 - 1)),
        (
            "decimals",
            "continuous",
            st.sampled_from(
                [
                    "0.5",
                    "-3.5",
                    "3.5",
                    "30.5",
                    "-0.0",
                    "0",
                    "1e5",
                    "1.50",
                    "1.5",
                    "2.25",
                    "1e-300",
                    "NA",
                ]
            ),
        ),
        ("days", "continuous", st.integers(1, 28).map(lambda day: f"1980-05-{day:02}")),
        ("words", "nominal", st.sampled_from("abcde")),
        ("codes", "nominal", st.sampled_from(["01", "02", "007", "+5", "NA", "x"])),
    )
}
CSV["texts"] = Make("nominal", values.texts(), "{values}", "''")
STAT: dict[str, Make] = {
    name: LIBRARIES["pandas"][name] for name in ("finite", "object of dates", "datetime")
}
STAT["int"] = Make(
    "continuous", st.integers(-3, 12).map(repr), "pd.Series({values}, dtype='float64')", "nan"
)
STAT["words"] = Make(
    "nominal",
    st.sampled_from(["'a'", "'b'", "'c '", "''", "'é'"]),
    "pd.Series({values}, dtype='str')",
    "''",
)


@dataclass(frozen=True)
class Column:
    """A column as drawn; `declared` is what the plan says about its kind, if anything."""

    name: str
    make: str
    kind: str
    role: str
    cells: tuple[Source, ...]
    source: Source
    declared: Any = None

    @cached_property
    def levels(self) -> list[Any]:
        """The different values, in the order of their first appearance."""
        known = values.names()
        return [eval(cell, known) for cell in dict.fromkeys(self.cells)]

    @property
    def present(self) -> list[Any]:
        """The levels that are values."""
        return [level for level in self.levels if is_there(level)]


def is_there(level: Any) -> bool:
    """Whether a level is a value: neither missing in one of its forms nor blank."""
    if type(level).__name__ in ("NoneType", "NAType", "NaTType"):
        return False
    return bool(level == level) and not (isinstance(level, str) and level == "")


@dataclass(frozen=True)
class Table:
    """Columns, and the form in which they are handed over: a library or a file format."""

    form: str
    columns: tuple[Column, ...]
    options: tuple[tuple[str, Any], ...] = ()

    def having(self, *roles: str) -> list[Column]:
        """Return the columns of these roles."""
        return [column for column in self.columns if column.role in roles]


def makes_of(form: str) -> dict[str, Make]:
    """Return the types of columns that a form has."""
    if form == "csv":
        return CSV
    if form == "parquet":
        unwritable = ("interval", "run-end encoded", "float16")
        return {name: make for name, make in LIBRARIES["arrow"].items() if name not in unwritable}
    return STAT if form in STATISTICAL else LIBRARIES[form]


@st.composite
def tables(
    draw: Any,
    kinds: Sequence[str],
    form: str | None = None,
    weighted: bool = False,
    classed: bool = False,
) -> Table:
    """Return a table whose quasi-identifiers are mostly of these kinds.

    One that is `classed` mostly has a confidential column of classes. Some have a column with the
    role "other" that says the same as a quasi-identifier.
    """
    chosen = form or draw(st.sampled_from(["csv", "csv", "csv", "parquet", "parquet", *FORMS]))
    copied = chance(draw, 20)
    rows = draw(st.sampled_from([12, 16, 20, 24, 30, 40, 18, 25, 36, 2, 3, 5]))
    rows = COPIED_ROWS if copied else rows
    roles = ["quasi-identifier"] * draw(st.sampled_from([2, 1, 3]))
    confidential = [1, 1, 0, 2] if not classed or chance(draw, 10) else [1]
    roles += ["confidential"] * draw(st.sampled_from(confidential))
    if chance(draw, 3):
        extra = ["other", "other", "other", "weight", "household", "stratum", "identifier"]
        roles.append(draw(st.sampled_from(extra)))
    if weighted and "weight" not in roles:
        roles.append("weight")
    odd = chance(draw, 8) and chosen not in STATISTICAL
    pool = draw(st.permutations(ODD_NAMES)) if odd else NAMES
    strict = not chance(draw, 12)
    columns = []
    for place, (name, role) in enumerate(zip(pool, roles, strict=False)):
        wanted: Sequence[str] = ()
        if role == "quasi-identifier" and strict:
            wanted = kinds
        elif role == "weight":
            wanted = ("continuous",)
        elif role == "confidential":
            either: list[tuple[str, ...]] = [("nominal",), ("continuous",), ()]
            only = classed and not chance(draw, 10)
            wanted = draw(st.sampled_from(either[:1] if only else either))
        columns.append(draw(_columns(chosen, name, role, rows, wanted, place)))
    if copied:
        columns.append(replace(columns[0], name="o9", role="other"))
    return Table(chosen, tuple(columns), _options(draw, chosen))


@st.composite
def _columns(
    draw: Any, form: str, name: str, role: str, rows: int, wanted: Sequence[str], place: int
) -> Column:
    makes = makes_of(form)
    names = [n for n, make in makes.items() if not wanted or make.kind in wanted]
    forced = None
    if not names or (wanted and "continuous" not in wanted and chance(draw, 3)):
        # A format without ordered types, or numbers that are codes: the plan declares it.
        names, forced = list(makes), draw(st.sampled_from(list(wanted)))
    plain = [name for name in names if name in ORDINARY]
    chosen = draw(st.sampled_from(names if not plain or chance(draw, 3) else plain))
    make = makes[chosen]
    if role == "weight" and not chance(draw, 4):
        drawn = draw(cells(WEIGHTS, rows, place, False))
        source = make.source(drawn)
        return Column(name, chosen, "continuous", role, tuple(drawn), source)
    drawn = draw(cells(make, rows, place, role == "quasi-identifier"))
    cut = draw(st.sampled_from([0, 0, 0, 1, rows // 2]))
    kind, declared = make.kind, None
    if forced or chance(draw, 15):
        declared = forced or draw(st.sampled_from(["nominal", "ordinal", "continuous", "list"]))
        kind = "ordinal" if declared == "list" else declared
        if declared == "list":
            declared = _categories(drawn, chance(draw, 4))
            kind = make.kind if declared is None else kind
    return Column(name, chosen, kind, role, tuple(drawn), make.source(drawn, cut), declared)


def _categories(sources: Sequence[Source], some: bool) -> Any:
    """Return the values as a list of categories, if a plan can write all, or `some`, of them."""
    known = values.names()
    levels = [eval(cell, known) for cell in dict.fromkeys(sources)]
    present = [level for level in levels if is_there(level)]
    writable = [level for level in present if isinstance(level, str | int)]
    return writable if some or len(writable) == len(present) else None


def _options(draw: Any, form: str) -> tuple[tuple[str, Any], ...]:
    if form == "csv":
        return (
            ("delimiter", draw(st.sampled_from([",", ",", ";", "\t", "|"]))),
            (
                "encoding",
                draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"])),
            ),
            ("newline", draw(st.sampled_from(["\n", "\n", "\r\n"]))),
            ("decimal", draw(st.sampled_from([".", ".", ","]))),
            ("quoted", draw(st.booleans())),
            ("compressed", chance(draw, 10)),
        )
    if form == "pandas":
        return (("index", draw(st.sampled_from(["plain", "plain", "text", "double"]))),)
    return ()
