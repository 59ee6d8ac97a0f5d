"""Synthesis by sequential regressions: one column after the other, given those before it."""
