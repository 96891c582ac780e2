"""`sys.maxint`, `sys.setdefaultencoding`, `os.getcwdu` and the like.

https://docs.python.org/3/whatsnew/3.0.html#library-changes
"""

from tfqueue.port import moves

WORDS = ("sys", "os")
PYTHON2 = True
_ROWS = {
    "sys.maxint": "tfqueue.port.py2.maxint",
    "sys.setdefaultencoding": "tfqueue.port.py2.no_result",
    "sys.exc_clear": "tfqueue.port.py2.no_result",
    "os.getcwdu": "os.getcwd",
}


def find(module):
    """Finds names that are gone from `sys` and `os`."""
    yield from moves.find(module, _ROWS, "the name is gone from Python 3")
