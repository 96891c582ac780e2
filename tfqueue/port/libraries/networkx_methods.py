"""Importing this gives networkx's graphs what they had before 2.4; programs import it for that."""

import contextlib

from tfqueue.port.libraries import networkx_graphs, networkx_lists

with contextlib.suppress(ImportError):
    networkx_graphs.install()
    networkx_lists.install()
