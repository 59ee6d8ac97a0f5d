"""Random numbers: every generator comes from one secret seed, by the name of its use.

The seed is a secret: who has it can draw the same noise again and take it off. It comes from the
operating system unless the user gives one, it is kept in the private record only, and it never
appears in a released file, the public manifest or the printed form of an object.
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np

from discreet.errors import UsageError

SEED_BITS = 128


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

    def __init__(self, seed: int | None = None) -> None:
        if seed is None:
            seed = secrets.randbits(SEED_BITS)
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise UsageError(
                "the seed must be a whole number of 0 or more (or left out, to take one from the "
                f"operating system), but a {type(seed).__name__} was given that is not"
            )
        self._seed = int(seed)

    def __repr__(self) -> str:
        return "Randomness(seed is secret)"

    def reveal(self) -> int:
        """Return the seed, for the private record."""
        return self._seed

    def generator(self, *path: str | int) -> np.random.Generator:
        """Return the generator of this use, always the same for one seed."""
        digest = hashlib.sha256("\x1f".join(map(str, path)).encode()).digest()
        key = tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
        sequence = np.random.SeedSequence(self._seed, spawn_key=key)
        return np.random.Generator(np.random.PCG64DXSM(sequence))
