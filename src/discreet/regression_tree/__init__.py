"""Multivariate regression trees: grown on confidential responses, measured, and pruned."""

from discreet.regression_tree.growing import grow
from discreet.regression_tree.responses import Responses
from discreet.regression_tree.tree import Predictor, Tree

__all__ = ["Predictor", "Responses", "Tree", "grow"]
