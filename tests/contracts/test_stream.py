"""Streams: ChaCha20 as it was published, and children that follow from their parent."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import qmc

from discreet.contracts.stream import KeySequence, stream

KEY = bytes(range(32))


def quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """Mix four words, as Bernstein (2008) and RFC 8439, §2.1 have it."""
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[x] = (state[x] + state[y]) % 2**32
        mixed = state[z] ^ state[x]
        state[z] = (mixed << turn | mixed >> (32 - turn)) % 2**32


def chacha20_block(key: bytes, counter: int) -> bytes:
    """Return 64 bytes of the stream, word by word; the slow, obvious twin of the generator."""
    start = list(struct.unpack("<16I", b"expand 32-byte k" + key + counter.to_bytes(16, "little")))
    state = start[:]
    for _ in range(10):
        for columns in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)):
            quarter_round(state, *columns)
        for diagonals in ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            quarter_round(state, *diagonals)
    return struct.pack("<16I", *((x + y) % 2**32 for x, y in zip(state, start, strict=True)))


def test_the_twin_gives_the_published_stream_of_the_zero_key() -> None:
    published = "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    assert chacha20_block(bytes(32), 0).hex().startswith(published)


@settings(max_examples=20, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_a_stream_is_chacha20_from_its_first_block_on(key: bytes) -> None:
    blocks = b"".join(chacha20_block(key, counter) for counter in range(5))
    drawn = stream(key).bit_generator.random_raw(40)
    assert drawn.tolist() == list(struct.unpack("<40Q", blocks))


def test_children_follow_from_their_parent_and_differ() -> None:
    def children() -> list[float]:
        parent = stream(KEY)
        return [child.random() for child in (*parent.spawn(2), *parent.spawn(1), parent)]

    assert children() == children()
    assert len(set(children())) == 4


def test_what_scipy_makes_of_a_generator_is_repeatable() -> None:
    first, second = (qmc.LatinHypercube(2, seed=stream(KEY)).random(5) for _ in range(2))
    assert np.array_equal(first, second)


def test_a_generator_that_wants_another_key_is_refused() -> None:
    with pytest.raises(ValueError, match="a key has 256 bits"):
        KeySequence(KEY).generate_state(8, np.uint64)
    assert KeySequence(KEY).generate_state(8).tobytes() == KEY


def test_the_key_is_in_no_printed_form() -> None:
    for thing in (stream(KEY), stream(KEY).bit_generator, KeySequence(KEY)):
        assert KEY.hex() not in repr(thing) + str(thing)
        assert repr(KEY) not in repr(thing) + str(thing)
