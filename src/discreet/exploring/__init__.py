"""Exploring: R-U maps, and the search for the best release under a limit of risk."""
