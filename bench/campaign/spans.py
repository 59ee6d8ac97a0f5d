"""How long a command takes, learned along the way, so that kills are spread all over it."""

from __future__ import annotations

import random


class Spans:
    """Draws the moment of a kill.

    Most moments are spread over the whole run, some lie in its last part, where files are written.

    >>> spans = Spans(2.0)
    >>> 0 <= spans.draw(random.Random(1)) <= 2.0
    True
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def draw(self, draw: random.Random) -> float:
        """Return after how many seconds to kill."""
        share = draw.random() if draw.random() < 0.6 else draw.uniform(0.6, 1.0)
        return share * self.seconds

    def learn(self, seconds: float, ended: bool) -> None:
        """Record whether a run had ended before its kill; the next kills move accordingly."""
        if ended:
            self.seconds = max(0.02, 0.85 * seconds + 0.15 * self.seconds * 0.9)
        else:
            self.seconds = max(self.seconds, seconds) * 1.04
