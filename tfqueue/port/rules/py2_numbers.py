"""`0777` becomes `0o777`, and `10L` becomes `10`; `long` is `int`.

https://docs.python.org/3/whatsnew/3.0.html#integers
"""

FIXERS = ("numliterals", "long")
MESSAGE = "one kind of integer, and octal numbers begin with 0o"
