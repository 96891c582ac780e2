"""`<>` becomes `!=`, and backquotes become `repr`.

https://docs.python.org/3/whatsnew/3.0.html#removed-syntax
"""

FIXERS = ("ne", "repr")
MESSAGE = "`<>` and backquotes are gone"
