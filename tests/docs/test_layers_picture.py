"""The picture of the layers says what the code says."""

from __future__ import annotations

from xml.etree import ElementTree

from docs.layers import LEVEL, edges
from docs.layers_picture import DOWN, UP, draw, draw_layers

SVG = "{http://www.w3.org/2000/svg}"
TWO = [{"base"}, {"left", "right"}]
SIZES = {"base": 10, "left": 2000, "right": 3}


def cells(picture: str) -> dict[tuple[str | None, str | None], tuple[int, str | None]]:
    """The number and the colour of every cell, by the rooms that it joins."""
    found = {}
    for group in ElementTree.fromstring(picture).iter(f"{SVG}g"):
        text, square = group.find(f"{SVG}text"), group.find(f"{SVG}rect")
        assert text is not None
        assert square is not None
        pair = (group.get("data-from"), group.get("data-to"))
        found[pair] = (int(text.text or ""), square.get("fill"))
    return found


def test_every_import_between_rooms_is_drawn() -> None:
    picture = draw_layers()
    drawn = {pair: count for pair, (count, _) in cells(picture).items()}
    assert drawn == dict(edges())
    words = [text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    for room in LEVEL:
        assert words.count(room) == 2, "a row and a column"


def test_calls_up_stand_out() -> None:
    drawn = cells(draw(TWO, {("left", "base"): 7, ("base", "right"): 1}, SIZES))
    assert drawn == {("left", "base"): (7, DOWN), ("base", "right"): (1, UP)}


def test_layers_without_imports_can_be_drawn() -> None:
    picture = draw(TWO, {}, SIZES)
    assert cells(picture) == {}
    assert "2,000 lines" in picture
