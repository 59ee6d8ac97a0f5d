"""Reading and writing tables: one file per format, written back in the dialect it came in.

`files` is the way in; a format is one module of the folder `kinds`, found by its presence.
"""
