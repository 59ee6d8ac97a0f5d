"""Columns of every type that Arrow, pandas and polars have, as Python source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from bench.campaign import values
from bench.campaign.values import Source, chance

Level = st.SearchStrategy[Source]


@dataclass(frozen=True)
class Make:
    """A type of column: how methods treat it, its values, and its source.

    `kind` is what discreet takes the column for unless told otherwise; "opaque" is what it passes
    through and cannot measure. `form` has `{values}` where the list of values goes.
    """

    kind: str
    levels: Level
    form: Source
    null: Source = "None"

    def source(self, cells: Sequence[Source], cut: int = 0) -> Source:
        """Return the source of the column with these cells."""
        listed = "[" + ", ".join(cells) + "]"
        return self.form.replace("{values}", listed).replace("{cut}", str(cut))


def _signed(bits: int) -> Level:
    return values.whole_numbers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _unsigned(bits: int) -> Level:
    return values.whole_numbers(0, 2**bits - 1)


NOTHING = st.just("None")
BOOLS = st.sampled_from(["True", "False"])
BYTES = st.sampled_from([r"b'a'", r"b'b'", r"b'\xff\x00'", "b''"])


def _arrow(kind: str, levels: Level, form: Source) -> Make:
    return Make(kind, levels, f"arrow_of({{values}}, {form}, {{cut}})")


def _encoded(kind: str, levels: Level, index: str, value: str, ordered: bool = False) -> Make:
    """A dictionary type: its values are given plainly and then encoded."""
    form = f"pa.dictionary(pa.{index}(), {value}, {ordered})"
    return Make(kind, levels, f"arrow_of({{values}}, {form}, {{cut}})")


ARROW: dict[str, Make] = {
    **{f"int{b}": _arrow("continuous", _signed(b), f"pa.int{b}()") for b in (8, 16, 32, 64)},
    **{f"uint{b}": _arrow("continuous", _unsigned(b), f"pa.uint{b}()") for b in (8, 32, 64)},
    "float64": _arrow("continuous", values.floats(), "pa.float64()"),
    "finite": _arrow("continuous", values.floats(finite=True), "pa.float64()"),
    "float32": _arrow("continuous", values.floats(), "pa.float32()"),
    "float16": Make(
        "continuous", values.floats(finite=True), "pa.array(np.array({values}, 'f2'))", "nan"
    ),
    "decimal128": _arrow("continuous", values.decimals(2), "pa.decimal128(30, 2)"),
    "decimal256": _arrow("continuous", values.decimals(1), "pa.decimal256(50, 1)"),
    "date32": _arrow("continuous", values.days(), "pa.date32()"),
    "date64": _arrow("continuous", values.days(), "pa.date64()"),
    "timestamp": _arrow("continuous", values.moments(), "pa.timestamp('us')"),
    "timestamp in ns": _arrow("continuous", values.moments(), "pa.timestamp('ns')"),
    "timestamp in s": _arrow("continuous", values.moments(), "pa.timestamp('s')"),
    "timestamp in a zone": _arrow(
        "continuous", values.moments(), "pa.timestamp('us', 'Europe/Berlin')"
    ),
    "time": _arrow("continuous", values.clock_times(), "pa.time64('us')"),
    "duration": _arrow("continuous", values.spans(), "pa.duration('ms')"),
    "bool": _arrow("nominal", BOOLS, "pa.bool_()"),
    "string": _arrow("nominal", values.texts(), "pa.string()"),
    "large string": _arrow("nominal", values.texts(), "pa.large_string()"),
    "string view": _arrow("nominal", values.texts(), "pa.string_view()"),
    "binary": _arrow("nominal", BYTES, "pa.binary()"),
    "dictionary": _encoded("nominal", values.texts(), "int8", "pa.string()"),
    "ordered dictionary": _encoded("ordinal", values.texts(), "int32", "pa.string()", True),
    "dictionary of numbers": _encoded("nominal", _signed(64), "int16", "pa.int64()"),
    "dictionary with a null": Make(
        "nominal",
        st.sampled_from(["0", "1", "2"]),
        "pa.DictionaryArray.from_arrays(pa.array({values}, pa.int8()), pa.array(['a', None, 'b']))",
    ),
    "dictionary with spare entries": Make(
        "nominal",
        st.sampled_from(["0", "1", "2"]),
        "pa.DictionaryArray.from_arrays("
        "pa.array({values}, pa.int8()), pa.array(['a', 'b', 'c', 'Ausgestorben']))",
    ),
    "run-end encoded": Make(
        "nominal",
        values.texts(),
        "pa.compute.run_end_encode(pa.array({values}, pa.string()))",
    ),
    "null": Make("nominal", NOTHING, "pa.array({values}, pa.null())"),
    "list": Make("opaque", st.sampled_from(["[1]", "[]", "[1, 2]"]), "pa.array({values})"),
    "struct": Make("opaque", st.sampled_from(["{'a': 1}", "{'a': 2}"]), "pa.array({values})"),
    "interval": Make(
        "nominal",
        st.sampled_from(["(1, 2, 3)", "(0, 1, 0)"]),
        "pa.array({values}, pa.month_day_nano_interval())",
    ),
}

MIXED = st.one_of(
    st.sampled_from(
        [
            *("1", "'1'", "1.0", "'1.0'", "True", "Decimal('1.0')", "Decimal('1.00')", "'True'"),
            *("datetime.date(2020, 1, 1)", "datetime.datetime(2020, 1, 1)", "b'1'", "nan"),
            "datetime.datetime(2020, 1, 1, 12, tzinfo=ZoneInfo('UTC'))",
            "datetime.datetime(2020, 1, 1, 13, tzinfo=ZoneInfo('Europe/Berlin'))",
            *("2**70", "-(2**70)", "(1, 2)", "pd.NA", "pd.NaT", "0.0", "-0.0"),
        ]
    ),
    values.texts(),
)


def _series(kind: str, levels: Level, dtype: Source, null: Source = "None") -> Make:
    return Make(kind, levels, f"pd.Series({{values}}, dtype={dtype})", null)


PANDAS: dict[str, Make] = {
    "int64": _series("continuous", _signed(64), "'int64'", "0"),
    "uint64": _series("continuous", _unsigned(64), "'uint64'", "0"),
    "float64": _series("continuous", values.floats(), "'float64'", "nan"),
    "finite": _series("continuous", values.floats(finite=True), "'float64'", "nan"),
    "float32": _series("continuous", values.floats(), "'float32'", "nan"),
    "Int64": _series("continuous", _signed(64), "'Int64'", "pd.NA"),
    "Float64": _series("continuous", values.floats(finite=True), "'Float64'", "pd.NA"),
    "arrow int": _series("continuous", _signed(64), "pd.ArrowDtype(pa.int64())"),
    "arrow decimal": _series(
        "continuous", values.decimals(2), "pd.ArrowDtype(pa.decimal128(30, 2))"
    ),
    "datetime": _series("continuous", values.moments(), "'datetime64[us]'", "pd.NaT"),
    "datetime in a zone": Make(
        "continuous",
        values.moments(),
        "pd.Series({values}, dtype='datetime64[us]')"
        ".dt.tz_localize('America/New_York', ambiguous=True, nonexistent='shift_forward')",
        "pd.NaT",
    ),
    "timedelta": _series("continuous", values.spans(), "'timedelta64[us]'", "pd.NaT"),
    "bool": _series("nominal", BOOLS, "'bool'", "False"),
    "boolean": _series("nominal", BOOLS, "'boolean'", "pd.NA"),
    "str": _series("nominal", values.texts(), "'str'", "nan"),
    "string": _series("nominal", values.texts(), "'string[python]'", "pd.NA"),
    "object": _series("nominal", values.texts(), "object"),
    "mixed object": _series("nominal", MIXED, "object"),
    "category": _series("nominal", values.texts(), "'category'"),
    "ordered category": Make(
        "ordinal", values.texts(), "pd.Series(pd.Categorical({values}, ordered=True))"
    ),
    "category of numbers": _series("nominal", _signed(64), "'category'"),
    "category with spare ones": Make(
        "nominal",
        st.sampled_from(["'a'", "'b'", "'c'"]),
        "pd.Series(pd.Categorical({values}, ['c', 'Ausgestorben', 'b', 'a']))",
    ),
    "object of decimals": _series("continuous", values.decimals(2), "object"),
    "object of dates": _series("continuous", values.days(), "object"),
    "object of large numbers": _series(
        "nominal", st.sampled_from(["2**64", "2**64 + 1", "-(2**70)", "1", "2"]), "object"
    ),
    "period": Make(
        "nominal",
        st.integers(1, 9).map(lambda m: f"'2020-0{m}'"),
        "pd.Series(pd.PeriodIndex({values}, freq='M'))",
    ),
    "pandas interval": Make(
        "opaque",
        st.integers(0, 5).map(lambda n: f"pd.Interval({n}, {n + 1})"),
        "pd.Series(pd.arrays.IntervalArray({values}))",
    ),
    "sparse": _series("continuous", values.floats(finite=True), "pd.SparseDtype('float')", "nan"),
    "complex": _series("nominal", st.sampled_from(["1+0j", "2j"]), "'complex128'", "nan"),
}


def _polars(kind: str, levels: Level, dtype: Source) -> Make:
    return Make(kind, levels, f"pl.Series({{values}}, dtype={dtype}, strict=False)")


POLARS: dict[str, Make] = {
    "Int64": _polars("continuous", _signed(64), "pl.Int64"),
    "UInt64": _polars("continuous", _unsigned(64), "pl.UInt64"),
    "Int128": _polars("continuous", _signed(128), "pl.Int128"),
    "Int8": _polars("continuous", _signed(8), "pl.Int8"),
    "Float64": _polars("continuous", values.floats(), "pl.Float64"),
    "finite": _polars("continuous", values.floats(finite=True), "pl.Float64"),
    "Float32": _polars("continuous", values.floats(), "pl.Float32"),
    "Decimal": _polars("continuous", values.decimals(2), "pl.Decimal(30, 2)"),
    "Date": _polars("continuous", values.days(), "pl.Date"),
    "Datetime": _polars("continuous", values.moments(), "pl.Datetime('us')"),
    "Datetime in a zone": Make(
        "continuous",
        values.moments(),
        "pl.Series({values}, dtype=pl.Datetime('us')).dt.replace_time_zone("
        "'Europe/London', ambiguous='earliest', non_existent='null')",
    ),
    "Duration": _polars("continuous", values.spans(), "pl.Duration('ms')"),
    "Time": _polars("continuous", values.clock_times(), "pl.Time"),
    "Boolean": _polars("nominal", BOOLS, "pl.Boolean"),
    "String": _polars("nominal", values.texts(), "pl.String"),
    "Categorical": _polars("nominal", values.texts(), "pl.Categorical"),
    "Enum": _polars(
        "ordinal",
        st.sampled_from(["'a'", "'b'", "'c'"]),
        "pl.Enum(['c', 'Ausgestorben', 'b', 'a'])",
    ),
    "Binary": _polars("nominal", BYTES, "pl.Binary"),
    "List": _polars("opaque", st.sampled_from(["[1]", "[]", "[1, 2]"]), "pl.List(pl.Int64)"),
    "Struct": Make("opaque", st.sampled_from(["{'a': 1}", "{'a': 2}"]), "pl.Series({values})"),
    "Null": _polars("nominal", NOTHING, "pl.Null"),
    "Object": Make("opaque", st.sampled_from(["1", "'1'"]), "pl.Series({values}, dtype=pl.Object)"),
}

LIBRARIES: dict[str, dict[str, Make]] = {"arrow": ARROW, "pandas": PANDAS, "polars": POLARS}


@st.composite
def cells(draw: Any, make: Make, rows: int, place: int, varied: bool) -> list[Source]:
    """Return the cells of a column: a few different values in turn, then single changes.

    Turns produce records that are alike in several columns; the changes are what Hypothesis removes
    again when it shrinks a case. `place` makes the turns of each column longer.
    """
    most = draw(st.sampled_from([2, 3, 4, 5, 3, 4] + ([rows] if varied else [rows, 1])))
    several = varied and make.levels is not NOTHING
    least = 2 if several else 1
    levels = draw(st.lists(make.levels, min_size=least, max_size=max(most, least), unique=several))
    levels = list(dict.fromkeys(levels))
    if chance(draw, 5):
        levels.append(make.null)
    turn = 2**place
    values = [levels[(row // turn) % len(levels)] for row in range(rows)]
    changes = st.tuples(st.integers(0, rows - 1), st.integers(0, len(levels) - 1))
    for row, level in draw(st.lists(changes, max_size=8)):
        values[row] = levels[level]
    return values
