"""Disclosure risk, as an intruder would find it: one measure a file, found by the registry."""
