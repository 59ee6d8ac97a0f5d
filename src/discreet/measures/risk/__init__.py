"""Disclosure risk, as an intruder would find it: one measure per file, collected by the
registry."""
