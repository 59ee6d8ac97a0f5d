"""An SPSS file with a damaged dictionary is refused; the library would end the process."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import DataError, DiscreetError
from discreet.io.files import FileFormat, read_cells, read_table, write_table
from discreet.io.sav_header import refuse_broken_dictionary
from discreet.io.stat_dictionary import StatDetails

TABLE = pa.table(
    {
        "age": [1, 2, 3],
        "name": ["ab", None, "a longer name"],
        "pay": [1.5, None, 2.25],
        "town": ["N", "S", "N"],
    }
)
LONG = {"a longer name": "somebody"}


def saved(folder: Path) -> Path:
    path = folder / "people.sav"
    details = StatDetails(measures={"age": "ordinal"}, ranges={"pay": [{"lo": 98.0, "hi": 99.0}]})
    format = FileFormat(
        "sav",
        ".sav",
        details,
        variable_labels={"age": "Age in years"},
        value_labels={"age": {1: "one", 2: "two"}, "town": {"N": "north"}, "name": LONG},
    )
    write_table(TABLE, path, format)
    return path


def test_a_sound_dictionary_passes(tmp_path: Path) -> None:
    refuse_broken_dictionary(saved(tmp_path))
    assert read_table(tmp_path / "people.sav").table.num_rows == 3


def test_a_label_that_points_beyond_the_variables(tmp_path: Path) -> None:
    path = saved(tmp_path)
    content = path.read_bytes()
    pointing = bytes([4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    assert content.count(pointing) == 1
    path.write_bytes(content.replace(pointing, pointing[:8] + bytes([0, 132, 0, 0])))
    with pytest.raises(DataError, match=r"list of variables in the SPSS file 'people\.sav'"):
        read_table(path)


# A text of 186 bytes without the rest of it; one of a byte; a format of texts.
@pytest.mark.parametrize(("place", "byte"), [(180, 186), (180, 1), (194, 1), (198, 1)])
def test_a_number_that_is_called_a_text(tmp_path: Path, place: int, byte: int) -> None:
    path = saved(tmp_path)
    content = bytearray(path.read_bytes())
    content[place] = byte
    path.write_bytes(content)
    with pytest.raises(DataError, match="damaged"):
        read_table(path)


def test_a_name_that_cannot_be_decoded(tmp_path: Path) -> None:
    path = saved(tmp_path)
    content = bytearray(path.read_bytes())
    content[content.index(b"NAME    ")] = 167
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"people\.sav"):
        read_table(path)


def test_damage_anywhere_is_a_sentence_or_a_table(tmp_path: Path) -> None:
    path = saved(tmp_path)
    content = path.read_bytes()
    rng = random.Random(7)
    outcomes = set()
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(rng.choice([1, 1, 2, 5])):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        for read in (read_table, read_cells):
            try:
                read(path)
                outcomes.add("read")
            except DiscreetError:
                outcomes.add("refused")
    assert outcomes == {"read", "refused"}


@pytest.mark.parametrize("value", [b"N       ", b"a longer name"])
def test_a_labelled_text_in_another_encoding(tmp_path: Path, value: bytes) -> None:
    path = saved(tmp_path)
    content = path.read_bytes()
    place = content.index(value)
    path.write_bytes(content[:place] + b"\xc9" + content[place + 1 :])
    with pytest.raises(DataError, match=r"labelled texts .* 'UTF-8'; name the encoding"):
        read_table(path)
    assert read_table(path, encoding="cp1252").table.num_rows == 3
