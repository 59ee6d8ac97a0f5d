"""Mixtures of normal (or t) components: covariance families, EM, its starts, and the choice."""
