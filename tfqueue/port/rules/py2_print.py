"""`print` and `print >>file` become calls.

https://docs.python.org/3/whatsnew/3.0.html#print-is-a-function
"""

FIXERS = ("print",)
MESSAGE = "print is a function"
