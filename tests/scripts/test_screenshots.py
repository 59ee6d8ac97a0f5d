from __future__ import annotations

from discreet.studio.rendering import SCREENS
from scripts import screenshots


def test_every_screen_has_its_picture() -> None:
    assert screenshots.SCREENS == SCREENS
    assert min(width for width, _ in screenshots.WIDTHS.values()) == 420
