"""The campaign: random tables, plans, kills and mutated files, until something gives way.

`python -m bench.campaign --hours N --seed S`, or `make campaign`. It stops at the first fault with
a reproducer as small as Hypothesis can make it, and prints what was tried at the end.
"""
