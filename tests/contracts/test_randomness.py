"""Randomness: streams by name, whatever else was drawn, and a seed that nobody prints."""

from __future__ import annotations

import hashlib
import pickle
import struct
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import UsageError
from discreet.contracts import Context, Randomness
from discreet.contracts.randomness import BY_HAND, SEED_BITS
from discreet.contracts.stream import stream
from discreet.publishing.record import seed_from
from discreet.release.copies import copies

LAW = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
SEED = 314159265358979


@LAW
@given(st.permutations(["a", "b", "c", "d"]), st.integers(0, 2**128 - 1))
def test_the_order_of_use_does_not_matter(order: list[str], seed: int) -> None:
    root = Randomness(seed)
    drawn = {name: root.generator("step", name).integers(2**62) for name in order}
    for name in reversed(order):
        assert Randomness(seed).generator("step", name).integers(2**62) == drawn[name]


def test_names_and_seeds_give_different_streams() -> None:
    paths: list[tuple[str | int, ...]] = [("a",), ("b",), ("a", "b"), ("ab",), (), ("", ""), (1, 2)]
    streams = [
        Randomness(s).generator(*p).random(4).tolist() for s in (0, 1, 2**127) for p in paths
    ]
    assert all(x != y for x, y in combinations(streams, 2))


def test_streams_of_different_uses_are_uncorrelated() -> None:
    root = Randomness(SEED)
    n = 20_000
    streams = np.array([root.generator("use", i).standard_normal(n) for i in range(6)])
    correlations = np.corrcoef(streams)[np.triu_indices(6, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(n)


def test_a_number_and_its_text_name_the_same_use() -> None:
    assert Randomness(1).generator(1).random() == Randomness(1).generator("1").random()


def test_the_seed_is_in_no_printed_form() -> None:
    root = Randomness(SEED)
    context = Context(root).within("step 1")
    data = discreet.read({"age": [1, 2, 3, 4]}, roles={"age": "quasi-identifier"})
    release = discreet.protect(data, discreet.AdditiveNoise(), seed=SEED)
    for thing in (root, context, release, release.randomness, context.generator("x")):
        for text in (repr(thing), str(thing), f"{thing}"):
            assert str(SEED) not in text
            assert f"{SEED:x}" not in text
    assert release.randomness.reveal() == SEED


def test_without_a_seed_it_comes_from_the_operating_system() -> None:
    seeds = {Randomness().reveal() for _ in range(8)}
    assert len(seeds) == 8
    assert max(seeds) > 2 ** (SEED_BITS - 32), "eight draws all far below the range"
    assert all(0 <= seed < 2**SEED_BITS for seed in seeds)


@pytest.mark.parametrize("seed", [-1, 1.0, "1", True, False, np.int64(-3), b"1", [1], 1.5])
def test_an_invalid_seed_is_refused_without_being_quoted(seed: Any) -> None:
    with pytest.raises(UsageError, match="the seed must be a whole number of 0 or more") as error:
        Randomness(seed)
    assert repr(seed) not in str(error.value)


@pytest.mark.parametrize("seed", [0, np.int64(7), np.uint8(7), 2**200])
def test_whole_numbers_are_seeds(seed: Any) -> None:
    assert Randomness(seed).reveal() == int(seed)
    assert type(Randomness(seed).reveal()) is int


def test_the_global_state_is_left_alone() -> None:
    before = pickle.dumps(np.random.get_state())  # noqa: NPY002
    Randomness(3).generator("x").random(100)
    assert pickle.dumps(np.random.get_state()) == before  # noqa: NPY002


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, for keys of up to 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


@pytest.mark.parametrize("seed", [0, 7, SEED, 2**128 - 1, 2**200 + 3])
def test_the_key_of_a_stream_is_the_hmac_of_seed_and_names(seed: int) -> None:
    names = (b"step 1", "Größe".encode(), b"3")
    message = b"".join(struct.pack("<Q", len(name)) + name for name in names)
    key = hmac_sha256(seed.to_bytes(32, "little"), message)
    drawn = Randomness(seed).generator("step 1", "Größe", 3).bit_generator.random_raw(40)
    assert drawn.tolist() == stream(key).bit_generator.random_raw(40).tolist()


def test_names_that_run_together_are_different_uses() -> None:
    paths = [("a\x1fb",), ("a", "b"), ("a", "", "b"), ("ab", ""), ("", "ab")]
    drawn = [Randomness(1).generator(*path).integers(2**62) for path in paths]
    assert len(set(drawn)) == len(paths)


def test_a_generator_survives_a_trip_to_another_process() -> None:
    generator = Randomness(SEED).generator("x")
    generator.random(5)
    copy = pickle.loads(pickle.dumps(generator))
    assert copy.random(20).tolist() == generator.random(20).tolist()


def test_derived_seeds_are_as_long_as_one_from_the_operating_system() -> None:
    root = Randomness(1)
    seeds = [root.derived("trial", n).reveal() for n in range(64)]
    assert len(set(seeds)) == 64
    assert 2 ** (SEED_BITS - 8) < max(seeds) < 2**SEED_BITS
    assert root.derived("x").generator("y").random() != root.generator("x", "y").random()


def people() -> discreet.Microdata:
    return discreet.read({"age": list(range(20, 60))}, roles={"age": "quasi-identifier"})


def test_a_seed_given_by_hand_is_noted() -> None:
    assert BY_HAND in discreet.protect(people(), "additive-noise", seed=7).notes
    assert BY_HAND not in discreet.protect(people(), "additive-noise").notes
    # A seed that was derived is long, but no safer than the one that it was derived from.
    assert all(BY_HAND in made.notes for made in copies(people(), "additive-noise", 2, seed=7))
    assert not any(BY_HAND in made.notes for made in copies(people(), "additive-noise", 2))


@pytest.mark.parametrize("seed", [7, None])
def test_the_record_says_who_gave_the_seed_and_a_repetition_too(
    tmp_path: Path, seed: int | None
) -> None:
    release = discreet.protect(people(), "additive-noise", seed=seed)
    again = seed_from(release.write(tmp_path / "out") / "record.json")
    assert again.reveal() == release.randomness.reveal()
    assert again.by_hand == (seed is not None)
    repeated = discreet.protect(people(), "additive-noise", seed=again)
    assert repeated.notes == release.notes
    assert repeated.data["age"].tolist() == release.data["age"].tolist()
    public = [tmp_path / "out" / name for name in ("manifest.json", "report-public.html")]
    assert not any("by hand" in path.read_text(encoding="utf-8") for path in public)
