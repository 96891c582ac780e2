"""`input`, `reduce`, `apply`, `intern`, `basestring`, `buffer` and other builtins that went.

https://docs.python.org/3/whatsnew/3.0.html#builtins
"""

FIXERS = (
    "input",
    "reduce",
    "apply",
    "intern",
    "basestring",
    "standarderror",
    "getcwdu",
    "types",
    "operator",
    "renames",
)
MESSAGE = "the name is gone from Python 3"
