"""The studio: the whole job in a browser, on the steward's own machine.

A thin shell over the same calls as the command line. The truth is a folder (`work.py`,
`history.py`, `tries.py`); long work runs in processes of its own (`jobs.py`, `worker.py`); pages
are functions from what is asked (`asking.py`) to a reply (`replies.py`), one module each in
`pages/`; only `application.py` and `serving.py` know the web framework, and `guard.py` stands
before it.
"""
