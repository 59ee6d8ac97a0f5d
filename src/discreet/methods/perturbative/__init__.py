"""Perturbative methods (survey §2): the whole file is released, with changed values."""
