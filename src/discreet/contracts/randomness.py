"""Random numbers: every generator is derived from one secret seed and the name of its use.

The seed is a secret: anyone who has it can draw the same noise again and subtract it. It comes from
the operating system unless the user gives one, it is kept in the private record only, and it never
appears in a released file, the public manifest or the printed form of an object.

Anyone who knows some originals can work out some of the draws. So the numbers come from a cipher:
the ChaCha20 stream (Bernstein 2008) of a 256-bit key, which is HMAC-SHA256 (RFC 2104) of the seed
and the names of the use. No part of a stream reveals the rest of it, the key, or the stream of
another use; a generator made for simulation, such as PCG64, promises none of this.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable

import numpy as np

from discreet.errors import UsageError

SEED_BITS = 128
"""How many bits the operating system is asked for; too many to guess."""
BY_HAND = (
    "the seed was given by hand: anyone who guesses it can put the rows back in order and undo "
    "random changes; for data that leave your organisation, let the operating system choose the "
    "seed"
)


class Randomness:
    """A tree of independent generators that grows from one seed.

    The same seed and the same name give the same stream, whatever else was drawn before, so
    adding a step to a plan does not change the noise of another.

    >>> root = Randomness(7)
    >>> a = root.generator("step 1", "noise").standard_normal(3)
    >>> b = Randomness(7).generator("step 1", "noise").standard_normal(3)
    >>> bool((a == b).all())
    True
    >>> root
    Randomness(seed is secret)
    """

    def __init__(self, seed: int | None = None, by_hand: bool | None = None) -> None:
        self.by_hand = seed is not None if by_hand is None else by_hand
        """Whether a person chose the seed, so that others may be able to guess it."""
        if seed is None:
            seed = secrets.randbits(SEED_BITS)
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise UsageError(
                "the seed must be a whole number of 0 or more (or left out, to take one from the "
                f"operating system), but the {type(seed).__name__} that was given is not"
            )
        self._seed = int(seed)

    @classmethod
    def of(cls, seed: Seed) -> Randomness:
        """Return the tree that grows from a seed; a tree is returned unchanged."""
        return seed if isinstance(seed, Randomness) else cls(seed)

    def __repr__(self) -> str:
        return "Randomness(seed is secret)"

    def reveal(self) -> int:
        """Return the seed, for the private record."""
        return self._seed

    def generator(self, *path: str | int) -> np.random.Generator:
        """Return the generator for this use, always the same for one seed."""
        from discreet.contracts.stream import stream

        return stream(self._key(path))

    def derived(self, *path: str | int) -> Randomness:
        """Return the randomness of a separate piece of work, with a seed derived from this one.

        >>> Randomness(7).derived("copy", 1).reveal() == Randomness(7).derived("copy", 2).reveal()
        False
        """
        key = self._key(("a seed of its own", *path))
        return Randomness(int.from_bytes(key[: SEED_BITS // 8], "little"), self.by_hand)

    def _key(self, path: Iterable[str | int]) -> bytes:
        """Return HMAC-SHA256 of the names under the seed."""
        names = [str(name).encode() for name in path]
        # Each name is preceded by its length, so that no two paths are encoded alike. HMAC pads a
        # short key with zeros, which add nothing to a number with its lowest byte first.
        message = b"".join(len(name).to_bytes(8, "little") + name for name in names)
        secret = self._seed.to_bytes(max(SEED_BITS, self._seed.bit_length() + 7) // 8, "little")
        return hmac.digest(secret, message, "sha256")


Seed = int | Randomness | None
"""A seed as users give it, a derived one, or None to ask the operating system for one."""
