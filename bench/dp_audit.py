"""An attack on the claimed ε: what is released of two neighbouring files is told apart.

For a thousand pairs of small files that differ in one record, an intruder who knows both, the
method and its noise guesses from which of them an outcome came. He sees the noisy counts (or sums
of clusters), from which everything else is computed, and guesses by their likelihood ratio, or sees
only the released records and counts those that are like the one in question. A rule that guesses
the first file with the probability p if it is the first and q if it is the other shows that ε is at
least ln((p − δ)/q). The rule is chosen in one half of the runs; of p and q in the other half the
ends of Clopper and Pearson's intervals are taken, so that with a confidence of 99.9 % ε is no less
than the bound. No bound may exceed the claimed ε. The same mechanism with half the noise has to be
caught: otherwise the attack would be too weak to say anything.

About five minutes on one core; --quick takes 100 pairs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

import discreet
from discreet.contracts import Context
from discreet.methods.perturbative.dp_microaggregation import (
    STEPS,
    DPMicroaggregation,
    insensitive_clusters,
)
from discreet.methods.synthetic.dp_synthesis import DPSynthesis
from discreet.models.noisy_tables import counts_of
from discreet.models.private_noise import Noise

Numbers = NDArray[np.float64]
Cells = NDArray[np.int64]

CONFIDENCE = 0.999


@dataclass(frozen=True, eq=False)
class Game:
    """Two neighbouring files as the noise meets them: their exact numbers, and the noise."""

    first: Cells
    second: Cells
    noise: Noise

    def played(self, runs: int) -> tuple[Numbers, Numbers]:
        """Return the intruder's log likelihood ratios where the first file is the true one, and
        where the second is."""
        return self._ratios(self.first, runs), self._ratios(self.second, runs)

    def _ratios(self, truth: Cells, runs: int) -> Numbers:
        seen = self.noise.added_to(np.tile(truth, runs)).reshape(runs, -1).astype(np.float64)
        away = [np.abs(seen - file) for file in (self.first, self.second)]
        if self.noise.delta == 0:
            return np.asarray((away[1] - away[0]).sum(axis=1) / self.noise.scale)
        squares = [(a * a).sum(axis=1) for a in away]
        return np.asarray((squares[1] - squares[0]) / (2 * self.noise.scale**2))


def synthesis_games(
    method: DPSynthesis,
    pairs: int,
    rng: np.random.Generator,
    weaker: float = 1.0,
    most_columns: int = 3,
) -> Iterator[Game]:
    """Yield pairs of files of two to six records in a few columns of two or three cells.

    One record has another category in every column, or is left out. `weaker` divides the noise.
    """
    for _ in range(pairs):
        sizes = rng.integers(2, 4, rng.integers(1, most_columns + 1)).tolist()
        rows = int(rng.integers(2, 7))
        cells = [rng.integers(0, size, rows) for size in sizes]
        if method.size_is_public:
            moved = [(c[0] + rng.integers(1, s)) % s for c, s in zip(cells, sizes, strict=True)]
            other = [np.r_[m, c[1:]] for m, c in zip(moved, cells, strict=True)]
        else:
            other = [c[1:] for c in cells]
        noise = method.noise(len(sizes))
        weak = replace(noise, scale=noise.scale / weaker)
        yield Game(counts_of(cells, sizes), counts_of(other, sizes), weak)


def microaggregation_games(
    method: DPMicroaggregation, pairs: int, rng: np.random.Generator, weaker: float = 1.0
) -> Iterator[Game]:
    """Yield pairs of files of one to three clusters in one or two columns, values at the bounds."""
    for _ in range(pairs):
        columns, rows = int(rng.integers(1, 3)), int(method.k * rng.integers(1, 4))
        values = rng.integers(0, 2, (rows, columns)) * STEPS
        other = values.copy()
        other[0] = STEPS - other[0]
        noise = method.noise(rows, columns)
        weak = replace(noise, scale=noise.scale / weaker)
        yield Game(_sums(values, method.k), _sums(other, method.k), weak)


def _sums(values: Cells, k: int) -> Cells:
    labels = insensitive_clusters(values, k)
    return np.concatenate([values[labels == g].sum(axis=0) for g in range(labels.max() + 1)])


def released_games(pairs: int, runs: int, epsilon: float, seed: int) -> tuple[Numbers, Numbers]:
    """Return how many released records are like the record in question, and not like its
    alternative, by which of the two was in the file."""
    rng = np.random.default_rng(seed)
    scores: tuple[list[float], list[float]] = ([], [])
    method = DPSynthesis(
        epsilon=epsilon, size_is_public=True, domains={"a": ["p", "q"], "b": ["r", "s"]}
    )
    for _ in range(pairs):
        rows = int(rng.integers(2, 7))
        rest = [rng.choice(["p", "q"], rows).tolist(), rng.choice(["r", "s"], rows).tolist()]
        for truth, record in enumerate((("p", "r"), ("q", "s"))):
            columns = {"a": [record[0], *rest[0]], "b": [record[1], *rest[1]]}
            data = discreet.read(columns, roles=dict.fromkeys("ab", "quasi-identifier"))
            for _ in range(runs):
                made = method.protect(data, Context()).data
                both = made["a"] + made["b"]
                scores[truth].append(float((both == 0).sum() - (both == 2).sum()))
    return np.array(scores[0]), np.array(scores[1])


def lower_bound(first: Numbers, second: Numbers, delta: float, confidence: float) -> float:
    """Return the ε that the scores prove at least, given those of either file, in random order.

    >>> rng = np.random.default_rng(1)
    >>> lower_bound(rng.normal(1, 1, 4000), rng.normal(0, 1, 4000), 0.0, 0.99) > 1
    True
    >>> lower_bound(rng.normal(0, 1, 4000), rng.normal(0, 1, 4000), 0.0, 0.99) < 0.2
    True
    """
    half = len(first) // 2
    tail = (1 - confidence) / 2
    rules = np.unique(np.quantile(np.r_[first[:half], second[:half]], np.linspace(0.02, 0.98, 49)))

    def proved(a: Numbers, b: Numbers, tried: Numbers) -> Numbers:
        hits, false = ((scores[:, None] >= tried).sum(axis=0) for scores in (a, b))
        least = np.where(hits, beta.ppf(tail, np.maximum(hits, 1), len(a) - hits + 1), 0.0)
        spared = np.maximum(len(b) - false, 1)
        most = np.where(false < len(b), beta.ppf(1 - tail, false + 1, spared), 1.0)
        return np.log(np.maximum((least - delta) / most, 1e-300))

    best = rules[[int(np.argmax(proved(first[:half], second[:half], rules)))]]
    return max(0.0, float(proved(first[half:], second[half:], best)[0]))


def audited(
    games: Sequence[Game], runs: int, delta: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the bound by all games together, and the largest by one game alone.

    What holds for the probabilities of every pair holds for their means. A bound by one game alone
    has the confidence divided among all games, since the largest of many is looked at.
    """
    played = [game.played(runs) for game in games]
    order = np.random.default_rng(1).permutation(len(games) * runs)
    pooled = [np.concatenate([scores[world] for scores in played])[order] for world in (0, 1)]
    alone = 1 - (1 - confidence) / len(games)
    return (
        lower_bound(pooled[0], pooled[1], delta, confidence),
        max(lower_bound(a, b, delta, alone) for a, b in played),
    )


def cases() -> list[tuple[str, float, float, Callable[..., Iterator[Game]]]]:
    """Return each case with its name, ε, δ, and the games that are played."""
    found: list[tuple[str, float, float, Callable[..., Iterator[Game]]]] = []
    for epsilon in (0.5, 1.0, 3.0):
        for delta in (0.0, 1e-5):
            for public in (True, False):
                method = DPSynthesis(epsilon=epsilon, delta=delta, size_is_public=public)
                noise = "Laplace" if delta == 0 else "Gauss"
                differ = "one record differs" if public else "one record more"
                found.append((
                    f"dp-synthesis, {noise}, {differ}", epsilon, delta,
                    lambda *rest, m=method: synthesis_games(m, *rest),
                ))  # fmt: skip
        clusters = DPMicroaggregation(epsilon=epsilon, k=2, size_is_public=True)
        found.append((
            "dp-microaggregation", epsilon, 0.0,
            lambda *rest, m=clusters: microaggregation_games(m, *rest),
        ))  # fmt: skip
    return found


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench dp_audit", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100 pairs in place of 1,000")
    given = parser.parse_args(words)
    pairs = 100 if given.quick else 1000
    wrong = 0
    print(f"{pairs:,} neighbouring pairs; bounds of ε with a confidence of {CONFIDENCE:.1%}")
    print(f"{'':<44}{'claimed':>8}{'all pairs':>11}{'worst pair':>12}{'half noise':>12}")
    for name, epsilon, delta, games in cases():
        together, worst = audited(list(games(pairs, np.random.default_rng(1))), 60, delta)
        weak, _ = audited(list(games(pairs, np.random.default_rng(1), 2.0)), 60, delta)
        wrong += max(together, worst) > epsilon
        caught = "caught" if weak > epsilon else "not caught"
        print(f"{name:<44}{epsilon:>8g}{together:>11.3f}{worst:>12.3f}{weak:>8.3f} {caught}")
    for epsilon in (0.5, 1.0, 3.0):
        first, second = released_games(pairs, 10, epsilon, seed=1)
        shuffled = np.random.default_rng(2).permutation(len(first))
        bound = lower_bound(first[shuffled], second[shuffled], 0.0, CONFIDENCE)
        wrong += bound > epsilon
        print(f"{'dp-synthesis, released records':<44}{epsilon:>8g}{bound:>11.3f}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
