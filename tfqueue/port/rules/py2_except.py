"""`except Error, name` becomes `except Error as name`.

https://docs.python.org/3/whatsnew/3.0.html#changed-syntax
"""

FIXERS = ("except",)
MESSAGE = "an exception is caught `as` a name"
