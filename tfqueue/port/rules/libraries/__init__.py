"""Rules about other libraries and the standard library, files and `exec` among it, in programs of either Python.

The rule of a library is called after it: `_moved` where names moved or arguments changed, whatever else it does;
`_changed` where no name did. What is of Python 2 alone is in `python2`. Each module, `*`, is a rule.
"""
