"""`iterator.next()` becomes `next(iterator)`, and the method `__next__`.

https://docs.python.org/3/whatsnew/3.0.html#operators-and-special-methods
"""

FIXERS = ("next",)
MESSAGE = "an iterator's method is __next__"
