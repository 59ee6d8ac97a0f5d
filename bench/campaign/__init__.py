"""The campaign: random tables, plans, kills and mutated files, until something breaks.

`python -m bench.campaign --hours N --seed S`, or `make campaign`. It stops at the first fault, with
a reproducer as small as Hypothesis can make it, and at the end prints what was tried.
"""
