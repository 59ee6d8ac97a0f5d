"""Which type a column of text has, decided by the whole column and never with a loss.

- An integer must print back as it was: `007`, `+5` and numbers beyond 64 bits stay text.
- A number may have a decimal mark and an exponent; `1E5` without sign or decimals stays text,
  because codes look like that.
- A date is `yyyy-mm-dd` throughout, or of another form that all values share (`date_forms`).
- An amount may have thousands separators, a currency or a percent sign (`number_forms`).
- `NA`, `n/a`, `k.A.`, `-`, `.` and the like are missing only where everything else in the column is
  a number or a date: in a text column `NA` may be Namibia. An empty field is always missing.
  A number such as -999 never is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from discreet.io.date_forms import FIRST_OF_CENTURY, DateForm, find_date_form
from discreet.io.number_forms import NumberForm, find_number_form
from discreet.io.plain_numbers import WIDE, plain_numbers
from discreet.microdata.all_cores import for_each

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MISSING_TOKENS", "TypedColumns", "infer_types", "notes_on_forms"]

MISSING_TOKENS = (
    *("NA", "NaN", "nan", "N/A", "null", "NULL", "."),
    *("n/a", "n.a.", "N.A.", "na", "<NA>", "None", "NaT", "-", "--", "–", "—", "?"),
    *("k.A.", "k. A.", "o.A.", "n.v.t.", "n.d.", "N/D", "n/d", "s/d", "S/D", "s.d.", "NC", "n.c."),
    *("#N/A", "#NV", "#N/D", "#VALUE!", "#DIV/0!", "#REF!"),
)
"""What files write where a number or a date is missing, in several languages."""

_WHOLE = r"(?:0|[1-9][0-9]*)"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_TOO_WIDE = rf"^-?[0-9]{{{WIDE},}}$"
_HEAD = 1000


def _number(decimal: str) -> str:
    sign = "\\" + decimal
    return (
        rf"^-?(?:{_WHOLE}(?:[eE][+-][0-9]+)?"
        rf"|(?:{_WHOLE}{sign}[0-9]+|{sign}[0-9]+)(?:[eE][+-]?[0-9]+)?"
        r"|inf|Inf|INF|infinity|Infinity)$"
    )


_ANY = rf"{_number('.')}|{_number(',')}|{_DATE}|^-?[0-9]+$"


@dataclass(frozen=True)
class TypedColumns:
    """The columns in their types, the decimal mark, and what a reader should know."""

    columns: Mapping[str, pa.ChunkedArray]
    decimal: str
    missing: Mapping[str, str]
    notes: tuple[str, ...]
    forms: Mapping[str, DateForm | NumberForm] = field(default_factory=dict)

    @property
    def dates(self) -> str | None:
        """Which of day and month comes first; None if no column has a day beside a month."""
        dates = [form for form in self.forms.values() if isinstance(form, DateForm)]
        if any(form.month_first for form in dates):
            return "month-first"
        day_first = (form.pattern.startswith("%d") and "%m" in form.pattern for form in dates)
        return "day-first" if any(day_first) else None


@dataclass(frozen=True)
class _Guess:
    """What one column may be: typed already, or a number under these decimal marks.

    `floats` are the numbers under the first of these marks, if they are already known.
    """

    text: pa.ChunkedArray
    typed: pa.ChunkedArray | None = None
    cleaned: Any = None
    signs: tuple[str, ...] = ()
    floats: pa.ChunkedArray | None = None
    token: str = ""
    leading_zero: bool = False
    form: DateForm | NumberForm | None = None


def infer_types(
    texts: Mapping[str, pa.ChunkedArray],
    delimiter: str,
    decimal: str | None,
    month_first: bool | None = None,
) -> TypedColumns:
    """Give each column its type; `decimal` and `month_first` are detected if they are None.

    >>> import pyarrow as pa
    >>> texts = {"x": pa.chunked_array([["1,5", "NA"]]), "plz": pa.chunked_array([["01", "99"]])}
    >>> typed = infer_types(texts, ";", None)
    >>> typed.decimal, typed.missing, str(typed.columns["x"].type), str(typed.columns["plz"].type)
    (',', {'x': 'NA'}, 'double', 'string')
    """
    guesses = _guesses(texts, delimiter, month_first)
    if month_first is None and any(_month_first(guess) for guess in guesses.values()):
        # If one column shows the order, the file's other columns are written in the same way.
        guesses = _guesses(texts, delimiter, True)
    sign = decimal or _decimal_sign(guesses, delimiter)
    columns: dict[str, pa.ChunkedArray] = {}
    missing: dict[str, str] = {}
    three_digits: list[str] = []
    for name, guess in guesses.items():
        if guess.typed is None and guess.cleaned is not None and sign not in guess.signs:
            form = find_number_form(guess.cleaned, sign)
            if form is not None:
                typed = form.read(guess.cleaned)
                guess = guesses[name] = replace(guess, typed=typed, form=form, leading_zero=False)
        if guess.typed is not None:
            columns[name] = chunked(guess.typed)
        elif sign in guess.signs:
            # Where there is a choice of marks, no number has one.
            floats = guess.floats
            columns[name] = _floats(guess.cleaned, sign) if floats is None else floats
            if len(guess.signs) == 1 and _looks_like_thousands(guess.cleaned, sign):
                three_digits.append(name)
        else:
            columns[name] = guess.text
            continue
        if guess.token:
            missing[name] = guess.token
    forms = {name: guess.form for name, guess in guesses.items() if guess.form is not None}
    notes = _notes(guesses, missing, three_digits, sign)
    if month_first is None:
        notes += _doubtful_dates(guesses)
    return TypedColumns(columns, sign, missing, (*notes, *notes_on_forms(forms)), forms)


def _month_first(guess: _Guess) -> bool:
    return isinstance(guess.form, DateForm) and guess.form.month_first


def chunked(array: pa.Array | pa.ChunkedArray) -> pa.ChunkedArray:
    """Return an array as a chunked array, perhaps of one chunk."""
    import pyarrow as pa

    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def notes_on_forms(forms: Mapping[str, DateForm | NumberForm]) -> tuple[str, ...]:
    """Return how dates and amounts are written, and which years those of two digits are.

    >>> notes_on_forms({"born": DateForm("%d.%m.%y")})[1]
    'two-digit years are read as 1930 to 2029 in: born'
    """
    notes = []
    for form in dict.fromkeys(forms.values()):
        names = ", ".join(name for name, used in forms.items() if used == form)
        quantities = "dates" if isinstance(form, DateForm) else "numbers"
        notes.append(f"{quantities} written {form.described} in: {names}")
    short = [n for n, f in forms.items() if isinstance(f, DateForm) and "%y" in f.pattern]
    if short:
        years = f"{FIRST_OF_CENTURY} to {FIRST_OF_CENTURY + 99}"
        notes.append(f"two-digit years are read as {years} in: {', '.join(short)}")
    return tuple(notes)


def _doubtful_dates(guesses: Mapping[str, _Guess]) -> tuple[str, ...]:
    """Return a note on dates that could be read with the month first as well."""
    doubtful = [
        name
        for name, guess in guesses.items()
        if isinstance(guess.form, DateForm)
        and guess.form.pattern.startswith("%d/")
        and (other := find_date_form(guess.cleaned, True)) is not None
        and other.month_first
    ]
    if not doubtful or any(_month_first(guess) for guess in guesses.values()):
        return ()
    names = ", ".join(doubtful)
    return (
        f"day read before month (dates='month-first' reverses it; nothing shows which) in: {names}",
    )


def _notes(
    guesses: Mapping[str, _Guess],
    missing: Mapping[str, str],
    three_digits: list[str],
    sign: str,
) -> tuple[str, ...]:
    notes = []
    for token in dict.fromkeys(missing.values()):
        names = [name for name, used in missing.items() if used == token]
        notes.append(f"missing values written '{token}' in: {', '.join(names)}")
    zeros = [name for name, guess in guesses.items() if guess.leading_zero]
    if zeros:
        notes.append(f"kept as text because of leading zeros: {', '.join(zeros)}")
    if three_digits:
        notes.append(
            f"'{sign}' read as the decimal mark although three digits follow it throughout "
            f"(if it separates thousands, say decimal='{',' if sign == '.' else '.'}'): "
            f"{', '.join(three_digits)}"
        )
    return tuple(notes)


def _matches(values: pa.ChunkedArray, pattern: str) -> bool:
    """Whether every present value matches; most columns that do not fail early."""
    import pyarrow.compute as pc

    for part in (values.slice(0, _HEAD), values.slice(_HEAD)):
        if pc.all(pc.match_substring_regex(part, pattern)).as_py() is False:
            return False
    return True


def _guesses(
    texts: Mapping[str, pa.ChunkedArray], delimiter: str, month_first: bool | None
) -> dict[str, _Guess]:
    def guess(text: pa.ChunkedArray) -> _Guess:
        return _guess(text, delimiter, month_first)

    records = max(map(len, texts.values()), default=0)
    return dict(zip(texts, for_each(guess, texts.values(), records), strict=True))


def _guess(text: pa.ChunkedArray, delimiter: str, month_first: bool | None) -> _Guess:
    import pyarrow as pa
    import pyarrow.compute as pc

    if text.null_count == len(text):
        return _Guess(text, typed=text)
    tokens = pa.array(MISSING_TOKENS)
    head = text.slice(0, _HEAD)
    telling = head.filter(pc.invert(pc.is_in(head, value_set=tokens))).drop_null()
    plain = _matches(telling, _ANY)
    if not plain and not (find_date_form(telling, month_first) or find_number_form(telling)):
        return _Guess(text)
    numbers = plain_numbers(text) if plain else None
    if numbers is not None and pa.types.is_floating(numbers.values.type):
        either = (".",) if numbers.pointed else (".", ",")
        return _Guess(text, cleaned=text, signs=either, floats=numbers.values)
    if numbers is not None and not _eight_digits(numbers.values):
        return _Guess(text, typed=numbers.values)
    is_token = pc.is_in(text, value_set=tokens)
    token = ""
    cleaned = text
    if pc.any(is_token).as_py():
        cleaned = pc.if_else(is_token, pa.scalar(None, text.type), text)
        if text.null_count == 0:
            token = text.filter(is_token)[0].as_py()
        if cleaned.null_count == len(cleaned):
            return _Guess(text, typed=cleaned, token=token)
    exact = _prints_back(cleaned, pa.int64()) if plain else None
    form: DateForm | NumberForm | None = None
    if not plain or (exact is not None and _eight_digits(exact)):
        form = find_date_form(cleaned, month_first)
        form = form or (None if plain else find_number_form(cleaned))
    if form is not None:
        typed = form.read(cleaned)
        return _Guess(text, typed=typed, cleaned=cleaned, token=token, form=form)
    if exact is not None:
        return _Guess(text, typed=exact, token=token)
    if not plain:
        return _Guess(text)
    if _matches(cleaned, _DATE):
        dates = _prints_back(cleaned, pa.date32())
        return _Guess(text) if dates is None else _Guess(text, typed=dates, token=token)
    longest = pc.max(pc.binary_length(cleaned)).as_py()
    if longest >= WIDE and pc.any(pc.match_substring_regex(cleaned, _TOO_WIDE)).as_py():
        return _Guess(text)
    signs = tuple(sign for sign in (".", ",") if _matches(cleaned, _number(sign)))
    if signs == (",",) and delimiter == "," and _looks_like_thousands(cleaned, ","):
        signs = ()  # "1,234" between commas is far more often 1234 than 1.234
    zero = not signs and _matches(cleaned, r"^-?[0-9]+$")
    return _Guess(text, cleaned=cleaned, signs=signs, token=token, leading_zero=zero)


def _eight_digits(numbers: pa.ChunkedArray) -> bool:
    import pyarrow.compute as pc

    ends = pc.min_max(numbers).as_py()
    return bool(ends["min"] >= 16_000_101 and ends["max"] <= 22_001_231)


def _prints_back(text: pa.ChunkedArray, type: pa.DataType) -> pa.ChunkedArray | None:
    """Return the text in the type if each value prints back exactly as it was."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        typed = text.cast(type)
    except pa.ArrowInvalid:
        return None
    same = pc.all(pc.equal(typed.cast(text.type), text)).as_py()
    return typed if same is not False else None


def _looks_like_thousands(text: pa.ChunkedArray, sign: str) -> bool:
    return _matches(text, rf"^-?[1-9][0-9]{{0,2}}(?:\{sign}[0-9]{{3}})?$")


def _decimal_sign(guesses: Mapping[str, _Guess], delimiter: str) -> str:
    only = [guess.signs[0] for guess in guesses.values() if len(guess.signs) == 1]
    if "," not in only:
        return "."
    # Where both occur, a comma-separated file does not use commas for decimals.
    return "," if "." not in only or delimiter != "," else "."


def _floats(text: pa.ChunkedArray, sign: str) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = pc.replace_substring(text, sign, ".") if sign != "." else text
    return plain.cast(pa.float64())
