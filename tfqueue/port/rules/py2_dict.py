"""`has_key` becomes `in`; `iteritems` and its kin lose their `iter`; `keys()` is a list again.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists
"""

FIXERS = ("has_key", "dict")
MESSAGE = "a dictionary's methods give views"
