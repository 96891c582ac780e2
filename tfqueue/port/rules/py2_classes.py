"""`__nonzero__`, `__metaclass__`, `im_func` and `func_name` get their new names.

https://docs.python.org/3/whatsnew/3.0.html#operators-and-special-methods
"""

FIXERS = ("nonzero", "metaclass", "funcattrs", "methodattrs")
MESSAGE = "the special name changed in Python 3"
