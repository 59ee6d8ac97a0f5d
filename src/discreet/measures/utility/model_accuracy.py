"""Model accuracy: what a model trained on the release knows about originals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Ruin,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.words import lost, weighted
from discreet.microdata import Microdata, Numbers, Role
from discreet.microdata.decoded import Decoded
from discreet.microdata.weights import weights_of
from discreet.models.design_matrix import TreeMatrix, centre_and_spread
from discreet.models.many_classes import fit_classes

HELD_OUT = 3
"""One in this many originals is held out for the test."""
MOST_RECORDS = 30_000
MOST_CLASSES = 10
"""The number of classes, the most common ones, whose shares order a nominal predictor's
categories."""
PRIOR = 10.0


class ModelAccuracy(Measure):
    """How much better a model predicts when it is trained on originals instead of the release.

    A third of the originals is held out. One model is trained on the rest, another on the released
    records that came from the rest (all of them, where that is not known), and both predict the
    confidential columns of the held-out originals from the quasi-identifiers. The value is the
    difference of the accuracies, or of R² for a continuous column, averaged over the columns: 0 is
    no loss, below 0 the release did better. Training and accuracy count records by their weights.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 30, 40, 50] * 15, "ill": ["no", "no", "yes", "yes"] * 15},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> found = ModelAccuracy().score(data, data, Context(), Pairing.same_order(60))
    >>> found.detail["columns"]["ill"]["trained on the release"]
    1.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="model-accuracy",
        title="Accuracy lost by training on the release",
        citation="Breiman (2001), Random forests; the train-on-synthetic, test-on-real comparison",
        missing="at the mean with an indicator; a category of its own in nominal columns; records "
        "without the column to be predicted are left out",
        random=True,
        side=Side.UTILITY,
        better=Better.LOWER,
        low=-np.inf,
        high=np.inf,
        at_identity=0,
        default=False,
        formula="accuracy (or R²) of the model trained on originals − that of the model trained on "
        "the release",
        cost="n·c·log n time for each level of the trees, which are two forests of 50, or two "
        "trees, for each confidential column; memory n·c",
        sees=(Ruin.CONSTANT, Ruin.STARRED),
        blind_to=(Ruin.UNPAIRED, Ruin.NUMBER_DROPPED, Ruin.CATEGORY_DROPPED),
    )

    model: str = param(
        default="forest", help="a random forest or a single tree", choices=("forest", "tree")
    )
    least_leaf: int = param(default=5, help="the minimum number of records in a leaf", at_least=1)

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean difference; detail has both accuracies and that of a constant guess."""
        targets, names = original.having(Role.CONFIDENTIAL), original.quasi_identifiers
        if not targets:
            raise NotApplicable("no column is confidential")
        if not names:
            raise NotApplicable("no column is a quasi-identifier")
        training, test, rows = _split(original, released, pairing, context)
        origin = None if pairing is None else pairing.origin[rows]
        view = Decoded(original, released.take(rows), [*targets, *names], origin)
        parts: dict[str, dict[str, Any]] = {}
        variances = []
        draws = list(view.draws(context.generator("draws")))
        old, new = weights_of(original), weights_of(released)
        of_draws = None if new is None else new[rows]
        with context.task("training", len(targets) * len(draws)) as advance:
            for name in targets:
                held, w = _having(original.take(test), name, None if old is None else old[test])
                known = _having(
                    original.take(training), name, None if old is None else old[training]
                )
                if not _usable(held, w) or not _usable(*known):
                    continue
                before = self._quality(*known, held, w, name, names)
                constant = _constant(*known, held, w, name)
                after = []
                for draw in draws:
                    table = _having(draw, name, of_draws)
                    # For a column without information there is no better guess than a constant.
                    after.append(
                        self._quality(*table, held, w, name, names) if _usable(*table) else constant
                    )
                    advance(1)
                scores = [before, np.mean(after, axis=0)]
                parts[name] = _parts(scores, constant, held, w, name)
                variances.append((scores[0] - scores[1]).var() / len(held))
        if not parts:
            raise NotApplicable("there are too few records with a confidential value to train on")
        note = f"trained on {len(training):,} originals, {len(rows):,} released; tested on "
        value = float(np.mean([part["difference"] for part in parts.values()]))
        reach = float(1.96 * np.sqrt(sum(variances)) / len(parts))
        return Score(
            value,
            interval=(value - reach, value + reach),
            detail={"columns": parts},
            note="; ".join(
                filter(
                    None,
                    [f"{note}{len(test):,} held-out originals", lost(view), weighted(original)],
                )
            ),
            parts={(name,): part["difference"] for name, part in parts.items()},
            at_loss=float(
                np.mean([p["trained on originals"] - p["constant guess"] for p in parts.values()])
            ),
        )

    def _quality(
        self,
        training: Microdata,
        counted: Numbers | None,
        held: Microdata,
        weights: Numbers | None,
        name: str,
        names: Sequence[str],
    ) -> Numbers:
        """Return for each held-out record its part of the accuracy or R², which is their mean.

        `counted` are the weights of the records to train on, `weights` those of the held-out ones.
        """
        from sklearn import ensemble, tree

        continuous = training.schema[name].continuous
        centre, spread = centre_and_spread([training.column(name)])
        target = (training[name] - centre) / spread if continuous else training[name]
        encoding = TreeMatrix.fit(
            [training], names, _numeric(target, continuous), prior=PRIOR, also=[held]
        )
        options = {"min_samples_leaf": self.least_leaf, "random_state": 0}
        if self.model == "forest":
            kinds = ensemble.RandomForestClassifier, ensemble.RandomForestRegressor
            model = kinds[continuous](n_estimators=50, max_features=1 / 3, **options)
        else:
            model = (tree.DecisionTreeClassifier, tree.DecisionTreeRegressor)[continuous](**options)
        fit_classes(model, encoding.matrix(training, narrow=True), target, counted)
        guess = model.predict(encoding.matrix(held, narrow=True))
        if not continuous:
            return np.asarray(guess == held[name], dtype=np.float64)
        return _explained((held[name] - centre) / spread, guess, weights)


def _split(
    original: Microdata, released: Microdata, pairing: Pairing | None, context: Context
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the originals to train on, those to test on, and the released records to train on."""
    if len(original) < HELD_OUT or not len(released):
        raise NotApplicable(f"it needs at least {HELD_OUT} records")
    generator = context.generator("held out")
    order = generator.permutation(len(original))[:MOST_RECORDS]
    test, training = np.split(order, [len(order) // HELD_OUT])
    if pairing is None:
        rows = generator.permutation(len(released))[: len(training)]
        return np.sort(training), np.sort(test), np.sort(rows)
    chosen = np.zeros(len(original), dtype=bool)
    chosen[training] = True
    rows = np.flatnonzero(chosen[pairing.origin])
    # In the order of the originals, so that the order of the release makes no difference.
    rows = rows[np.argsort(pairing.origin[rows], kind="stable")]
    if not len(rows):
        raise NotApplicable("no released record came from an original that is trained on")
    return np.sort(training), np.sort(test), rows


def _having(
    data: Microdata, name: str, weights: Numbers | None
) -> tuple[Microdata, Numbers | None]:
    """Return the records with a value of a column, and their weights."""
    rows = np.flatnonzero(~data.column(name).missing)
    return data.take(rows), None if weights is None else weights[rows]


def _usable(data: Microdata, weights: Numbers | None) -> bool:
    return len(data) > 0 if weights is None else bool((weights > 0).any())


def _numeric(target: NDArray[Any], continuous: bool) -> Numbers:
    """Return the target as numbers whose means describe a category: values, or class shares."""
    if continuous:
        return np.asarray(target, dtype=np.float64)[:, None]
    counts = np.bincount(target)
    common = np.argsort(-counts, kind="stable")[:MOST_CLASSES]
    return np.asarray(target[:, None] == common[counts[common] > 0], dtype=np.float64)


def _parts(
    scores: Sequence[Numbers],
    constant: Numbers,
    held: Microdata,
    weights: Numbers | None,
    name: str,
) -> dict[str, Any]:
    before, after = (float(np.average(score, weights=weights)) for score in scores)
    return {
        "kind": "R²" if held.schema[name].continuous else "accuracy",
        "trained on originals": before,
        "trained on the release": after,
        "constant guess": float(np.average(constant, weights=weights)),
        "difference": before - after,
    }


def _constant(
    training: Microdata,
    counted: Numbers | None,
    held: Microdata,
    weights: Numbers | None,
    name: str,
) -> Numbers:
    """Return the quality of always guessing the most common class, or the mean."""
    if training.schema[name].continuous:
        centre, spread = centre_and_spread([training.column(name)], counted)
        return _explained((held[name] - centre) / spread, np.zeros(len(held)), weights)
    most = np.bincount(training[name], counted).argmax()
    return np.asarray(held[name] == most, dtype=np.float64)


def _explained(truth: Numbers, guess: Numbers, weights: Numbers | None) -> Numbers:
    """Return each record's part of R², 0 where the truth does not vary."""
    centre = np.average(truth, weights=weights)
    variance = float(np.average((truth - centre) ** 2, weights=weights))
    if variance == 0:
        return np.zeros(len(truth))
    return np.asarray(1 - (truth - guess) ** 2 / variance)
