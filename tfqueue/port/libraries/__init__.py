"""The libraries of the day as they were, where only run time can tell: translated programs import what is here.

A module's name begins with that of its library, as the names of its rules in `port/rules/libraries` do: what
`gym_moved` writes is in `gym_environments`. One that ends in `_methods` is imported for what it does: it gives
a library's classes back what they had. `callers` says who calls such a method, the program or a library.
"""
