"""Targeted record swapping: households at risk change places with similar ones elsewhere."""
