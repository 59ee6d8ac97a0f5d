"""An attack on the claimed ε: distinguishing the releases of two neighbouring files.

For a thousand pairs of small files that differ in one record, an intruder who knows both files, the
method and its noise guesses which of them an outcome came from. The intruder sees the noisy counts
(or sums of clusters), from which everything else is computed, and guesses by their likelihood
ratio; or sees only the released records and counts those that resemble the one in question. A rule
that guesses the first file with the probability p if it is the first and q if it is the other shows
that ε is at least ln((p − δ)/q). The rule is chosen on one half of the runs; on the other half the
ends of Clopper and Pearson's intervals for p and q are taken, so that ε is no less than the bound
with a confidence of 99.9 %. No bound may exceed the claimed ε. The same mechanism with half the
noise has to be caught: otherwise the attack would be too weak to prove anything.

Two or three minutes on one core; --quick takes 100 pairs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

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
from discreet.microdata.arrays import Numbers
from discreet.models.noisy_tables import counts_of
from discreet.models.private_noise import Noise

Cells = NDArray[np.int64]

CONFIDENCE = 0.999
RUNS = 20
"""The number of outcomes for each file of a pair."""


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
    most_columns: int = 2,
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
    """Return the ε that the scores of the two files, in random order, prove at least.

    >>> rng = np.random.default_rng(1)
    >>> lower_bound(rng.normal(1, 1, 4000), rng.normal(0, 1, 4000), 0.0, 0.99) > 1
    True
    >>> lower_bound(rng.normal(0, 1, 4000), rng.normal(0, 1, 4000), 0.0, 0.99) < 0.2
    True
    """
    half = len(first) // 2
    rules = np.unique(np.quantile(np.r_[first[:half], second[:half]], np.linspace(0.02, 0.98, 49)))

    def proving(a: Numbers, b: Numbers, tried: Numbers) -> Numbers:
        hits, false = ((scores[:, None] >= tried).sum(axis=0) for scores in (a, b))
        return proved(hits, len(a), false, len(b), delta, confidence)

    best = rules[[int(np.argmax(proving(first[:half], second[:half], rules)))]]
    return max(0.0, float(proving(first[half:], second[half:], best)[0]))


def proved(
    hits: Cells, tries: int, false: Cells, others: int, delta: float, confidence: float
) -> Numbers:
    """Return the ε that these numbers of right and wrong guesses prove, by Clopper and Pearson.

    >>> proved(np.array([60]), 100, np.array([10]), 100, 0.0, 0.95).round(3)
    array([1.037])
    """
    tail = (1 - confidence) / 2
    least = np.where(hits, beta.ppf(tail, np.maximum(hits, 1), tries - hits + 1), 0.0)
    spared = np.maximum(others - false, 1)
    most = np.where(false < others, beta.ppf(1 - tail, false + 1, spared), 1.0)
    return np.log(np.maximum((least - delta) / most, 1e-300))


def audited(
    games: Sequence[Game], runs: int, delta: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the bound from all games together, and the largest from a single game.

    What holds for the probabilities of every pair holds for their means. For a single game the rule
    is to guess the likelier file, and the confidence is divided among all games, since the largest
    of many bounds is reported.
    """
    played = [game.played(runs) for game in games]
    order = np.random.default_rng(1).permutation(len(games) * runs)
    pooled = [np.concatenate([scores[world] for scores in played])[order] for world in (0, 1)]
    hits, false = (np.array([(scores[w] > 0).sum() for scores in played]) for w in (0, 1))
    alone = proved(hits, runs, false, runs, delta, 1 - (1 - confidence) / len(games))
    return lower_bound(pooled[0], pooled[1], delta, confidence), max(0.0, float(alone.max()))


Games = Callable[..., Iterator[Game]]


def cases(epsilon: float) -> list[tuple[str, float, Games]]:
    """Return each mechanism with its name, δ, and the games played against it."""
    laplace = DPSynthesis(epsilon=epsilon, size_is_public=True)
    hidden = DPSynthesis(epsilon=epsilon)
    gauss = DPSynthesis(epsilon=epsilon, delta=1e-5, size_is_public=True)
    clusters = DPMicroaggregation(epsilon=epsilon, k=2, size_is_public=True)
    return [
        ("dp-synthesis, Laplace, one record differs", 0.0, partial(synthesis_games, laplace)),
        ("dp-synthesis, Laplace, one record more", 0.0, partial(synthesis_games, hidden)),
        ("dp-synthesis, Gauss, one record differs", 1e-5, partial(synthesis_games, gauss)),
        ("dp-microaggregation", 0.0, partial(microaggregation_games, clusters)),
    ]


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench dp_audit", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100 pairs in place of 1,000")
    given = parser.parse_args(words)
    pairs, wrong = 100 if given.quick else 1000, 0
    print(f"{pairs:,} neighbouring pairs; bounds of ε with a confidence of {CONFIDENCE:.1%}")
    print(
        f"{'':<44}{'claimed':>8}{'all pairs':>11}{'worst pair':>12}{'half noise':>12}", flush=True
    )
    for epsilon in (1.0, 0.5, 3.0):
        for name, delta, games in cases(epsilon):
            rng = np.random.default_rng(1)
            together, worst = audited(list(games(pairs, rng)), RUNS, delta)
            wrong += max(together, worst) > epsilon
            line = f"{name:<44}{epsilon:>8g}{together:>11.3f}{worst:>12.3f}"
            if epsilon == 1.0:
                weak, _ = audited(list(games(pairs, rng, 2.0)), RUNS, delta)
                line += f"{weak:>12.3f} {'caught' if weak > epsilon else 'not caught'}"
            print(line, flush=True)
        first, second = released_games(pairs, 2, epsilon, seed=1)
        shuffled = np.random.default_rng(2).permutation(len(first))
        bound = lower_bound(first[shuffled], second[shuffled], 0.0, CONFIDENCE)
        wrong += bound > epsilon
        print(f"{'dp-synthesis, released records':<44}{epsilon:>8g}{bound:>11.3f}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
