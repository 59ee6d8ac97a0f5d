"""Synthetic methods (survey §4): the released values are drawn from a model."""
