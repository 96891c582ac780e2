"""Rules about other libraries and the standard library.

Each module, `*`, is a rule.
"""
