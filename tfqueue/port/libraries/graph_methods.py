"""Importing this gives networkx's graphs what they had before 2.4; programs import it for that."""

import contextlib

from tfqueue.port.libraries import graph_lists, graphs

with contextlib.suppress(ImportError):
    graphs.install()
    graph_lists.install()
