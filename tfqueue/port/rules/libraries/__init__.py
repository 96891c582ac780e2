"""Rules about other libraries and the standard library, files and `exec` among it, in programs of either Python.

What is of Python 2 alone is in `python2`. Each module, `*`, is a rule.
"""
