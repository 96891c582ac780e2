"""`def f(a, (b, c))` unpacks in the body; `[x for x in 1, 2]` gets its parentheses.

https://peps.python.org/pep-3113/
"""

FIXERS = ("tuple_params", "paren")
MESSAGE = "a parameter can't be a tuple, and a bare tuple needs parentheses"
