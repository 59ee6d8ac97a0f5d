"""Microaggregation: partitions of the records, replacements of values, and what both share."""
