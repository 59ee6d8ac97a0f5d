"""Multivariate regression trees: grown on confidential responses, measured, and pruned."""

from discreet.models.regression_tree.growing import grow
from discreet.models.regression_tree.responses import Responses
from discreet.models.regression_tree.tree import Predictor, Tree

__all__ = ["Predictor", "Responses", "Tree", "grow"]
