"""`urllib` and `urllib2` become `urllib.request`, `urllib.parse` and `urllib.error`.

https://docs.python.org/3/whatsnew/3.0.html#library-changes
"""

FIXERS = ("urllib",)
MESSAGE = "urllib was divided in Python 3"
