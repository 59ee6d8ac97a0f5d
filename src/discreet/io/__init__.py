"""Reading and writing tables: one file per format, written back in the dialect it came in.

`files` is the entry point; each module in the folder `kinds` is a format.
"""
