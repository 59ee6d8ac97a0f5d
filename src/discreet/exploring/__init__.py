"""Exploring: R-U maps, and the search for the best release within a limit on risk."""
