"""Modules of the standard library that were renamed: `cPickle`, `Queue`, `ConfigParser`...

https://docs.python.org/3/whatsnew/3.0.html#library-changes
"""

FIXERS = ("imports", "imports2")
MESSAGE = "the module was renamed in Python 3"
