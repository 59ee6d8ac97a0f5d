"""A stream of random numbers under one key, which no part of the stream reveals."""

from __future__ import annotations

import hmac
from typing import Any

import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence
from randomgen import ChaCha

BITS = 256


def stream(key: bytes) -> np.random.Generator:
    """Return a generator that draws from the ChaCha20 stream of a 256-bit key.

    >>> stream(bytes(32)).bit_generator.random_raw(2).tobytes().hex()  # as Bernstein printed it
    '76b8e0ada0f13d90405d6ae55386bd28'
    """
    return np.random.Generator(ChaCha(KeySequence(key)))


class KeySequence(ISpawnableSeedSequence):
    """A key in the form that NumPy's generators accept.

    SciPy makes its own generators from the one it receives (`spawn`); their keys are derived from
    this one. A bit generator made from its key alone would take theirs from the operating system,
    and no release could be reproduced.

    >>> first, second = stream(bytes(32)).spawn(2)
    >>> first.random() == stream(bytes(32)).spawn(1)[0].random(), first.random() == second.random()
    (True, False)
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._children = 0

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        """Return the key as words; ChaCha asks for all of it."""
        kind = np.dtype(dtype)
        if n_words * kind.itemsize * 8 != BITS:
            raise ValueError(f"a key has {BITS} bits, but {n_words} words of {kind} were asked for")
        return np.frombuffer(self._key, dtype=kind.newbyteorder("<")).astype(kind)

    def spawn(self, n_children: int) -> list[KeySequence]:
        """Return sequences with their own keys, different ones at each call."""
        numbers = range(self._children, self._children + n_children)
        self._children += n_children
        return [
            KeySequence(hmac.digest(self._key, number.to_bytes(8, "little"), "sha256"))
            for number in numbers
        ]
