"""Files of old source, in and out: encodings, line ends, and the syntax of Python 2.

* `files` finds, reads and writes programs.
* `parsing` parses a program of either Python; `finding` is what it and the rules say about a place.
* `python2_syntax` makes Python 3 of what only Python 2 can parse: `print x`, `except A, e`.
* `keywords` writes `async` and `await` as names where an old program has them as names.
"""
