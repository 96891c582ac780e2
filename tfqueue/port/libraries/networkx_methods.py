"""Importing this gives networkx's graphs what they had before 2.4; programs import it for that."""

from tfqueue.port.libraries import installed, networkx_graphs, networkx_lists

installed.change("networkx", networkx_graphs.install, networkx_lists.install)
