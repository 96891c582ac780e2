"""`exec code in names` becomes a call; `execfile` reads the file.

https://docs.python.org/3/whatsnew/3.0.html#removed-syntax
"""

FIXERS = ("exec", "execfile")
MESSAGE = "exec is a function"
