"""Mutations of bytes: small edits that Hypothesis draws, and removes again one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

PLACES = 1 << 16
LONGEST = 1 << 20
"""No mutated input is longer than this."""
BYTES = [
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\n",
    b'"',
    b"\xef\xbb\xbf",
    b"\xff\xff\xff\xff",
    b"\x00" * 8,
]


@dataclass(frozen=True)
class Edit:
    """One change at a position given as a share of the length, so that it fits any content."""

    action: str
    place: int
    length: int
    content: bytes

    def apply(self, content: bytes) -> bytes:
        """Return the content with this change."""
        at = self.place * len(content) // PLACES
        end = min(len(content), at + self.length)
        head, part, tail = content[:at], content[at:end], content[end:]
        changed = {
            "insert": head + self.content + part + tail,
            "replace": head + self.content + tail,
            "delete": head + tail,
            "repeat": head + part * 4 + tail,
            "many": head + part * 400 + tail,
            "end": head,
            "swap": tail + head + part,
            "flip": head
            + bytes(byte ^ self.length % 255 + 1 for byte in part[:1])
            + part[1:]
            + tail,
            "number": head + self.length.to_bytes(4, "little") + content[at + 4 :],
        }[self.action]
        return changed if len(changed) <= LONGEST else content


@st.composite
def edits(draw: Any, tokens: tuple[bytes, ...]) -> list[Edit]:
    """Return a few edits; `tokens` are words of the format, which break more than bytes do."""
    words = st.sampled_from([*tokens, *tokens, *BYTES]) if tokens else st.sampled_from(BYTES)
    single = st.builds(
        Edit,
        st.sampled_from(
            ["replace", "insert", "flip", "delete"] * 3
            + ["number", "repeat", "end", "swap", "many"]
        ),
        st.integers(0, PLACES - 1),
        st.sampled_from([1, 1, 2, 4, 8, 3, 16, 64, 255]),
        words,
    )
    most = draw(st.sampled_from([1, 1, 2, 3, 6]))
    drawn: list[Edit] = draw(st.lists(single, min_size=1, max_size=most))
    return drawn


def mutate(content: bytes, changes: list[Edit]) -> bytes:
    """Return the content after all edits."""
    for change in changes:
        content = change.apply(content)
    return content
