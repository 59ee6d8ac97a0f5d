"""Full-domain recoding: every column at one level of its hierarchy, the best levels by search.

- levels.py: a column with its labels at each level, and what each label loses
- automatic.py: levels for a column that was given none
- given.py: levels as a user gives them: hierarchy files, intervals, mappings
- combinations.py: the records as dictionary-encoded combinations of values
- conditions.py: k-anonymity, l-diversity and t-closeness of classes, and what may be pruned
- lattice.py: the search over all nodes
- search.py: the best node for some data
- local.py: levels that differ from record to record
- recode_until.py: recoding until local suppression has little left to do
- claims.py: what a recoding promises
"""
