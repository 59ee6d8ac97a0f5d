"""Microaggregation: information loss, speed of the exact form, any size."""
