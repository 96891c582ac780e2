"""Importing this gives networkx's graphs the methods of before 2.4; programs import it for that."""

import contextlib

from tfqueue.port import graphs

with contextlib.suppress(ImportError):
    graphs.install()
