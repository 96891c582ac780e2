"""`map`, `filter`, `zip` and `range` give lists again where a list can be meant; `xrange` is `range`.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists
"""

FIXERS = ("filter", "map", "zip", "xrange", "itertools_imports", "itertools")
MESSAGE = "map, filter, zip and range no longer give lists"
