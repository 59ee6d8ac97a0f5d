"""The tables and figures of the papers, redone: the paper's figure, ours, and the difference.

One module for each paper offers `sections`, which computes and returns plain data; `page` draws
them, `plain` prints them, and `running` carries them out and keeps a failure from stopping the
rest. The data that they need, and where these come from, are in `sources`.
"""
